/** An RSA key with a certificate of its own (RFC 5280), as the service that signs notices has one. A handful of fixed fields. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export interface SigningKey {
  readonly key: KeyObject
  readonly certificatePem: string
}

export interface CertificateOptions {
  readonly fromMs: number
  readonly untilMs: number
}

/** One value of DER: its tag, its length, its content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content])
  const bytes = length < 256 ? [length] : [length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), content])
}

const SEQUENCE = 0x30
const RSA_SHA256 = der(SEQUENCE, der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), Buffer.from([0x05, 0x00]))
const COMMON_NAME = Buffer.from('550403', 'hex')

const time = (ms: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))

export function newSigningKey(name: string, { fromMs, untilMs }: CertificateOptions): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const named = der(SEQUENCE, der(0x31, der(SEQUENCE, der(0x06, COMMON_NAME), der(0x0c, Buffer.from(name)))))
  // The highest bit is clear: a serial number is positive.
  const serial = randomBytes(16)
  serial[0] = 0x40 | ((serial[0] ?? 0) & 0x3f)
  const signed = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    RSA_SHA256,
    named,
    der(SEQUENCE, time(fromMs), time(untilMs)),
    named,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', signed, privateKey)
  const certificate = der(SEQUENCE, signed, RSA_SHA256, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: privateKey,
    certificatePem: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}
