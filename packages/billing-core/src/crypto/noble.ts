/** The crypto port on the noble libraries: audited JavaScript that runs on any runtime. */
import { gcm } from '@noble/ciphers/aes.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { type CryptoPort, TAG_BYTES } from './port.js'

export const nobleCrypto: CryptoPort = {
  seal: (key, iv, additional, plaintext) => gcm(key, iv, additional).encrypt(plaintext),
  open: (key, iv, additional, sealed) => {
    if (sealed.length < TAG_BYTES) return null
    try {
      return gcm(key, iv, additional).decrypt(sealed)
    } catch {
      return null
    }
  },
  hmacSha256: (key, data) => hmac(sha256, key, data),
  equal: (a, b) => {
    if (a.length !== b.length) return false
    let difference = 0
    for (let index = 0; index < a.length; index++) difference |= (a[index] ?? 0) ^ (b[index] ?? 0)
    return difference === 0
  },
}
