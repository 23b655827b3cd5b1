/** DSSE v1: a payload with its type, signed together. */
import { sign } from 'node:crypto'
import type { ProvenanceKey } from './keys.js'

const PAYLOAD_TYPE = 'application/vnd.in-toto+json'

/** The bytes of the envelope, as it is stored and published. */
export function signedEnvelope(
  statement: object,
  { keyId, privateKey }: Pick<ProvenanceKey, 'keyId' | 'privateKey'>,
): Buffer {
  const payload = Buffer.from(JSON.stringify(statement))
  // guard: provenance-is-signed-with-its-type
  const signed = Buffer.concat([
    Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `),
    payload,
  ])
  const sig = sign(null, signed, privateKey).toString('base64')
  return Buffer.from(
    JSON.stringify({
      payloadType: PAYLOAD_TYPE,
      payload: payload.toString('base64'),
      signatures: [{ keyid: keyId, sig }],
    }),
  )
}
