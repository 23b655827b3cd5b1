/**
 * What a witness answers to a checkpoint (C2SP tlog-witness), given what it cosigned before.
 *
 * INVARIANT: it cosigns only a checkpoint that a trusted log key signed and that provably continues the last one. The
 * caller must store `state` durably before it sends `body`, and must decide one request at a time.
 */
import { parseCheckpoint } from '../checkpoint/checkpoint.js'
import type { SigningKey, VerifierKey } from '../checkpoint/key.js'
import { checkNote, signatureLine } from '../checkpoint/note.js'
import type { CryptoPort } from '../crypto/port.js'
import { EMPTY_ROOT } from '../tree/node-hash.js'
import { verifyConsistency } from '../tree/verify-proof.js'
import { parseWitnessRequest } from './request.js'

/** What a witness stores of a log. */
export interface WitnessedTree {
  readonly size: number
  readonly root: string
}

export interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422
  readonly contentType: string
  readonly body: string
  /** What to store for the log; null when nothing changes. */
  readonly state: (WitnessedTree & { readonly origin: string }) | null
}

export interface WitnessInput {
  readonly body: string
  /** The keys of each watched log, by the origin line of its checkpoints. */
  readonly logs: ReadonlyMap<string, readonly VerifierKey[]>
  /** Returns what was last cosigned for an origin, or null. */
  readonly last: (origin: string) => WitnessedTree | null
  readonly key: SigningKey
  /** Seconds since 1970. */
  readonly now: number
}

export function cosign(crypto: CryptoPort, { body, logs, last, key, now }: WitnessInput): WitnessAnswer {
  const request = parseWitnessRequest(body)
  const checkpoint = request === null ? null : parseCheckpoint(request.checkpoint)
  if (request === null || checkpoint === null) return refusal(400, 'the body is not an add-checkpoint request')
  const { origin, size, root, note } = checkpoint
  const keys = logs.get(origin)
  if (keys === undefined) return refusal(404, 'this log is not watched')
  const { verified, failed } = checkNote(crypto, note, keys)
  // A cosignature of another witness, whose key may be in the same file, is not a signature of the log.
  const isSigned = verified.some(({ key: { type } }) => type === 'ed25519')
  if (!isSigned || failed.length > 0) return refusal(403, 'no trusted key of the log signed the checkpoint')
  if (request.oldSize > size) return refusal(400, 'the old size is larger than the checkpoint')
  const previous = last(origin) ?? { size: 0, root: EMPTY_ROOT }
  if (request.oldSize !== previous.size) return conflict(previous.size)
  // The same size with another root is a fork. No proof can explain it.
  if (previous.size === size && previous.size > 0 && previous.root !== root) return conflict(previous.size)
  const claim = { first: previous.size, firstRoot: previous.root, second: size, secondRoot: root, proof: request.proof }
  if (!verifyConsistency(crypto, claim)) return refusal(422, 'the consistency proof does not verify')
  return {
    status: 200,
    contentType: 'text/plain; charset=utf-8',
    body: signatureLine(crypto, note.text, key, now),
    state: { origin, size, root },
  }
}

function refusal(status: 400 | 403 | 404 | 422, message: string): WitnessAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${message}\n`, state: null }
}

/** The body is the size from which the next request must start. */
function conflict(size: number): WitnessAnswer {
  return { status: 409, contentType: 'text/x.tlog.size', body: `${size}\n`, state: null }
}
