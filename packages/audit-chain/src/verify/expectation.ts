/**
 * A checkpoint that the rows are held against: where it comes from, whose signatures it carries, and what came out.
 * INVARIANT: what a checkpoint says counts only when a key signed it that the caller knows or that came with the log;
 * it counts as evidence only in the first case.
 */
import { type ParsedCheckpoint, parseCheckpoint } from '../checkpoint/checkpoint.js'
import type { VerifierKey } from '../checkpoint/key.js'
import { checkNote } from '../checkpoint/note.js'
import { parseTlogProof, type TlogProof } from '../checkpoint/tlog-proof.js'
import type { CryptoPort } from '../crypto/port.js'
import type { CheckpointReport, CheckpointSource } from './report.js'

/** `known`: a key of the caller signed it. `offered`: only a key that came along. `forged`: a known key did not. */
export type Trust = 'known' | 'offered' | 'unknown' | 'forged'

export interface Keys {
  /** Keys that the caller got from the log's operator, and of witnesses. */
  readonly known: readonly VerifierKey[]
  /** Keys that came together with the log. */
  readonly offered: readonly VerifierKey[]
}

export interface Expectation {
  readonly source: CheckpointSource
  /** Null when the text is no checkpoint, or no proof. */
  readonly checkpoint: ParsedCheckpoint | null
  /** For a proof: how it leads from one row to the checkpoint. */
  readonly proof: TlogProof | null
  readonly trust: Trust
  readonly signedBy: readonly string[]
  readonly witnesses: readonly { readonly name: string; readonly seconds: number }[]
  /** `pending` until the rows reach it. */
  state: 'pending' | 'fits' | 'differs' | 'out-of-range'
}

export function expectCheckpoint(crypto: CryptoPort, text: string, source: CheckpointSource, keys: Keys): Expectation {
  return expectation(crypto, parseCheckpoint(text), null, source, keys)
}

export function expectProof(crypto: CryptoPort, text: string, keys: Keys): Expectation {
  const proof = parseTlogProof(text)
  const checkpoint = proof === null ? null : parseCheckpoint(proof.checkpoint)
  return expectation(crypto, checkpoint, checkpoint === null ? null : proof, 'proof', keys)
}

function expectation(
  crypto: CryptoPort,
  checkpoint: ParsedCheckpoint | null,
  proof: TlogProof | null,
  source: CheckpointSource,
  keys: Keys,
): Expectation {
  const known = checkpoint === null ? NOTHING : checkNote(crypto, checkpoint.note, keys.known)
  const offered = checkpoint === null ? NOTHING : checkNote(crypto, checkpoint.note, keys.offered)
  const isLogKey = ({ key }: { key: VerifierKey }) => key.type === 'ed25519'
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

/** The instant, capped at the last one that records can hold. */
export function instantOf(seconds: number): string {
  return new Date(Math.min(seconds, 253_402_300_799) * 1000).toISOString()
}
