/**
 * Makes proofs in one pass over the leaves, in memory that does not grow with the log. The ranges of a proof are
 * disjoint, so at most one of them is open at a time.
 */
import type { CryptoPort } from '../crypto/port.js'
import { EMPTY_FRONTIER, type Frontier, isFrontier, TreeBuilder } from './frontier.js'
import { type LeafRange, topLevel } from './ranges.js'

export class StreamProver {
  readonly #crypto: CryptoPort
  readonly #ranges: readonly (LeafRange & { readonly place: number })[]
  readonly #hashes: string[] = []
  #next = 0
  #position: number
  #builder: TreeBuilder | null = null
  #pruned: Frontier

  /**
   * `pruned` is the frontier of the leaves that were pruned: the first leaf that is pushed has the index `pruned.size`.
   */
  constructor(crypto: CryptoPort, ranges: readonly LeafRange[], pruned: Frontier = EMPTY_FRONTIER) {
    if (!isFrontier(pruned)) throw new TypeError('a frontier must hold one hash for each binary one of its size')
    this.#crypto = crypto
    this.#ranges = ranges.map((range, place) => ({ ...range, place })).sort((a, b) => a.start - b.start)
    this.#pruned = pruned
    this.#position = pruned.size
    this.#openPruned()
  }

  push(eventHash: string): void {
    const range = this.#ranges[this.#next]
    if (range !== undefined && this.#position >= range.start) {
      this.#builder ??= new TreeBuilder(this.#crypto)
      this.#builder.append(eventHash)
    }
    this.#position++
    this.#close()
  }

  /** Returns the hashes in the order of the proof; null while leaves are missing, or when a range needs pruned leaves. */
  proof(): string[] | null {
    return this.#next === this.#ranges.length && this.#hashes.every((hash) => hash !== '') ? [...this.#hashes] : null
  }

  /** A range that begins in the pruned prefix consists of subtrees of its frontier and of leaves to come. */
  #openPruned(): void {
    for (let range = this.#ranges[this.#next]; range !== undefined; range = this.#ranges[this.#next]) {
      if (range.start >= this.#pruned.size) return
      const inside = frontierWithin(this.#pruned, range)
      if (inside === null) {
        this.#hashes[range.place] = ''
        this.#next++
        continue
      }
      this.#builder = new TreeBuilder(this.#crypto, inside)
      this.#close()
      if (this.#builder !== null) return
    }
  }

  #close(): void {
    const range = this.#ranges[this.#next]
    if (range === undefined || this.#builder === null || this.#builder.size !== range.end - range.start) return
    this.#hashes[range.place] = this.#builder.root()
    this.#builder = null
    this.#next++
  }
}

/**
 * Returns the part of a frontier that covers [range.start, min(range.end, frontier.size)), or null when that would cut
 * a subtree.
 */
function frontierWithin(frontier: Frontier, range: LeafRange): Frontier | null {
  const nodes: string[] = []
  let start = 0
  let rest = frontier.size
  let covered = range.start
  for (const node of frontier.nodes) {
    const count = 2 ** topLevel(rest)
    if (start === covered && start + count <= range.end) {
      nodes.push(node)
      covered += count
    }
    start += count
    rest -= count
  }
  return covered === Math.min(range.end, frontier.size) ? { size: covered - range.start, nodes } : null
}
