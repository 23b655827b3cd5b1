/** A P-256 key with its own self-signed CA certificate, in the form that a registry's `rootcertbundle` accepts. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { BIT_STRING, der, OBJECT_ID, SEQUENCE, selfSignedCertificate } from '../runtime/certificate.js'

const YEARS_10_MS = 3650 * 86_400_000

const OCTET_STRING = 0x04
const BOOLEAN = 0x01

const BASIC_CONSTRAINTS = Buffer.from('551d13', 'hex')
const KEY_USAGE = Buffer.from('551d0f', 'hex')
const TRUE = Buffer.from([0xff])

const extension = (id: Buffer, content: Buffer): Buffer =>
  der(SEQUENCE, der(OBJECT_ID, id), der(BOOLEAN, TRUE), der(OCTET_STRING, content))

export interface SigningKey {
  readonly key: KeyObject
  /** DER encoded. */
  readonly certificate: Buffer
}

export function newSigningKey(name: string, nowMs: number): SigningKey {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const extensions = [
    extension(BASIC_CONSTRAINTS, der(SEQUENCE, der(BOOLEAN, TRUE))),
    // digitalSignature and keyCertSign
    extension(KEY_USAGE, der(BIT_STRING, Buffer.from([2, 0x84]))),
  ]
  const certificate = selfSignedCertificate(keys, {
    ...{ name, fromMs: nowMs - 3_600_000, untilMs: nowMs + YEARS_10_MS },
    extensions,
  })
  return { key: keys.privateKey, certificate }
}

/** The form in a setting: the key in PKCS #8, followed by its certificate. */
export const packed = ({ key, certificate }: SigningKey): Buffer =>
  Buffer.concat([key.export({ type: 'pkcs8', format: 'der' }), certificate])

/** @throws Error unless it is a P-256 key with the certificate of that key. */
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

/** The length of the first DER value. */
function lengthOf(bytes: Buffer): number {
  const first = bytes[1] ?? 0
  if (first < 0x80) return 2 + first
  const count = first & 0x7f
  if (count > 2 || bytes.length < 2 + count) throw new Error('the value is not DER')
  return 2 + count + bytes.readUIntBE(2, count)
}
