/** An RSA key with a self-signed certificate, like that of the service that signs notices. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { pemOf, selfSignedCertificate } from '../../../runtime/certificate.js'

export interface SigningKey {
  readonly key: KeyObject
  readonly certificatePem: string
}

export function newSigningKey(
  name: string,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): SigningKey {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { key: keys.privateKey, certificatePem: pemOf(selfSignedCertificate(keys, { name, fromMs, untilMs })) }
}
