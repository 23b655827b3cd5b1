/** Verifies that the topic service signed a notice. Its certificate is fetched once and checked each time. */
import { verify, X509Certificate } from 'node:crypto'
import { createEgress, type Egress } from '../../runtime/egress/egress.js'
import { readTarget } from '../../runtime/egress/target.js'
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { perRuntime } from '../../runtime/per-runtime.js'
import { type Envelope, type Trusted, unsigned } from './envelope.js'

const TIMEOUT_MS = 5000
/** An address for confirmation contains the name of the topic, of up to 256 characters, and a token of similar length. */
const URL_CHARS_MAX = 2000
const CERTIFICATES_MAX = 8
const ALGORITHMS = { '1': 'RSA-SHA1', '2': 'RSA-SHA256' } as const

interface Shared {
  readonly egress: Egress
  readonly certificates: Map<string, X509Certificate>
}

const sharedOf = perRuntime(
  (runtime: Runtime): Shared => ({ egress: runtime.egress ?? createEgress(), certificates: new Map() }),
)

/** @throws Refusal 400 `INVALID_SIGNATURE`, 503 where the certificate cannot be fetched now */
export async function verifyEnvelope(runtime: Runtime, envelope: Envelope, trusted: Trusted, nowMs: number) {
  const shared = sharedOf(runtime)
  const known = shared.certificates.get(envelope.certificateUrl)
  const certificate = known ?? (await fetchCertificate(shared, envelope.certificateUrl, trusted))
  checkSignature(envelope, certificate, nowMs)
  if (known !== undefined) return
  // Only certificates that have signed a notice are cached, and only a few.
  const [oldest] = shared.certificates.keys()
  if (shared.certificates.size >= CERTIFICATES_MAX && oldest !== undefined) shared.certificates.delete(oldest)
  shared.certificates.set(envelope.certificateUrl, certificate)
}

/** @throws Refusal 400 `INVALID_SIGNATURE` */
export function checkSignature(envelope: Envelope, certificate: X509Certificate, nowMs: number): void {
  // guard: a-certificate-is-good-now
  if (nowMs < Date.parse(certificate.validFrom) || nowMs > Date.parse(certificate.validTo)) {
    throw unsigned('SigningCertURL', 'leads to a certificate that is not valid now')
  }
  const { publicKey } = certificate
  if (publicKey.asymmetricKeyType !== 'rsa')
    throw unsigned('SigningCertURL', 'leads to a certificate without an RSA key')
  const isSigned = verify(ALGORITHMS[envelope.version], Buffer.from(envelope.signed), publicKey, envelope.signature)
  // guard: a-notice-is-signed
  if (!isSigned) throw unsigned('Signature', 'is not that of the notice')
}

async function fetchCertificate({ egress }: Shared, url: string, trusted: Trusted): Promise<X509Certificate> {
  const target = targetOf(url, trusted, 'SigningCertURL')
  const answer = await egress.get(target, { timeoutMs: TIMEOUT_MS })
  if (answer.kind !== 'answered') {
    throw new Refusal('PROVIDER_UNAVAILABLE', `the certificate of the notice cannot be fetched: ${answer.reason}`)
  }
  if (answer.status !== 200) throw unsigned('SigningCertURL', `is answered ${answer.status}`)
  try {
    return new X509Certificate(answer.body)
  } catch (cause) {
    throw new Refusal('INVALID_SIGNATURE', 'SigningCertURL leads to no certificate', {
      details: { field: 'SigningCertURL' },
      cause,
    })
  }
}

/**
 * Confirms to the topic that this endpoint wants its notices.
 *
 * @throws Refusal 503
 */
export async function confirmSubscription(runtime: Runtime, url: string, trusted: Trusted): Promise<void> {
  const { egress } = sharedOf(runtime)
  const answer = await egress.get(targetOf(url, trusted, 'SubscribeURL'), { timeoutMs: TIMEOUT_MS })
  if (answer.kind === 'answered' && answer.status === 200) return
  const why = answer.kind === 'answered' ? `it is answered ${answer.status}` : answer.reason
  throw new Refusal('PROVIDER_UNAVAILABLE', `the subscription to the topic cannot be confirmed: ${why}`)
}

function targetOf(url: string, { localOrigin }: Trusted, field: string) {
  const target = readTarget(url, localOrigin === null ? [] : [localOrigin], URL_CHARS_MAX)
  if (typeof target === 'string') throw unsigned(field, target)
  return target
}
