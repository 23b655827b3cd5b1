/** The crypto port on node:crypto. This is the only module of the package that uses Node. */
import { createPrivateKey, createPublicKey, hash, sign, verify } from 'node:crypto'
import type { CryptoPort } from './crypto/port.js'
import { isSmallOrder } from './crypto/small-order.js'

/** DER headers of RFC 8410. They turn a raw Ed25519 seed or public key into a form that node:crypto reads. */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI_HEADER = Buffer.from('302a300506032b6570032100', 'hex')

/** Prefixes end at this offset and texts begin there, so that one view of the scratch buffer serves every prefix. */
const TEXT_AT = 64
const encoder = new TextEncoder()
let scratch = Buffer.allocUnsafe(TEXT_AT + 16_384)
let textSpace = scratch.subarray(TEXT_AT)

const privateKeyOf = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, seed]), format: 'der', type: 'pkcs8' })

export const nodeCrypto: CryptoPort = {
  sha256(input, output, offset) {
    // A binary text is the cheapest way to get 32 bytes out of node:crypto: a third of the cost of a Buffer.
    const text = hash('sha256', input, 'binary')
    for (let index = 0; index < 32; index++) output[offset + index] = text.charCodeAt(index)
  },
  sha256Text(prefix, text) {
    if (text.length * 3 > textSpace.length) {
      scratch = Buffer.allocUnsafe(TEXT_AT + text.length * 4)
      textSpace = scratch.subarray(TEXT_AT)
    }
    const start = TEXT_AT - prefix.length
    if (start < 0) return hash('sha256', Buffer.concat([prefix, encoder.encode(text)]), 'hex')
    scratch.set(prefix, start)
    const { written } = encoder.encodeInto(text, textSpace)
    return hash('sha256', scratch.subarray(start, TEXT_AT + written), 'hex')
  },
  sign(message, seed) {
    return new Uint8Array(sign(null, message, privateKeyOf(seed)))
  },
  verify(message, signature, publicKey) {
    if (signature.length !== 64 || publicKey.length !== 32 || isSmallOrder(publicKey)) return false
    try {
      const key = createPublicKey({ key: Buffer.concat([SPKI_HEADER, publicKey]), format: 'der', type: 'spki' })
      return verify(null, message, key, signature)
    } catch {
      return false
    }
  },
  publicKey(seed) {
    const der = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' })
    return new Uint8Array(der.subarray(SPKI_HEADER.length))
  },
}
