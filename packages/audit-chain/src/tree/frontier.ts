/**
 * The frontier of a growing RFC 9162 tree: the roots of its largest complete subtrees. They suffice to append leaves
 * and to compute the root. A head row stores a frontier, and an anchor keeps the frontier of a pruned prefix.
 *
 * INVARIANT: `nodes` has one hash for each 1 in the binary form of `size`, the largest subtree first.
 */
import type { CryptoPort } from '../crypto/port.js'
import { isHash, toHex, writeHex } from '../encoding/hex.js'
import { EMPTY_ROOT, HASH_BYTES, writeLeafHash, writeNodeHash } from './node-hash.js'

/** A frontier as a value. */
export interface Frontier {
  /** The number of leaves in the tree. */
  readonly size: number
  readonly nodes: readonly string[]
}

export const EMPTY_FRONTIER: Frontier = { size: 0, nodes: [] }

/** Subtrees of 2^53 leaves and more cannot be counted in a number. */
const LEVELS = 53

export function isFrontier(frontier: Frontier): boolean {
  return (
    Number.isSafeInteger(frontier.size) &&
    frontier.size >= 0 &&
    frontier.nodes.length === onesOf(frontier.size) &&
    frontier.nodes.every(isHash)
  )
}

/** Appends leaves. It knows size, root and frontier at any time, and its memory does not grow. */
export class TreeBuilder {
  #size: number
  readonly #crypto: CryptoPort
  /**
   * The complete subtree of 2^level leaves is at offset level × 32. Only the levels of the 1 bits of `size` are in use.
   */
  readonly #levels = new Uint8Array(LEVELS * HASH_BYTES)
  readonly #carry = new Uint8Array(HASH_BYTES)

  constructor(crypto: CryptoPort, from: Frontier = EMPTY_FRONTIER) {
    if (!isFrontier(from)) throw new TypeError('a frontier must hold one hash for each binary one of its size')
    this.#crypto = crypto
    this.#size = from.size
    let next = from.nodes.length - 1
    for (const level of levelsOf(from.size)) writeHex(from.nodes[next--] ?? '', this.#levels, level * HASH_BYTES)
  }

  get size(): number {
    return this.#size
  }

  append(eventHash: string): void {
    const carry = this.#carry
    writeLeafHash(this.#crypto, eventHash, carry, 0)
    let offset = 0
    let rest = this.#size
    while (rest % 2 === 1) {
      writeNodeHash(this.#crypto, this.#levels, offset, carry, 0, carry, 0)
      rest = (rest - 1) / 2
      offset += HASH_BYTES
    }
    this.#levels.set(carry, offset)
    this.#size++
  }

  root(): string {
    const levels = levelsOf(this.#size)
    const smallest = levels[0]
    if (smallest === undefined) return EMPTY_ROOT
    const carry = this.#levels.slice(smallest * HASH_BYTES, (smallest + 1) * HASH_BYTES)
    for (const level of levels.slice(1)) {
      writeNodeHash(this.#crypto, this.#levels, level * HASH_BYTES, carry, 0, carry, 0)
    }
    return toHex(carry)
  }

  frontier(): Frontier {
    const nodes = levelsOf(this.#size).map((level) => toHex(this.#levels, level * HASH_BYTES, (level + 1) * HASH_BYTES))
    return { size: this.#size, nodes: nodes.reverse() }
  }
}

/** Returns the root of the tree that a frontier represents. */
export function frontierRoot(crypto: CryptoPort, frontier: Frontier): string {
  return new TreeBuilder(crypto, frontier).root()
}

/** Returns the levels of the 1 bits of a size, the smallest first. */
function levelsOf(size: number): number[] {
  const levels: number[] = []
  for (let level = 0, rest = size; rest > 0; level++) {
    if (rest % 2 === 1) levels.push(level)
    rest = Math.floor(rest / 2)
  }
  return levels
}

const onesOf = (size: number): number => levelsOf(size).length
