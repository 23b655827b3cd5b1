/** The crypto port in plain JavaScript: browsers, edge runtimes, contexts without any platform cryptography. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../encoding/hex.js'
import { toUtf8 } from '../encoding/utf8.js'
import type { CryptoPort } from './port.js'

export const nobleCrypto: CryptoPort = {
  sha256(input, output, offset) {
    output.set(sha256(input), offset)
  },
  sha256Text(prefix, text) {
    return toHex(sha256.create().update(prefix).update(toUtf8(text)).digest())
  },
  sign(message, seed) {
    return ed25519.sign(message, seed)
  },
  verify(message, signature, publicKey) {
    if (signature.length !== 64 || publicKey.length !== 32) return false
    try {
      // ZIP 215 would accept encodings that RFC 8032, node:crypto and most other verifiers refuse.
      return ed25519.verify(signature, message, publicKey, { zip215: false })
    } catch {
      return false
    }
  },
  publicKey(seed) {
    return ed25519.getPublicKey(seed)
  },
}
