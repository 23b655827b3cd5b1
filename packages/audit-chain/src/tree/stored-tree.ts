/**
 * A tree that keeps the hash of every complete subtree, so that any proof takes O(log n). It uses 64 bytes for each
 * leaf. It can start after a pruned prefix, of which it then knows only the frontier.
 */
import type { CryptoPort } from '../crypto/port.js'
import { toHex } from '../encoding/hex.js'
import { EMPTY_FRONTIER, type Frontier, TreeBuilder } from './frontier.js'
import { HASH_BYTES, nodeHash, writeLeafHash, writeNodeHash } from './node-hash.js'
import { consistencyRanges, inclusionRanges, type LeafRange, topLevel } from './ranges.js'

/** The complete subtrees of one level, from the first one that does not overlap the pruned prefix. */
interface Level {
  bytes: Uint8Array
  /** The number of the first subtree that is kept. */
  readonly first: number
  count: number
}

export class StoredTree {
  readonly #crypto: CryptoPort
  readonly #levels: Level[] = []
  /** Complete subtrees of the pruned prefix by level and number. */
  readonly #pruned = new Map<string, string>()
  readonly #prunedSize: number
  #size: number

  constructor(crypto: CryptoPort, pruned: Frontier = EMPTY_FRONTIER) {
    this.#crypto = crypto
    this.#prunedSize = pruned.size
    this.#size = pruned.size
    // Validates the frontier.
    new TreeBuilder(crypto, pruned)
    let start = 0
    for (const node of pruned.nodes) {
      const level = topLevel(pruned.size - start)
      this.#pruned.set(placeOf(level, start / 2 ** level), node)
      start += 2 ** level
    }
  }

  get size(): number {
    return this.#size
  }

  append(eventHash: string): void {
    const leaves = this.#level(0)
    writeLeafHash(this.#crypto, eventHash, leaves.bytes, leaves.count * HASH_BYTES)
    leaves.count++
    this.#size++
    for (let level = 0, number = this.#size - 1; number % 2 === 1; level++, number = (number - 1) / 2) {
      this.#join(level, number)
    }
  }

  /** Returns the root of the first `size` leaves. `size` must not be inside the pruned prefix. */
  root(size = this.#size): string {
    if (size === 0) return new TreeBuilder(this.#crypto).root()
    return this.#hash({ start: 0, end: size }) ?? fail(size)
  }

  /** Returns the audit path of a leaf, or null when the leaf is pruned. */
  inclusionProof(index: number, size = this.#size): string[] | null {
    if (size > this.#size) throw new RangeError('a proof cannot be made for leaves that are not there')
    const ranges = inclusionRanges(index, size)
    return index < this.#prunedSize ? null : this.#hashes(ranges)
  }

  /**
   * Returns the proof that the first `first` leaves are a prefix of the first `second` leaves; null when it needs
   * pruned leaves.
   */
  consistencyProof(first: number, second = this.#size): string[] | null {
    if (second > this.#size) throw new RangeError('a proof cannot be made for leaves that are not there')
    return this.#hashes(consistencyRanges(first, second))
  }

  #hashes(ranges: readonly LeafRange[]): string[] | null {
    const hashes: string[] = []
    for (const range of ranges) {
      const hash = this.#hash(range)
      if (hash === null) return null
      hashes.push(hash)
    }
    return hashes
  }

  /** Returns the root of a range of a proof, which starts at a multiple of the next power of two. */
  #hash({ start, end }: LeafRange): string | null {
    const count = end - start
    const level = topLevel(count)
    const head = 2 ** level
    const left = this.#stored(level, start / head)
    if (left !== null && head === count) return left
    // A range inside the pruned prefix is known only when it is a whole subtree of the frontier.
    if (left === null && (count === 1 || start + head <= this.#prunedSize)) return null
    const middle = head === count ? start + head / 2 : start + head
    const first = left ?? this.#hash({ start, end: middle })
    const second = first === null ? null : this.#hash({ start: middle, end })
    return first === null || second === null ? null : nodeHash(this.#crypto, first, second)
  }

  #stored(level: number, number: number): string | null {
    const kept = this.#levels[level]
    if (kept !== undefined && number >= kept.first && number < kept.first + kept.count) {
      const at = (number - kept.first) * HASH_BYTES
      return toHex(kept.bytes, at, at + HASH_BYTES)
    }
    return this.#pruned.get(placeOf(level, number)) ?? null
  }

  /** Adds the parent of subtree `number` and its left neighbour. Only the frontier may know the neighbour. */
  #join(level: number, number: number): void {
    const children = this.#level(level)
    const parents = this.#level(level + 1)
    const parent = (number - 1) / 2
    // A parent that overlaps the pruned prefix is computed on demand from the frontier.
    if (number - 1 < children.first || parent < parents.first) return
    const at = (number - children.first) * HASH_BYTES
    writeNodeHash(
      this.#crypto,
      children.bytes,
      at - HASH_BYTES,
      children.bytes,
      at,
      parents.bytes,
      parents.count * HASH_BYTES,
    )
    parents.count++
  }

  /** Returns the level, with room for one more subtree. */
  #level(level: number): Level {
    let kept = this.#levels[level]
    if (kept === undefined) {
      kept = { bytes: new Uint8Array(64 * HASH_BYTES), first: Math.ceil(this.#prunedSize / 2 ** level), count: 0 }
      this.#levels[level] = kept
    }
    if ((kept.count + 1) * HASH_BYTES > kept.bytes.length) {
      const larger = new Uint8Array(kept.bytes.length * 2)
      larger.set(kept.bytes)
      kept.bytes = larger
    }
    return kept
  }
}

const placeOf = (level: number, number: number): string => `${level}:${number}`

function fail(size: number): never {
  throw new RangeError(`the tree of ${size} leaves ends inside the pruned prefix`)
}
