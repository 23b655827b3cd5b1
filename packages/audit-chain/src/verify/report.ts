/**
 * What verification answers: three verdicts, and for each of them why, where, and with which evidence (spec billing-audit 22).
 */

export type Verdict = 'valid' | 'invalid' | 'cannot-tell'

/** Why a log is invalid. */
export type InvalidReason =
  /** The first row does not continue the anchor, or the start of the chain. */
  | 'anchor_mismatch'
  /** A row belongs to another chain than the one verified. */
  | 'chain_mismatch'
  /** A sequence number is not its predecessor's plus one. */
  | 'sequence_gap'
  /** A row's `prevHash` is not the hash of the row before. */
  | 'link_mismatch'
  /** A recomputed hash or commitment differs. */
  | 'hash_mismatch'
  /** A row lacks a field, has one too many, or one of a wrong type. */
  | 'malformed_row'
  /** A row was created before its predecessor. */
  | 'backdated'
  /** Personal data or details are gone and no event of the chain says why. */
  | 'unexplained_erasure'
  /** Something known to exist is missing at the end. */
  | 'truncated'
  /** The last row is not the one that the head names. */
  | 'head_mismatch'
  /** A checkpoint's root, head, origin or signature does not fit the rows. */
  | 'checkpoint_mismatch'

/** Why nothing can be said. */
export type CannotTellReason =
  | 'nothing_to_check'
  /** The input is not an audit log at all. */
  | 'not_a_log'
  /** A checkpoint or head that should be there is missing or unreadable. */
  | 'missing_checkpoint'
  /** A checkpoint or anchor carries no signature of a key that the caller knows. */
  | 'unknown_key'
  /** A checkpoint is about a part of the log that is not here. */
  | 'checkpoint_out_of_range'
  /** The event that explains an erasure may lie behind the end of the exported range. */
  | 'erasure_outside_range'
  /** Neither head nor checkpoint at hand: a truncated tail or a recomputed log would look the same. */
  | 'no_checkpoint'

/** The two things that do not fit together. */
export interface Evidence {
  /** What was compared, for example `root at size 1000`. */
  readonly what: string
  readonly expected: string | number | null
  readonly actual: string | number | null
}

export type CheckpointSource = 'given' | 'bundle' | 'proof'

export interface CheckpointReport {
  readonly source: CheckpointSource
  readonly origin: string | null
  readonly size: number | null
  /** Signed by a key that the caller knows, and its root fits the rows. */
  readonly verified: boolean
  /** Keys that the caller knows and that signed it: `name+id`. */
  readonly signedBy: readonly string[]
  /** Witnesses that the caller knows and that cosigned it, with their times. */
  readonly witnesses: readonly { readonly name: string; readonly at: string }[]
}

export interface VerifyReport {
  readonly verdict: Verdict
  /** The verdict is not `invalid`. */
  readonly ok: boolean
  readonly cannotTell?: CannotTellReason
  readonly reason?: InvalidReason
  /** Sequence number of the first row that does not fit; null where only a root differs. */
  readonly brokenSeq?: number | null
  /** Id of that row; null when the row is missing. */
  readonly brokenAt?: string | null
  readonly evidence?: Evidence
  readonly chain: string | null
  /** Rows read, the one that broke included. */
  readonly count: number
  readonly firstSeq: number | null
  readonly lastSeq: number | null
  readonly firstCreatedAt: string | null
  readonly lastCreatedAt: string | null
  /** Rows of which a half is erased and an event of the chain explains it. */
  readonly erased: number
  /** Rows whose identity this copy does not have, because a foreign actor's was left out. */
  readonly withheld: number
  /** The last row read, as the head that it would be. */
  readonly head: { readonly seq: number; readonly hash: string } | null
  readonly anchor: { readonly throughSeq: number; readonly hash: string; readonly signed: boolean } | null
  /** The newest checkpoint looked at. */
  readonly checkpoint: { readonly size: number; readonly verified: boolean } | null
  readonly checkpoints: readonly CheckpointReport[]
  /** Newest sequence number that a verified checkpoint covers, 0 without one; rows behind it are chained only. */
  readonly coveredThrough: number
  /** The exported part, when the input is a part of a log. */
  readonly range: { readonly from: number; readonly to: number } | null
  /** Rows behind a witnessed checkpoint that claim to be older than the witness's time. */
  readonly backdated: { readonly count: number; readonly firstSeq: number } | null
  /** What someone could still have done without this verification noticing. */
  readonly doubts: readonly Doubt[]
}

export interface Doubt {
  readonly code: DoubtCode
  readonly text: string
}

export type DoubtCode =
  | 'recomputed'
  | 'key-from-file'
  | 'uncovered-tail'
  | 'key-holder'
  | 'rolled-back'
  | 'fork'
  | 'timestamps'
  | 'range'
  | 'pruned'
  | 'withheld'
  | 'never-written'
