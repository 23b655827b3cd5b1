/**
 * A checkpoint or proof that the rows are compared with: its source, its signatures, and the result.
 *
 * INVARIANT: a checkpoint counts only when a key signed it that the caller knows or that came with the log. It is
 * evidence only in the first case. A note with an invalid signature of a known key is forged, even when its text is not
 * a checkpoint any more. So damage to a signed text never makes evidence disappear.
 */
import { type ParsedCheckpoint, parseCheckpoint } from '../checkpoint/checkpoint.js'
import type { VerifierKey } from '../checkpoint/key.js'
import { checkNote, parseNote } from '../checkpoint/note.js'
import { noteOfTlogProof, parseTlogProof, type TlogProof } from '../checkpoint/tlog-proof.js'
import type { CryptoPort } from '../crypto/port.js'
import type { CheckpointReport, CheckpointSource } from './report.js'

/**
 * `known`: a key of the caller signed it. `offered`: only a key that came with the log signed it. `forged`: the
 * signature of a known key does not verify.
 */
export type Trust = 'known' | 'offered' | 'unknown' | 'forged'

export interface Keys {
  /** Keys that the caller got from the log's operator and from witnesses. */
  readonly known: readonly VerifierKey[]
  /** Keys that came together with the log. */
  readonly offered: readonly VerifierKey[]
}

export interface Expectation {
  readonly source: CheckpointSource
  /** Null when the text is not a checkpoint, or not a proof. */
  readonly checkpoint: ParsedCheckpoint | null
  /** For a proof: the path from one row to the checkpoint. */
  readonly proof: TlogProof | null
  readonly trust: Trust
  readonly signedBy: readonly string[]
  readonly witnesses: readonly { readonly name: string; readonly seconds: number }[]
  /** `pending` until the rows reach its size. */
  state: 'pending' | 'fits' | 'differs' | 'out-of-range'
}

export function expectCheckpoint(crypto: CryptoPort, text: string, source: CheckpointSource, keys: Keys): Expectation {
  return expectation(crypto, { note: text, checkpoint: parseCheckpoint(text), proof: null }, source, keys)
}

export function expectProof(crypto: CryptoPort, text: string, keys: Keys): Expectation {
  const proof = parseTlogProof(text)
  const checkpoint = proof === null ? null : parseCheckpoint(proof.checkpoint)
  const note = noteOfTlogProof(text) ?? ''
  return expectation(crypto, { note, checkpoint, proof: checkpoint === null ? null : proof }, 'proof', keys)
}

/** What could be parsed of a text that should be a checkpoint or a proof. */
interface Read {
  /** The signed note in it. It may be a valid note even when its text is not a checkpoint. */
  readonly note: string
  readonly checkpoint: ParsedCheckpoint | null
  readonly proof: TlogProof | null
}

function expectation(
  crypto: CryptoPort,
  { note, checkpoint, proof }: Read,
  source: CheckpointSource,
  keys: Keys,
): Expectation {
  const signed = checkpoint?.note ?? parseNote(note)
  const known = signed === null ? NOTHING : checkNote(crypto, signed, keys.known)
  const offered = signed === null ? NOTHING : checkNote(crypto, signed, keys.offered)
  const trust: Trust =
    known.failed.length > 0 || offered.failed.length > 0
      ? 'forged'
      : known.verified.some(isLogKey)
        ? 'known'
        : offered.verified.some(isLogKey)
          ? 'offered'
          : 'unknown'
  return {
    source,
    checkpoint,
    proof,
    trust,
    signedBy: known.verified.filter(isLogKey).map(({ key }) => `${key.name}+${key.id}`),
    witnesses: known.verified.flatMap(({ key, timestamp }) =>
      timestamp === null ? [] : [{ name: key.name, seconds: timestamp }],
    ),
    state: 'pending',
  }
}

/** True for a key of a log, not of a witness. A witness does not confirm the text of a note. */
export const isLogKey = ({ key }: { readonly key: VerifierKey }): boolean => key.type === 'ed25519'

const NOTHING = { verified: [], failed: [], unknown: [] } as const

export function reportOf(expectation: Expectation): CheckpointReport {
  return {
    source: expectation.source,
    origin: expectation.checkpoint?.origin ?? null,
    size: expectation.checkpoint?.size ?? null,
    verified: expectation.trust === 'known' && expectation.state === 'fits',
    signedBy: expectation.signedBy,
    witnesses: expectation.witnesses.map(({ name, seconds }) => ({ name, at: instantOf(seconds) })),
  }
}

/** Returns the instant, limited to the last instant that records can have. */
export function instantOf(seconds: number): string {
  return new Date(Math.min(seconds, 253_402_300_799) * 1000).toISOString()
}
