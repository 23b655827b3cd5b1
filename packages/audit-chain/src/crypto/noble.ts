/** The crypto port in plain JavaScript: for browsers, edge runtimes, and other runtimes without platform cryptography. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { toHex } from '../encoding/hex.js'
import { toUtf8 } from '../encoding/utf8.js'
import type { CryptoPort } from './port.js'
import { isSmallOrder } from './small-order.js'

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
    if (signature.length !== 64 || publicKey.length !== 32 || isSmallOrder(publicKey)) return false
    try {
      // ZIP 215 accepts encodings that RFC 8032, node:crypto and most other verifiers refuse.
      return (
        ed25519.verify(signature, message, publicKey, { zip215: false }) &&
        isWithoutCofactor(message, signature, publicKey)
      )
    } catch {
      return false
    }
  },
  publicKey(seed) {
    return ed25519.getPublicKey(seed)
  },
}

/**
 * The library multiplies the equation by eight. For a key that was made for this purpose, that accepts signatures that
 * node:crypto refuses.
 */
function isWithoutCofactor(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  const { Point } = ed25519
  const digest = sha512.create().update(signature.subarray(0, 32)).update(publicKey).update(message).digest()
  const k = Point.Fn.create(littleEndian(digest))
  const s = littleEndian(signature.subarray(32))
  const r = Point.BASE.multiplyUnsafe(s).subtract(Point.fromBytes(publicKey, false).multiplyUnsafe(k))
  return toHex(r.toBytes()) === toHex(signature, 0, 32)
}

const littleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes.slice().reverse())}`)
