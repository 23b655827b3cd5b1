/**
 * A P-256 key with a certificate of its own, in the form that a registry's `rootcertbundle` takes: version 3, an authority,
 * signed by itself with ECDSA and SHA-256 (RFC 5280). A handful of fixed fields, so they are written here by hand.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const YEARS_10_MS = 3650 * 86_400_000

/** One value of DER: its tag, its length, its content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content])
  const bytes = length < 256 ? [length] : [length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), content])
}

const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_ID = 0x06
const BOOLEAN = 0x01
const UTF8 = 0x0c
const GENERALIZED_TIME = 0x18

const ECDSA_SHA256 = Buffer.from('2a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('550403', 'hex')
const BASIC_CONSTRAINTS = Buffer.from('551d13', 'hex')
const KEY_USAGE = Buffer.from('551d0f', 'hex')
const TRUE = Buffer.from([0xff])

const time = (ms: number): Buffer =>
  der(GENERALIZED_TIME, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))

const extension = (id: Buffer, content: Buffer): Buffer =>
  der(SEQUENCE, der(OBJECT_ID, id), der(BOOLEAN, TRUE), der(OCTET_STRING, content))

export interface SigningKey {
  readonly key: KeyObject
  /** DER. */
  readonly certificate: Buffer
}

export function newSigningKey(name: string, nowMs: number): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(SEQUENCE, der(OBJECT_ID, ECDSA_SHA256))
  const named = der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8, Buffer.from(name)))))
  // The highest bit is clear: a serial number is positive.
  const serial = randomBytes(16)
  serial[0] = 0x40 | ((serial[0] ?? 0) & 0x3f)
  const extensions = der(
    SEQUENCE,
    extension(BASIC_CONSTRAINTS, der(SEQUENCE, der(BOOLEAN, TRUE))),
    // digitalSignature and keyCertSign
    extension(KEY_USAGE, der(BIT_STRING, Buffer.from([2, 0x84]))),
  )
  const signed = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, serial),
    algorithm,
    named,
    der(SEQUENCE, time(nowMs - 3_600_000), time(nowMs + YEARS_10_MS)),
    named,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = sign('sha256', signed, privateKey)
  const certificate = der(SEQUENCE, signed, algorithm, der(BIT_STRING, Buffer.from([0]), signature))
  return { key: privateKey, certificate }
}

/** As a setting carries it: the key in PKCS #8, and its certificate behind it. */
export const packed = ({ key, certificate }: SigningKey): Buffer =>
  Buffer.concat([key.export({ type: 'pkcs8', format: 'der' }), certificate])

/** @throws Error when it is not a P-256 key with the certificate of that key. */
export function unpacked(bytes: Uint8Array): SigningKey {
  const whole = Buffer.from(bytes)
  const end = lengthOf(whole)
  const key = createPrivateKey({ key: whole.subarray(0, end), format: 'der', type: 'pkcs8' })
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('the key is not on the curve P-256')
  const certificate = whole.subarray(end)
  const own = createPublicKey(key).export({ type: 'spki', format: 'der' })
  if (lengthOf(certificate) !== certificate.length || !certificate.includes(own)) {
    throw new Error('the certificate is not of that key')
  }
  return { key, certificate }
}

/** The bytes of the first value. */
function lengthOf(bytes: Buffer): number {
  const first = bytes[1] ?? 0
  if (first < 0x80) return 2 + first
  const count = first & 0x7f
  if (count > 2 || bytes.length < 2 + count) throw new Error('the value is not DER')
  return 2 + count + bytes.readUIntBE(2, count)
}

export const pemOf = (certificate: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${(certificate.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`
