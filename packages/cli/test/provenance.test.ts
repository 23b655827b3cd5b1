/** Verifies provenance against keys and an image, with bytes that are changed one by one. */
import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readKeys, verifyProvenance } from '../src/records/attestation/verify.js'

const TYPE = 'application/vnd.in-toto+json'
const DIGEST = `sha256:${'a'.repeat(64)}`
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'a', digest: { sha256: 'a'.repeat(64) } }],
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      resolvedDependencies: [
        { uri: 'urn:plumbline:archive:1', digest: { sha256: 'b' } },
        { uri: 'docker://debian:12' },
      ],
    },
  },
}
function envelopeOf(value: unknown, payloadType = TYPE): string {
  const payload = Buffer.from(JSON.stringify(value))
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload])
  const sig = sign(null, signed, privateKey).toString('base64')
  return JSON.stringify({ payloadType, payload: payload.toString('base64'), signatures: [{ keyid: 'x', sig }] })
}
const envelope = envelopeOf(statement)
const reasonOf = (text: string, digest = DIGEST, keys = readKeys(pem)) => {
  const outcome = verifyProvenance(text, keys, digest)
  return outcome.isVerified ? 'verified' : outcome.reason
}

it('is verified by its key, among others, and tells what the image is made of', () => {
  const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' })
  expect(verifyProvenance(envelope, readKeys(`${other}${pem}`), DIGEST)).toMatchObject({
    isVerified: true,
    materials: ['urn:plumbline:archive:1 sha256:b', 'docker://debian:12 (by name)'],
  })
  expect(reasonOf(envelope, DIGEST, readKeys(String(other)))).toContain('no signature was made with a key')
})

it('takes Ed25519 keys alone', () => {
  const rsa = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' })
  const broken = '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'
  expect(readKeys(`${rsa}${broken}\ntext`)).toEqual([])
})

it('is not verified for another image, of another kind, or by what is not an envelope', () => {
  expect(reasonOf(envelope, `sha256:${'c'.repeat(64)}`)).toContain('it is about sha256:aaaa')
  expect(reasonOf(envelopeOf(statement, 'text/plain'))).toContain('not a DSSE envelope')
  expect(reasonOf(envelopeOf({ ...statement, predicateType: 'x' }))).toContain('not SLSA provenance')
  expect(reasonOf(envelopeOf({ ...statement, subject: null }))).toContain('it is about')
  for (const text of ['', 'null', '[]', '{"payloadType":1}']) expect(reasonOf(text)).not.toBe('verified')
  expect(reasonOf(JSON.stringify({ ...JSON.parse(envelope), signatures: [null, { sig: 'AAAA' }] }))).toContain(
    'no signature',
  )
})

it('is not verified once a byte of what is signed was changed', () => {
  const { payload, ...rest } = JSON.parse(envelope)
  fc.assert(
    fc.property(fc.nat(Buffer.from(payload, 'base64').length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const bytes = Buffer.from(payload, 'base64')
      bytes[at] = (bytes[at] ?? 0) ^ change
      expect(reasonOf(JSON.stringify({ ...rest, payload: bytes.toString('base64') }))).toContain('no signature')
    }),
    { numRuns: 100 },
  )
})
