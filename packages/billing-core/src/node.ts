/** The crypto port on `node:crypto`. This is the only file of the package that uses Node. */
import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { type CryptoPort, TAG_BYTES } from './crypto/port.js'

export const nodeCrypto: CryptoPort = {
  seal: (key, iv, additional, plaintext) => {
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    cipher.setAAD(additional)
    return plain(Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]))
  },
  open: (key, iv, additional, sealed) => {
    if (sealed.length < TAG_BYTES) return null
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    decipher.setAAD(additional)
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
    try {
      return plain(Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]))
    } catch {
      return null
    }
  },
  hmacSha256: (key, data) => plain(createHmac('sha256', key).update(data).digest()),
  equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
}

/** A plain `Uint8Array` over the same bytes, so that both ports return the same type. */
function plain(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
}

export type { CryptoPort } from './crypto/port.js'
