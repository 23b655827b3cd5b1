/**
 * Self-signed certificates (RFC 5280): version 3, SHA-256, one common name. They have only a few fixed fields, so the
 * server encodes them itself.
 */
import { type KeyObject, randomBytes, sign } from 'node:crypto'

/** Encodes one value of DER: tag, length and content. The content must be shorter than 64 KiB. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content])
  const bytes = length < 256 ? [length] : [length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), content])
}

export const SEQUENCE = 0x30
export const OBJECT_ID = 0x06
export const BIT_STRING = 0x03
const SET = 0x31
const INTEGER = 0x02
const NULL = 0x05
const UTF8 = 0x0c
const GENERALIZED_TIME = 0x18

const COMMON_NAME = Buffer.from('550403', 'hex')
/** RSA has null parameters, ECDSA has none. */
const ALGORITHMS = {
  ec: der(SEQUENCE, der(OBJECT_ID, Buffer.from('2a8648ce3d040302', 'hex'))),
  rsa: der(SEQUENCE, der(OBJECT_ID, Buffer.from('2a864886f70d01010b', 'hex')), der(NULL)),
}

const time = (ms: number): Buffer =>
  der(GENERALIZED_TIME, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))

export interface KeyPair {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export interface CertificateOptions {
  readonly name: string
  readonly fromMs: number
  readonly untilMs: number
  /** DER of the extensions; absent for none. */
  readonly extensions?: readonly Uint8Array[]
}

/** @returns DER. */
export function selfSignedCertificate(
  { privateKey, publicKey }: KeyPair,
  { name, fromMs, untilMs, extensions = [] }: CertificateOptions,
): Buffer {
  const algorithm = ALGORITHMS[privateKey.asymmetricKeyType === 'ec' ? 'ec' : 'rsa']
  const named = der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8, Buffer.from(name)))))
  // The highest bit is clear: a serial number is positive.
  const serial = randomBytes(16)
  serial[0] = 0x40 | ((serial[0] ?? 0) & 0x3f)
  const signed = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, serial),
    algorithm,
    named,
    der(SEQUENCE, time(fromMs), time(untilMs)),
    named,
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length === 0 ? [] : [der(0xa3, der(SEQUENCE, ...extensions))]),
  )
  const signature = sign('sha256', signed, privateKey)
  return der(SEQUENCE, signed, algorithm, der(BIT_STRING, Buffer.from([0]), signature))
}

export const pemOf = (certificate: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${(certificate.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`
