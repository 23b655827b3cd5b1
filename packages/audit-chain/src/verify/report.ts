/**
 * The result of a verification: one of three verdicts, with its reason, its place and its evidence (spec billing-audit
 * 22).
 */

export type Verdict = 'valid' | 'invalid' | 'cannot-tell'

/** Why a log is invalid. */
export type InvalidReason =
  /** The first row does not continue the anchor, or the start of the chain. */
  | 'anchor_mismatch'
  /** A row belongs to another chain than the one verified. */
  | 'chain_mismatch'
  /** The sequence number of a row is not that of its predecessor plus one. */
  | 'sequence_gap'
  /** A row's `prevHash` is not the hash of the row before. */
  | 'link_mismatch'
  /** A recomputed hash or commitment differs. */
  | 'hash_mismatch'
  /** A row lacks a field, has an unknown field, or has a field of a wrong type. */
  | 'malformed_row'
  /** A row was created before its predecessor. */
  | 'backdated'
  /** Personal data or details are missing, and no event of the chain explains it. */
  | 'unexplained_erasure'
  /** A row is missing at the end that is known to exist. */
  | 'truncated'
  /** The last row is not the one that the head names. */
  | 'head_mismatch'
  /** The root, head, origin or signature of a checkpoint does not fit the rows. */
  | 'checkpoint_mismatch'

/** Why there is no verdict. */
export type CannotTellReason =
  | 'nothing_to_check'
  /** The input is not an audit log. */
  | 'not_a_log'
  /** A checkpoint or head that should be present is missing or cannot be read. */
  | 'missing_checkpoint'
  /** A checkpoint or anchor has no signature of a key that the caller knows. */
  | 'unknown_key'
  /** A checkpoint is about a part of the log that is not in the input. */
  | 'checkpoint_out_of_range'
  /** The event that explains an erasure may be after the end of the exported range. */
  | 'erasure_outside_range'
  /** There is neither head nor checkpoint: a truncated tail or a recomputed log would look the same. */
  | 'no_checkpoint'

/** The two values that do not fit together. */
export interface Evidence {
  /** What was compared, such as `root at size 1000`. */
  readonly what: string
  readonly expected: string | number | null
  readonly actual: string | number | null
}

export type CheckpointSource = 'given' | 'bundle' | 'proof'

export interface CheckpointReport {
  readonly source: CheckpointSource
  readonly origin: string | null
  readonly size: number | null
  /** True when a key that the caller knows signed it, and its root fits the rows. */
  readonly verified: boolean
  /** The keys of the caller that signed it: `name+id`. */
  readonly signedBy: readonly string[]
  /** The witnesses of the caller that cosigned it, with their times. */
  readonly witnesses: readonly { readonly name: string; readonly at: string }[]
}

export interface VerifyReport {
  readonly verdict: Verdict
  /** True unless the verdict is `invalid`. */
  readonly ok: boolean
  readonly cannotTell?: CannotTellReason
  readonly reason?: InvalidReason
  /** The sequence number of the first row that does not fit; null when only a root differs. */
  readonly brokenSeq?: number | null
  /** The id of that row; null when the row is missing. */
  readonly brokenAt?: string | null
  readonly evidence?: Evidence
  readonly chain: string | null
  /** The number of rows that were read, including the row that does not fit. */
  readonly count: number
  readonly firstSeq: number | null
  readonly lastSeq: number | null
  readonly firstCreatedAt: string | null
  readonly lastCreatedAt: string | null
  /** The number of rows with an erased half that an event of the chain explains. */
  readonly erased: number
  /** The number of rows whose identity this copy withholds, because the actor is foreign. */
  readonly withheld: number
  /** The last row that was read, in the form of a head. */
  readonly head: { readonly seq: number; readonly hash: string } | null
  readonly anchor: { readonly throughSeq: number; readonly hash: string; readonly signed: boolean } | null
  /** The newest checkpoint that was examined. */
  readonly checkpoint: { readonly size: number; readonly verified: boolean } | null
  readonly checkpoints: readonly CheckpointReport[]
  /**
   * The newest sequence number that a verified checkpoint covers; 0 without one. Later rows are only protected by the
   * chain.
   */
  readonly coveredThrough: number
  /** The exported part, when the input is a part of a log. */
  readonly range: { readonly from: number; readonly to: number } | null
  /** Rows after a witnessed checkpoint that claim to be older than the witness's time. */
  readonly backdated: { readonly count: number; readonly firstSeq: number } | null
  /** What could have been changed without this verification noticing. */
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
