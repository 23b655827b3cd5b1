/**
 * Anchors: what remains of a pruned prefix, so that the log stays provable after retention deleted rows (spec
 * billing-audit 21).
 *
 * From the frontier, roots and proofs of the remaining events can still be computed. The signature shows that the log
 * itself pruned. INVARIANT: only a contiguous prefix is pruned, and never past a signed checkpoint.
 */

import { chainOrigin } from '../checkpoint/checkpoint.js'
import type { SigningKey, VerifierKey } from '../checkpoint/key.js'
import { checkNote, type NoteCheck, parseNote, signNote } from '../checkpoint/note.js'
import type { CryptoPort } from '../crypto/port.js'
import { toBase64 } from '../encoding/base64.js'
import { fromHex, isHash } from '../encoding/hex.js'
import { isInstant } from '../event/seal.js'
import { EMPTY_FRONTIER, type Frontier, isFrontier, TreeBuilder } from '../tree/frontier.js'

export interface Anchor {
  readonly origin: string
  readonly chain: string
  /** The sequence number of the newest pruned event. */
  readonly throughSeq: number
  /** The hash of that event. The first remaining event links to it. */
  readonly hash: string
  /** The number of events that were pruned since the chain began. */
  readonly prunedCount: number
  readonly prunedAt: string
  readonly frontier: Frontier
}

export interface SignedAnchor extends Anchor {
  /** Signature lines over `anchorText`, as in a signed note. */
  readonly signature: string
}

export interface PruneInput {
  /** The deployment: the part of the origin before the chain. */
  readonly origin: string
  readonly chain: string
  /** The anchor of the last pruning; null when nothing was pruned yet. */
  readonly previous: Anchor | null
  /** The oldest records of the chain, in order. Reading stops at the first record that stays. */
  readonly rows: Iterable<{ readonly seq: number; readonly hash: string; readonly createdAt: string }>
  /** Only events that were created before this instant may be pruned. */
  readonly before: string
  /** The size of the newest signed checkpoint. Events beyond it may not be pruned. */
  readonly checkpointSize: number
  readonly prunedAt: string
}

const HEADER = 'plumbline-audit-anchor-v1'

/**
 * Returns the anchor after pruning, or null when nothing may be pruned. The caller deletes events up to `throughSeq`
 * and stores the anchor.
 */
export function planPrune(crypto: CryptoPort, input: PruneInput): Anchor | null {
  const tree = new TreeBuilder(crypto, input.previous?.frontier ?? EMPTY_FRONTIER)
  const first = tree.size + 1
  let hash = ''
  for (const row of input.rows) {
    if (row.seq !== tree.size + 1)
      throw new RangeError(`the row after event ${tree.size} must be ${tree.size + 1}, not ${row.seq}`)
    if (row.createdAt >= input.before || row.seq > input.checkpointSize) break
    tree.append(row.hash)
    hash = row.hash
  }
  if (tree.size < first) return null
  return {
    origin: input.origin,
    chain: input.chain,
    throughSeq: tree.size,
    hash,
    prunedCount: tree.size,
    prunedAt: input.prunedAt,
    frontier: tree.frontier(),
  }
}

/** Returns the text to sign. Its second line is not a number, so it cannot be mistaken for a checkpoint. */
export function anchorText(anchor: Anchor): string {
  const nodes = anchor.frontier.nodes.map((node) => `${toBase64(fromHex(node) ?? new Uint8Array(0))}\n`)
  return (
    `${HEADER}\n${chainOrigin(anchor.origin, anchor.chain)}\n${anchor.throughSeq}\n${anchor.hash}\n` +
    `${anchor.prunedCount}\n${anchor.prunedAt}\n${nodes.join('')}`
  )
}

/**
 * Returns the anchor with its signature lines, one for each key. A check builds the signed text again from the fields.
 */
export function signAnchor(crypto: CryptoPort, anchor: Anchor, keys: readonly SigningKey[]): SignedAnchor {
  const text = anchorText(anchor)
  return { ...anchor, signature: signNote(crypto, text, keys).slice(text.length + 1) }
}

/**
 * Verifies the signatures of an anchor. Returns null when the anchor is malformed or its fields contradict each other.
 */
export function checkAnchor(crypto: CryptoPort, anchor: SignedAnchor, keys: readonly VerifierKey[]): NoteCheck | null {
  const fits =
    anchor.throughSeq >= 1 && anchor.frontier.size === anchor.throughSeq && anchor.prunedCount === anchor.throughSeq
  if (!fits || !isFrontier(anchor.frontier) || !isHash(anchor.hash) || !isInstant(anchor.prunedAt)) return null
  const text = anchorText(anchor)
  const note = parseNote(`${text}\n${anchor.signature}`)
  return note === null || note.text !== text ? null : checkNote(crypto, note, keys)
}
