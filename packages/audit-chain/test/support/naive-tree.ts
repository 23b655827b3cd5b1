/**
 * RFC 9162, section 2.1, written down a second time as its recursive definitions read. Shares nothing with the package:
 * the proofs and the tests hold the two against each other.
 */
import { createHash } from 'node:crypto'

const sha256 = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])

/** Largest power of two smaller than n. */
const split = (n: number): number => (n <= 2 ? 1 : 2 * split(Math.ceil(n / 2)))

/** MTH(D[n]) */
export function naiveRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return sha256(LEAF, leaves[0] as Buffer)
  const k = split(leaves.length)
  return sha256(NODE, naiveRoot(leaves.slice(0, k)), naiveRoot(leaves.slice(k)))
}

/** PATH(m, D[n]) */
export function naivePath(m: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length <= 1) return []
  const k = split(leaves.length)
  return m < k
    ? [...naivePath(m, leaves.slice(0, k)), naiveRoot(leaves.slice(k))]
    : [...naivePath(m - k, leaves.slice(k)), naiveRoot(leaves.slice(0, k))]
}

/** PROOF(m, D[n]) */
export function naiveConsistency(m: number, leaves: readonly Buffer[]): Buffer[] {
  return m === 0 ? [] : subproof(m, leaves, true)
}

/** SUBPROOF(m, D[n], b) */
function subproof(m: number, leaves: readonly Buffer[], b: boolean): Buffer[] {
  if (m === leaves.length) return b ? [] : [naiveRoot(leaves)]
  const k = split(leaves.length)
  return m <= k
    ? [...subproof(m, leaves.slice(0, k), b), naiveRoot(leaves.slice(k))]
    : [...subproof(m - k, leaves.slice(k), false), naiveRoot(leaves.slice(0, k))]
}
