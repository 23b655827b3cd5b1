/**
 * The directory checkpoint `<origin>/chains`: a tree over the heads of all chains. It makes visible that a whole chain
 * was removed (spec billing-audit 21). Its leaves are hashes of chain heads, sorted by chain.
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

/** Returns the hash of a chain's head, which is its leaf in the directory tree. */
export function chainHeadHash(crypto: CryptoPort, { chain, seq, hash }: ChainHead): string {
  return crypto.sha256Text(PREFIX, canonicalText({ chain, hash, seq }))
}

/** Returns the leaves of the directory tree: the hashes of the heads, sorted by the name of the chain (UTF-16 units). */
export function directoryLeaves(crypto: CryptoPort, heads: Iterable<ChainHead>): string[] {
  const sorted = [...heads].sort((a, b) => (a.chain < b.chain ? -1 : a.chain > b.chain ? 1 : 0))
  const repeated = sorted.find((head, index) => head.chain === sorted[index + 1]?.chain)
  if (repeated !== undefined) throw new RangeError(`chain \`${repeated.chain}\` is listed twice`)
  return sorted.map((head) => chainHeadHash(crypto, head))
}

/**
 * Returns the unsigned checkpoint over all heads, which may be in any order. `size` is the number of chains, not of
 * events.
 */
export function directoryCheckpoint(crypto: CryptoPort, origin: string, heads: Iterable<ChainHead>): Checkpoint {
  const tree = new TreeBuilder(crypto)
  for (const leaf of directoryLeaves(crypto, heads)) tree.append(leaf)
  return { origin: `${origin}/chains`, size: tree.size, root: tree.root(), head: null }
}
