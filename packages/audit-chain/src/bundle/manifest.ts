/**
 * The manifest, the first line of a bundle: what the file contains, and everything except the rows that verification
 * needs.
 *
 * docs/reference/audit-bundle.md documents the format, so that others can write a verifier. INVARIANT: nothing in a
 * manifest is evidence by itself. It says what to check, and its keys are offered, not trusted.
 */
import { canonicalise } from '../canonical/jcs.js'
import { isWellFormed } from '../canonical/well-formed.js'
import { isHash } from '../encoding/hex.js'
import { FOREIGN_IDENTITIES } from '../event/foreign.js'
import type { SignedAnchor } from '../prune/anchor.js'

export const BUNDLE_VERSION = 1

export interface BundleManifest {
  readonly plumblineAuditBundle: typeof BUNDLE_VERSION
  /** The deployment part of the checkpoints' origin. */
  readonly origin: string
  readonly chain: string
  /** Sequence numbers of the first and the last row. */
  readonly from: number
  readonly to: number
  /** True when the file has every event of the chain that was not pruned. False when the rows are a part of the chain. */
  readonly complete: boolean
  /** The newest event of the chain; null when the rows are a part of the chain. */
  readonly head: { readonly seq: number; readonly hash: string } | null
  readonly anchor: SignedAnchor | null
  /** Signed notes, byte for byte as they were signed. */
  readonly checkpoints: readonly string[]
  /** Inclusion proofs (C2SP tlog-proof), byte for byte. */
  readonly proofs: readonly string[]
  /** Verifier keys of the log and its witnesses. */
  readonly keys: readonly string[]
  readonly createdAt: string
  /** What this copy withholds from the records that `isForeign` selects. When absent, nothing is withheld. */
  readonly withheld?: typeof FOREIGN_IDENTITIES
}

/** Returns the manifest as one line without its line feed: JSON in canonical form (RFC 8785). */
export function formatManifest(manifest: BundleManifest): string {
  return canonicalise(manifest)
}

/** True for a value that claims to be a manifest, of any version. */
export function looksLikeManifest(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'plumblineAuditBundle')
}

/**
 * Returns the manifest, or null. Null when a field is missing or has a wrong type, when the version is not known, or
 * when a text contains a lone surrogate: it has no UTF-8 form, so two programs might hash it differently. Unknown
 * members are ignored.
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
