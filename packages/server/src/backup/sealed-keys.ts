/** The keys of a backup, encrypted with a passphrase: scrypt (N=2^17, r=8, p=1), then AES-256-GCM. */
import { randomBytes, scryptSync } from 'node:crypto'
import { IV_BYTES, openWith, sealWith, TAG_BYTES } from '../runtime/secret-box.js'

/** Name of the key derivation in the files. */
export const KDF = 'scrypt-131072-8-1'
const SCRYPT = { N: 1 << 17, r: 8, p: 1, maxmem: 256 << 20 }
export const PASSPHRASE_LENGTH_MIN = 12

export const passphraseKey = (passphrase: string, salt: Buffer): Buffer => scryptSync(passphrase, salt, 32, SCRYPT)

export function sealKeys(keys: Readonly<Record<string, string>>, passphrase: string): string {
  if (passphrase.length < PASSPHRASE_LENGTH_MIN) {
    throw new Error(`the passphrase of the backup needs ${PASSPHRASE_LENGTH_MIN} characters or more`)
  }
  const salt = randomBytes(16)
  const sealed = Buffer.from(sealWith(passphraseKey(passphrase, salt), JSON.stringify(keys), ''), 'base64')
  const text = (bytes: Buffer) => bytes.toString('base64')
  return JSON.stringify({
    kdf: KDF,
    cipher: 'aes-256-gcm',
    salt: text(salt),
    iv: text(sealed.subarray(0, IV_BYTES)),
    tag: text(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)),
    sealed: text(sealed.subarray(IV_BYTES + TAG_BYTES)),
  })
}

/** @throws Error when the passphrase is wrong, or the file was changed. */
export function openKeys(content: string, passphrase: string): Record<string, string> {
  const part = JSON.parse(content) as Record<'salt' | 'iv' | 'tag' | 'sealed', string>
  const bytes = (name: keyof typeof part) => Buffer.from(part[name], 'base64')
  const key = passphraseKey(passphrase, bytes('salt'))
  const [iv, tag] = [bytes('iv'), bytes('tag')]
  try {
    if (iv.length !== IV_BYTES || tag.length !== TAG_BYTES) throw new Error('the parts have another length')
    const sealed = Buffer.concat([iv, tag, bytes('sealed')]).toString('base64')
    return JSON.parse(openWith(key, sealed, '')) as Record<string, string>
  } catch {
    throw new Error('the keys cannot be decrypted: the passphrase is wrong, or the backup was changed')
  }
}
