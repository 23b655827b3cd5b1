/**
 * Secrets at rest: AES-256-GCM with a key ring. The first key seals, and every key opens. The purpose (what kind of
 * secret, and whose) is authenticated too, so that a sealed value that is moved to another row cannot be opened.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Refusal } from './errors.js'
import type { RingKey } from './setting/types.js'

export const IV_BYTES = 12
export const TAG_BYTES = 16

/** @returns base64 of IV, tag and ciphertext. `key` has 32 bytes. */
export function sealWith(key: Uint8Array, text: string, purpose: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

/** @throws Error when the key, the purpose or the sealed text does not match. */
export function openWith(key: Uint8Array, sealed: string, purpose: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const iv = bytes.subarray(0, IV_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}

/** Derives 32 bytes for one use, from a secret of full entropy. */
export const deriveKey = (secret: Uint8Array | string, use: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', use, 32))

export interface SecretBox {
  /** @returns `<key id>.<base64>`. */
  seal(text: string, purpose: string): string
  /**
   * @throws Refusal 503 that names the key when it is not in the ring any more; Error when the purpose does not match.
   */
  open(sealed: string, purpose: string): string
  /**
   * Seals the same text with the first key.
   *
   * @throws As `open`.
   */
  reseal(sealed: string, purpose: string): string
}

const missingKey = (id: string): Refusal =>
  new Refusal(
    'SERVICE_UNAVAILABLE',
    `a stored secret is encrypted with the key ${id}, which is not in SECRET_ENCRYPTION_KEYS: the operator adds it again`,
  )

export function createSecretBox(ring: readonly RingKey[]): SecretBox {
  const keys = new Map(ring.map(({ id, key }) => [id, deriveKey(key, 'plumbline secret box')]))
  const [first] = ring
  if (first === undefined) throw new Error('SECRET_ENCRYPTION_KEYS is empty')
  const seal = (text: string, purpose: string) =>
    `${first.id}.${sealWith(keys.get(first.id) as Uint8Array, text, purpose)}`
  const open = (sealed: string, purpose: string) => {
    // A key id may hold dots, base64 never does.
    const dot = sealed.lastIndexOf('.')
    const key = keys.get(sealed.slice(0, dot))
    if (key === undefined) throw missingKey(sealed.slice(0, dot))
    return openWith(key, sealed.slice(dot + 1), purpose)
  }
  return { seal, open, reseal: (sealed, purpose) => seal(open(sealed, purpose), purpose) }
}
