import { describe, expect, it } from 'vitest'
import { crypto, Random } from '../../test/support/fixture.js'
import { naiveConsistency, naivePath, naiveRoot } from '../../test/support/naive-tree.js'
import { EMPTY_FRONTIER, frontierRoot, isFrontier, TreeBuilder } from './frontier.js'
import { EMPTY_ROOT } from './node-hash.js'
import { consistencyRanges, inclusionRanges } from './ranges.js'
import { StoredTree } from './stored-tree.js'
import { StreamProver } from './stream-prover.js'
import { verifyConsistency, verifyInclusion } from './verify-proof.js'

const random = new Random(3)
const hashes = Array.from({ length: 70 }, () => random.hash())
const leaves = hashes.map((hash) => Buffer.from(hash, 'hex'))
const hex = (buffers: readonly Buffer[]) => buffers.map((buffer) => buffer.toString('hex'))

function stored(count: number): StoredTree {
  const tree = new StoredTree(crypto)
  for (const hash of hashes.slice(0, count)) tree.append(hash)
  return tree
}

describe('the tree', () => {
  it('agrees with the recursive definitions of RFC 9162 for every size, leaf and older size up to 70', () => {
    const builder = new TreeBuilder(crypto)
    expect(builder.root()).toBe(EMPTY_ROOT)
    const tree = new StoredTree(crypto)
    for (let size = 1; size <= 70; size++) {
      builder.append(hashes[size - 1] ?? '')
      tree.append(hashes[size - 1] ?? '')
      const some = leaves.slice(0, size)
      const root = naiveRoot(some).toString('hex')
      expect(builder.root()).toBe(root)
      expect(tree.root()).toBe(root)
      for (let index = 0; index < size; index += 3) {
        const proof = hex(naivePath(index, some))
        expect(tree.inclusionProof(index)).toEqual(proof)
        expect(verifyInclusion(crypto, { eventHash: hashes[index] ?? '', index, size, root, proof })).toBe(true)
      }
      for (let first = 0; first <= size; first += 3) {
        const proof = hex(naiveConsistency(first, some))
        expect(tree.consistencyProof(first)).toEqual(proof)
        const firstRoot = naiveRoot(leaves.slice(0, first)).toString('hex')
        expect(verifyConsistency(crypto, { first, firstRoot, second: size, secondRoot: root, proof })).toBe(true)
      }
    }
  })

  it('goes on from its frontier as if it had never stopped', () => {
    for (let size = 0; size < 70; size++) {
      const builder = new TreeBuilder(crypto)
      for (const hash of hashes.slice(0, size)) builder.append(hash)
      const frontier = builder.frontier()
      expect(isFrontier(frontier)).toBe(true)
      expect(frontierRoot(crypto, frontier)).toBe(naiveRoot(leaves.slice(0, size)).toString('hex'))
      const resumed = new TreeBuilder(crypto, frontier)
      for (const hash of hashes.slice(size)) resumed.append(hash)
      expect(resumed.root()).toBe(naiveRoot(leaves).toString('hex'))
    }
  })

  it('proves every surviving leaf and size after pruning at any point, and nothing that is pruned', () => {
    const whole = stored(70)
    for (let pruned = 0; pruned <= 70; pruned++) {
      const builder = new TreeBuilder(crypto)
      for (const hash of hashes.slice(0, pruned)) builder.append(hash)
      const tree = new StoredTree(crypto, builder.frontier())
      for (const hash of hashes.slice(pruned)) tree.append(hash)
      expect(tree.root()).toBe(whole.root())
      for (let index = 0; index < 70; index++) {
        expect(tree.inclusionProof(index)).toEqual(index < pruned ? null : whole.inclusionProof(index))
      }
      for (let first = Math.max(1, pruned); first <= 70; first++) {
        expect(tree.consistencyProof(first)).toEqual(whole.consistencyProof(first))
      }
    }
  })

  it('makes the same proofs from one pass over the leaves', () => {
    const tree = stored(70)
    const pass = (ranges: ReturnType<typeof inclusionRanges>, pruned: number) => {
      const builder = new TreeBuilder(crypto)
      for (const hash of hashes.slice(0, pruned)) builder.append(hash)
      const prover = new StreamProver(crypto, ranges, pruned === 0 ? EMPTY_FRONTIER : builder.frontier())
      for (const hash of hashes.slice(pruned)) prover.push(hash)
      return prover.proof()
    }
    for (let index = 0; index < 70; index++) {
      expect(pass(inclusionRanges(index, 70), 0)).toEqual(tree.inclusionProof(index))
      if (index > 0) expect(pass(consistencyRanges(index, 70), 0)).toEqual(tree.consistencyProof(index))
      if (index >= 37) expect(pass(inclusionRanges(index, 70), 37)).toEqual(tree.inclusionProof(index))
      if (index >= 37) expect(pass(consistencyRanges(index, 70), 37)).toEqual(tree.consistencyProof(index))
    }
    expect(pass(inclusionRanges(5, 70), 37)).toBeNull()
    expect(pass(inclusionRanges(5, 80), 0)).toBeNull()
  })
})

describe('checking a proof', () => {
  const tree = stored(70)
  const claim = {
    eventHash: hashes[20] ?? '',
    index: 20,
    size: 70,
    root: tree.root(),
    proof: tree.inclusionProof(20) ?? [],
  }

  it('refuses what is out of bounds or malformed without throwing', () => {
    expect(verifyInclusion(crypto, claim)).toBe(true)
    for (const bad of [
      { index: 70 },
      { index: -1 },
      { index: 1.5 },
      { size: Number.NaN },
      { size: 2 ** 53 },
      { root: 'x' },
      { eventHash: '' },
      { proof: [...claim.proof, claim.root] },
      { proof: claim.proof.slice(1) },
      { proof: claim.proof.map((hash) => hash.toUpperCase()) },
    ]) {
      expect(verifyInclusion(crypto, { ...claim, ...bad })).toBe(false)
    }
  })

  it('refuses a larger old tree, an empty one with a root, and proofs where none belongs', () => {
    const root = tree.root()
    const old = tree.root(40)
    const proof = tree.consistencyProof(40) ?? []
    const base = { first: 40, firstRoot: old, second: 70, secondRoot: root, proof }
    expect(verifyConsistency(crypto, base)).toBe(true)
    expect(verifyConsistency(crypto, { ...base, first: 70, firstRoot: root, second: 40, secondRoot: old })).toBe(false)
    expect(verifyConsistency(crypto, { ...base, first: 0 })).toBe(false)
    expect(verifyConsistency(crypto, { ...base, first: 0, firstRoot: old, proof: [] })).toBe(false)
    expect(verifyConsistency(crypto, { ...base, first: 0, firstRoot: EMPTY_ROOT, proof: [] })).toBe(true)
    expect(verifyConsistency(crypto, { ...base, first: 70, firstRoot: root, proof: [] })).toBe(true)
    expect(verifyConsistency(crypto, { ...base, first: 70, firstRoot: old, proof: [] })).toBe(false)
    expect(verifyConsistency(crypto, { ...base, proof: [] })).toBe(false)
  })
})
