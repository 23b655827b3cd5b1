/**
 * Verifies proofs as RFC 9162 says (sections 2.1.3.2 and 2.1.4.2).
 *
 * INVARIANT: it never throws. A value that is not a proof (wrong sizes, malformed hashes, a hash too many) is refused.
 */
import type { CryptoPort } from '../crypto/port.js'
import { isHash } from '../encoding/hex.js'
import { EMPTY_ROOT, leafHash, nodeHash } from './node-hash.js'

export interface InclusionClaim {
  /** The hash of the event, which the leaf contains. */
  readonly eventHash: string
  /** Zero-based: the sequence number minus one. */
  readonly index: number
  readonly size: number
  readonly root: string
  readonly proof: readonly string[]
}

export interface ConsistencyClaim {
  readonly first: number
  readonly firstRoot: string
  readonly second: number
  readonly secondRoot: string
  readonly proof: readonly string[]
}

/** Verifies an inclusion proof. `size` and `root` must come from one checkpoint whose signature was checked. */
export function verifyInclusion(crypto: CryptoPort, claim: InclusionClaim): boolean {
  const { eventHash, index, size, root, proof } = claim
  if (!isSize(index) || !isSize(size) || index >= size) return false
  if (!isHash(eventHash) || !isHash(root) || !proof.every(isHash)) return false
  const walk = new PathWalk(index, size - 1)
  let hash = leafHash(crypto, eventHash)
  for (const sibling of proof) {
    if (walk.atTop) return false
    hash = walk.siblingIsLeft() ? nodeHash(crypto, sibling, hash) : nodeHash(crypto, hash, sibling)
    walk.up()
  }
  return walk.atTop && hash === root
}

/** Verifies a consistency proof. An empty old tree is a prefix of every tree, and its proof is empty. */
export function verifyConsistency(crypto: CryptoPort, claim: ConsistencyClaim): boolean {
  const { first, firstRoot, second, secondRoot, proof } = claim
  if (!isSize(first) || !isSize(second) || first > second) return false
  if (!isHash(firstRoot) || !isHash(secondRoot) || !proof.every(isHash)) return false
  if (first === second) return proof.length === 0 && firstRoot === secondRoot
  if (first === 0) return proof.length === 0 && firstRoot === EMPTY_ROOT
  // When the old tree is one complete subtree of the new tree, its root would be the first hash of the proof and is
  // left out of it.
  const hashes = isPowerOfTwo(first) ? [firstRoot, ...proof] : proof
  const start = hashes[0]
  if (start === undefined || proof.length === 0) return false
  const walk = new PathWalk(first - 1, second - 1)
  walk.skipRightEdges()
  let oldHash = start
  let newHash = start
  for (const sibling of hashes.slice(1)) {
    if (walk.atTop) return false
    if (walk.siblingIsLeft()) {
      oldHash = nodeHash(crypto, sibling, oldHash)
      newHash = nodeHash(crypto, sibling, newHash)
    } else {
      newHash = nodeHash(crypto, newHash, sibling)
    }
    walk.up()
  }
  return walk.atTop && oldHash === firstRoot && newHash === secondRoot
}

/**
 * The path from a node upwards. `last` is the number of the rightmost node of the same level. Numbers may exceed 2^32.
 */
class PathWalk {
  constructor(
    private node: number,
    private last: number,
  ) {}

  get atTop(): boolean {
    return this.last === 0
  }

  siblingIsLeft(): boolean {
    return this.node % 2 === 1 || this.node === this.last
  }

  /** After a left sibling of a node at the right edge, levels without a sibling are skipped. */
  up(): void {
    if (this.node % 2 === 0 && this.node === this.last) {
      while (this.node % 2 === 0 && this.node !== 0) this.half()
    }
    this.half()
  }

  skipRightEdges(): void {
    while (this.node % 2 === 1) this.half()
  }

  private half(): void {
    this.node = Math.floor(this.node / 2)
    this.last = Math.floor(this.last / 2)
  }
}

const isSize = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

function isPowerOfTwo(value: number): boolean {
  let rest = value
  while (rest % 2 === 0) rest /= 2
  return rest === 1
}
