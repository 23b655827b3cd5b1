/** Both fillings of the crypto port give the same bytes and the same verdicts. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mixedOrderKey } from '../proof/bundle-vectors.js'
import { nobleCrypto } from '../src/index.js'
import { nodeCrypto } from '../src/node.js'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

it('hash alike, prefixes and texts of any length included', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.string({ unit: 'binary', maxLength: 300 }), (prefix, text) => {
      expect(nodeCrypto.sha256Text(prefix, text)).toBe(nobleCrypto.sha256Text(prefix, text))
      const [a, b] = [new Uint8Array(40), new Uint8Array(40)]
      nodeCrypto.sha256(prefix, a, 5)
      nobleCrypto.sha256(prefix, b, 5)
      expect(a).toEqual(b)
    }),
  )
  const long = 'é'.repeat(100_000)
  expect(nodeCrypto.sha256Text(new Uint8Array(28), long)).toBe(nobleCrypto.sha256Text(new Uint8Array(28), long))
})

it('sign alike and verify each other, and no damaged signature', () => {
  fc.assert(
    fc.property(bytes(32), fc.uint8Array({ maxLength: 100 }), fc.nat(511), (seed, message, bit) => {
      const signature = nodeCrypto.sign(message, seed)
      const publicKey = nobleCrypto.publicKey(seed)
      expect(nobleCrypto.sign(message, seed)).toEqual(signature)
      expect(nodeCrypto.publicKey(seed)).toEqual(publicKey)
      const damaged = signature.slice()
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      for (const port of [nodeCrypto, nobleCrypto]) {
        expect(port.verify(message, signature, publicKey)).toBe(true)
        expect(port.verify(message, damaged, publicKey)).toBe(false)
        expect(port.verify(message, signature.slice(1), publicKey)).toBe(false)
        expect(port.verify(message, signature, publicKey.slice(1))).toBe(false)
      }
    }),
    { numRuns: 30 },
  )
})

it('refuse alike keys and signatures that RFC 8032 does not encode', () => {
  // y = p + 1, a second encoding of the neutral element, and a scalar that is not reduced.
  const nonCanonical = Uint8Array.from([0xee, ...Array(30).fill(0xff), 0x7f])
  const unreduced = new Uint8Array(64).fill(0xff)
  for (const port of [nodeCrypto, nobleCrypto]) {
    expect(port.verify(new Uint8Array(1), unreduced, port.publicKey(new Uint8Array(32)))).toBe(false)
    expect(port.verify(new Uint8Array(1), new Uint8Array(64), nonCanonical)).toBe(false)
  }
})

it('agree about keys of small order and keys with a part of small order', () => {
  const { publicKey, sign } = mixedOrderKey()
  const message = new Uint8Array([1, 2, 3])
  const seen = new Set<boolean>()
  for (let nonce = 1n; nonce < 40n; nonce++) {
    const { signature, needsCofactor } = sign(message, nonce)
    seen.add(needsCofactor)
    for (const port of [nodeCrypto, nobleCrypto])
      expect(port.verify(message, signature, publicKey)).toBe(!needsCofactor)
  }
  expect(seen.size).toBe(2)
  // R and A neutral, s = 0: fits every message.
  const neutral = Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 1 : 0))
  const signature = Uint8Array.from([...neutral, ...new Uint8Array(32)])
  for (const port of [nodeCrypto, nobleCrypto]) expect(port.verify(message, signature, neutral)).toBe(false)
})
