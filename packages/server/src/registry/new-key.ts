/** A new entry of REGISTRY_TOKEN_KEYS: a key, and the certificate by which the registry verifies it. */
import { randomBytes } from 'node:crypto'
import { newSigningKey, packed } from './certificate.js'

export function newTokenKey(nowMs: number = Date.now()): string {
  const id = `registry-${randomBytes(4).toString('hex')}`
  return `${id}:${packed(newSigningKey('Plumbline registry tokens', nowMs)).toString('base64')}`
}
