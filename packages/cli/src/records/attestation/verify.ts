/** Verifies a provenance against keys and an image. Pure: it trusts nothing that the server says. */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'

export type Keys = readonly { readonly id: string; readonly key: KeyObject }[]

export type Outcome =
  | { readonly isVerified: false; readonly reason: string }
  | { readonly isVerified: true; readonly keyId: string; readonly materials: readonly string[] }

const PAYLOAD_TYPE = 'application/vnd.in-toto+json'
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'
const PREDICATE_TYPE = 'https://slsa.dev/provenance/v1'

/** Only Ed25519 keys; everything else is left out. */
export function readKeys(text: string): Keys {
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? []
  return blocks.flatMap((block) => {
    try {
      const key = createPublicKey(block)
      if (key.asymmetricKeyType !== 'ed25519') return []
      const der = key.export({ type: 'spki', format: 'der' })
      return [{ id: createHash('sha256').update(der).digest('hex'), key }]
    } catch {
      return []
    }
  })
}

export function verifyProvenance(envelopeText: string, keys: Keys, digest: string): Outcome {
  const no = (reason: string): Outcome => ({ isVerified: false, reason })
  const envelope = objectOf(envelopeText)
  if (envelope === null) return no('the envelope is not JSON')
  const { payloadType, payload, signatures } = envelope
  if (payloadType !== PAYLOAD_TYPE || typeof payload !== 'string')
    return no(`it is not a DSSE envelope of ${PAYLOAD_TYPE}`)
  const bytes = Buffer.from(payload, 'base64')
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${bytes.length} `), bytes])
  const given = (Array.isArray(signatures) ? signatures : []).map((each) => Buffer.from(String(each?.sig), 'base64'))
  const by = keys.find(({ key }) => given.some((signature) => verify(null, signed, key, signature)))
  if (by === undefined) return no('no signature was made with a key of --key: check that the key is the right one')
  const statement = objectOf(bytes.toString('utf8'))
  if (statement?.['_type'] !== STATEMENT_TYPE || statement['predicateType'] !== PREDICATE_TYPE) {
    return no('what is signed is not SLSA provenance v1')
  }
  const subjects = listOf(statement['subject']).map((each) => `sha256:${digestIn(each)}`)
  if (!subjects.includes(digest)) return no(`it is about ${subjects.join(', ')}, and the image is ${digest}`)
  const definition = (statement['predicate'] as Json | undefined)?.['buildDefinition'] as Json | undefined
  const materials = listOf(definition?.['resolvedDependencies']).map((each) => {
    const sha256 = digestIn(each)
    return sha256 === undefined ? `${each['uri']} (by name)` : `${each['uri']} sha256:${sha256}`
  })
  return { isVerified: true, keyId: by.id, materials }
}

type Json = Readonly<Record<string, unknown>>

const listOf = (value: unknown): readonly Json[] =>
  (Array.isArray(value) ? value : []).filter((each): each is Json => typeof each === 'object' && each !== null)

const digestIn = ({ digest }: Json): unknown => (digest as Json | undefined)?.['sha256']

function objectOf(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Json) : null
  } catch {
    return null
  }
}
