/**
 * The first line of a bundle: what the file holds, and everything but the rows that verification needs. The format is
 * documented in docs/reference/audit-bundle.md, from which a second verifier is written.
 * INVARIANT: nothing in a manifest is evidence by itself; it says what to check, and its keys are offered, not trusted.
 */
import { canonicalise } from '../canonical/jcs.js'
import { isWellFormed } from '../canonical/well-formed.js'
import { isHash } from '../encoding/hex.js'
import { FOREIGN_IDENTITIES } from '../event/foreign.js'
import type { SignedAnchor } from '../prune/anchor.js'

export const BUNDLE_VERSION = 1

export interface BundleManifest {
  readonly plumblineAuditBundle: typeof BUNDLE_VERSION
  /** Deployment part of the checkpoints' origin. */
  readonly origin: string
  readonly chain: string
  /** Sequence numbers of the first and the last row. */
  readonly from: number
  readonly to: number
  /** Every event of the chain that was not pruned is here; else the rows are a part of it. */
  readonly complete: boolean
  /** The newest event of the chain; null when the rows are a part of it. */
  readonly head: { readonly seq: number; readonly hash: string } | null
  readonly anchor: SignedAnchor | null
  /** Signed notes, byte for byte. */
  readonly checkpoints: readonly string[]
  /** Inclusion proofs (C2SP tlog-proof), byte for byte. */
  readonly proofs: readonly string[]
  /** Verifier keys of the log and its witnesses. */
  readonly keys: readonly string[]
  readonly createdAt: string
  /** What the copy leaves out, in the records that `isForeign` names; without the field it leaves out nothing. */
  readonly withheld?: typeof FOREIGN_IDENTITIES
}

/** The manifest as one line without its line feed: JSON in canonical form (RFC 8785). */
export function formatManifest(manifest: BundleManifest): string {
  return canonicalise(manifest)
}

/** True for what claims to be a manifest, of whatever version. */
export function looksLikeManifest(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'plumblineAuditBundle')
}

/**
 * The manifest, or null when a field is missing or of a wrong type, when a text holds a lone surrogate (it has no UTF-8
 * form, so no two programs need hash it alike), or when the version is not known. Further members are ignored.
 */
export function readManifest(value: unknown): BundleManifest | null {
  if (typeof value !== 'object' || value === null) return null
  const manifest = value as Partial<Record<keyof BundleManifest, unknown>>
  const fits =
    manifest.plumblineAuditBundle === BUNDLE_VERSION &&
    isText(manifest.origin) &&
    isText(manifest.chain) &&
    isCount(manifest.from) &&
    isCount(manifest.to) &&
    typeof manifest.complete === 'boolean' &&
    isHead(manifest.head) &&
    isAnchor(manifest.anchor) &&
    isTexts(manifest.checkpoints) &&
    isTexts(manifest.proofs) &&
    isTexts(manifest.keys) &&
    isText(manifest.createdAt) &&
    (manifest.withheld === undefined || manifest.withheld === FOREIGN_IDENTITIES)
  return fits ? (manifest as BundleManifest) : null
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

const isText = (value: unknown): boolean => typeof value === 'string' && isWellFormed(value)

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

function isHead(value: unknown): boolean {
  if (value === null) return true
  if (typeof value !== 'object') return false
  const { seq, hash } = value as { seq?: unknown; hash?: unknown }
  return isCount(seq) && isHash(hash)
}

function isAnchor(value: unknown): boolean {
  if (value === null) return true
  if (typeof value !== 'object') return false
  const anchor = value as Partial<Record<keyof SignedAnchor, unknown>>
  const frontier = anchor.frontier as { size?: unknown; nodes?: unknown } | null | undefined
  return (
    isText(anchor.origin) &&
    isText(anchor.chain) &&
    isCount(anchor.throughSeq) &&
    isHash(anchor.hash) &&
    isCount(anchor.prunedCount) &&
    isText(anchor.prunedAt) &&
    isText(anchor.signature) &&
    typeof frontier === 'object' &&
    frontier !== null &&
    isCount(frontier.size) &&
    isTexts(frontier.nodes)
  )
}
