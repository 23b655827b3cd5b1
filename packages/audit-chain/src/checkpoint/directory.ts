/**
 * The directory checkpoint `<origin>/chains`: a tree over the heads of all chains, so that a chain that vanishes as a
 * whole is missed (spec billing-audit 21). Its leaves are hashes of chain heads, sorted by chain.
 */
import { canonicalText } from '../canonical/jcs.js'
import type { CryptoPort } from '../crypto/port.js'
import { toUtf8 } from '../encoding/utf8.js'
import { TreeBuilder } from '../tree/frontier.js'
import type { Checkpoint } from './checkpoint.js'

export interface ChainHead {
  readonly chain: string
  readonly seq: number
  readonly hash: string
}

const PREFIX = toUtf8('plumbline-audit-chain-head-v1\n')

/** Hash that stands for a chain's head in the directory tree. */
export function chainHeadHash(crypto: CryptoPort, { chain, seq, hash }: ChainHead): string {
  return crypto.sha256Text(PREFIX, canonicalText({ chain, hash, seq }))
}

/** Hashes of the heads in the order of their chains' names (UTF-16 units), the leaves of the directory tree. */
export function directoryLeaves(crypto: CryptoPort, heads: Iterable<ChainHead>): string[] {
  const sorted = [...heads].sort((a, b) => (a.chain < b.chain ? -1 : a.chain > b.chain ? 1 : 0))
  const repeated = sorted.find((head, index) => head.chain === sorted[index + 1]?.chain)
  if (repeated !== undefined) throw new RangeError(`chain \`${repeated.chain}\` is listed twice`)
  return sorted.map((head) => chainHeadHash(crypto, head))
}

/** The unsigned checkpoint over all heads, in any order. `size` counts chains, not events. */
export function directoryCheckpoint(crypto: CryptoPort, origin: string, heads: Iterable<ChainHead>): Checkpoint {
  const tree = new TreeBuilder(crypto)
  for (const leaf of directoryLeaves(crypto, heads)) tree.append(leaf)
  return { origin: `${origin}/chains`, size: tree.size, root: tree.root(), head: null }
}
