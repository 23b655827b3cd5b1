/** The certificate that the registry gets can be read by another implementation. */
import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { pemOf } from '../runtime/certificate.js'
import { newSigningKey, packed, unpacked } from './certificate.js'
import { bundleOf } from './keys.js'

it('is read by OpenSSL, of its key, an authority, and signed by itself', () => {
  const made = newSigningKey('Plumbline registry tokens', Date.parse('2026-11-23T00:00:00Z'))
  const read = new X509Certificate(pemOf(made.certificate))
  expect([read.subject, read.issuer, read.ca]).toEqual([
    'CN=Plumbline registry tokens',
    'CN=Plumbline registry tokens',
    true,
  ])
  expect([read.verify(read.publicKey), read.checkPrivateKey(made.key)]).toEqual([true, true])
  expect(new Date(read.validFrom) < new Date('2026-11-23') && new Date(read.validTo) > new Date('2036-01-01')).toBe(
    true,
  )
})

it('travels with its key in one setting, and is refused without it', () => {
  const [made, other] = [newSigningKey('a', 0), newSigningKey('a', 0)]
  expect(unpacked(packed(made)).certificate).toEqual(made.certificate)
  expect(() => unpacked(packed({ key: made.key, certificate: other.certificate }))).toThrow('not of that key')
  expect(() => unpacked(packed(made).subarray(0, -1))).toThrow()
  expect(() => unpacked(Buffer.alloc(64))).toThrow()
  const ring = [made, other].map((each, n) => ({ id: `k${n}`, key: Uint8Array.from(packed(each)) }))
  expect(bundleOf(ring).match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
  expect(() => bundleOf([{ id: 'k', key: new Uint8Array(32) }])).toThrow('plumbline registry init')
})
