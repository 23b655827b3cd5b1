/** Trees and proofs against the recursive definitions, every pair of sizes, and mutated proofs that must be refused. */
import {
  consistencyRanges,
  EMPTY_ROOT,
  inclusionRanges,
  StoredTree,
  StreamProver,
  TreeBuilder,
  verifyConsistency,
  verifyInclusion,
} from '../src/index.js'
import { crypto, Random } from '../test/support/fixture.js'
import { naiveConsistency, naivePath, naiveRoot } from '../test/support/naive-tree.js'

const hex = (buffers: readonly Buffer[]) => buffers.map((buffer) => buffer.toString('hex'))

/** One random tree: root, a path and a consistency proof in three makings, all equal and all accepted. */
export function judgeTree(seed: number): string | null {
  const random = new Random(seed)
  const size = 1 + random.int(random.int(20) === 0 ? 400 : 48)
  const hashes = Array.from({ length: size }, () => random.hash())
  const leaves = hashes.map((hash) => Buffer.from(hash, 'hex'))
  const index = random.int(size)
  const first = 1 + random.int(size)
  const stored = new StoredTree(crypto)
  const builder = new TreeBuilder(crypto)
  const path = new StreamProver(crypto, inclusionRanges(index, size))
  const consistency = new StreamProver(crypto, consistencyRanges(first, size))
  for (const hash of hashes) {
    for (const tree of [stored, builder]) tree.append(hash)
    for (const prover of [path, consistency]) prover.push(hash)
  }
  const root = naiveRoot(leaves).toString('hex')
  const proof = hex(naivePath(index, leaves))
  const older = hex(naiveConsistency(first, leaves))
  const firstRoot = naiveRoot(leaves.slice(0, first)).toString('hex')
  const same = (a: readonly string[] | null, b: readonly string[]) => a !== null && a.join() === b.join()
  const holds =
    builder.root() === root &&
    stored.root() === root &&
    stored.root(first) === firstRoot &&
    same(stored.inclusionProof(index), proof) &&
    same(path.proof(), proof) &&
    same(stored.consistencyProof(first), older) &&
    same(consistency.proof(), older) &&
    verifyInclusion(crypto, { eventHash: hashes[index] ?? '', index, size, root, proof }) &&
    verifyConsistency(crypto, { first, firstRoot, second: size, secondRoot: root, proof: older })
  return holds ? null : `tree ${seed}: size ${size}, index ${index}, first ${first} differs from RFC 9162`
}

export interface PairResult {
  readonly inclusion: number
  readonly consistency: number
  readonly failures: readonly string[]
}

/** Every (index, size) and every (first, second) up to `limit`. */
export function verifyAllPairs(limit: number): PairResult {
  const { hashes, tree, roots } = grow(limit)
  const failures: string[] = []
  let inclusion = 0
  let consistency = 0
  for (let size = 1; size <= limit; size++) {
    const root = roots[size] ?? ''
    for (let index = 0; index < size; index++) {
      inclusion++
      const proof = tree.inclusionProof(index, size) ?? ['missing']
      const eventHash = hashes[index] ?? ''
      if (!verifyInclusion(crypto, { eventHash, index, size, root, proof })) failures.push(`index ${index} of ${size}`)
    }
    for (let first = 0; first <= size; first++) {
      consistency++
      const proof = tree.consistencyProof(first, size) ?? ['missing']
      const claim = { first, firstRoot: roots[first] ?? '', second: size, secondRoot: root, proof }
      if (!verifyConsistency(crypto, claim)) failures.push(`sizes ${first} and ${size}`)
    }
  }
  return { inclusion, consistency, failures }
}

export interface MutationResult {
  readonly mutated: number
  readonly accepted: readonly string[]
  readonly kinds: Readonly<Record<string, number>>
}

/** Sizes and roots change together, as one checkpoint states them; everything else changes alone. */
export function refuseMutations(count: number, seed: number): MutationResult {
  const grown = grow(GROWN_MAX)
  const random = new Random(seed)
  const accepted: string[] = []
  const kinds: Record<string, number> = {}
  let mutated = 0
  while (mutated < count) {
    const size = 1 + random.int(GROWN_MAX)
    const isInclusion = random.int(2) === 0
    const other = 1 + random.int(GROWN_MAX)
    const found = isInclusion
      ? mutateInclusion(grown, random, size, other)
      : mutateConsistency(grown, random, size, other)
    if (found === null) continue
    mutated++
    kinds[found.kind] = (kinds[found.kind] ?? 0) + 1
    if (found.isAccepted) accepted.push(found.claim)
  }
  return { mutated, accepted, kinds }
}

const GROWN_MAX = 300
type Grown = ReturnType<typeof grow>

interface Mutated {
  readonly kind: string
  readonly claim: string
  readonly isAccepted: boolean
}

/** Null where the claim was not changed, or is true as well. */
function mutateInclusion({ hashes, tree, roots }: Grown, random: Random, size: number, other: number): Mutated | null {
  const index = random.int(size)
  const claim = {
    eventHash: hashes[index] ?? '',
    index,
    size,
    root: roots[size] ?? '',
    proof: tree.inclusionProof(index, size) ?? [],
  }
  const kind = random.pick(['hash', 'list', 'index', 'leaf', 'checkpoint', 'root', 'node as leaf'])
  const evil = { ...claim }
  if (kind === 'hash' || kind === 'list') evil.proof = mutateList(claim.proof, kind, random)
  if (kind === 'index') evil.index = random.int(size + 4)
  if (kind === 'leaf') evil.eventHash = hashes[random.int(GROWN_MAX)] ?? ''
  if (kind === 'checkpoint') Object.assign(evil, { size: other, root: roots[other] })
  if (kind === 'root') evil.root = flip(claim.root, random)
  if (kind === 'node as leaf')
    Object.assign(evil, { eventHash: claim.proof[0] ?? '', proof: claim.proof.slice(1), index: index >> 1 })
  const isSame =
    evil.index === index &&
    evil.size === size &&
    evil.eventHash === claim.eventHash &&
    evil.root === claim.root &&
    evil.proof.join() === claim.proof.join()
  // A leaf of another size may have the very same path there: then the claim is true.
  const isTrue =
    tree.size >= evil.size &&
    roots[evil.size] === evil.root &&
    evil.index < evil.size &&
    hashes[evil.index] === evil.eventHash &&
    tree.inclusionProof(evil.index, evil.size)?.join() === evil.proof.join()
  if (isSame || isTrue) return null
  return {
    kind: `inclusion: ${kind}`,
    claim: `inclusion ${index}/${size} ${kind}`,
    isAccepted: verifyInclusion(crypto, evil),
  }
}

function mutateConsistency({ tree, roots }: Grown, random: Random, size: number, other: number): Mutated | null {
  const first = random.int(size + 1)
  const claim = {
    first,
    firstRoot: roots[first] ?? '',
    second: size,
    secondRoot: roots[size] ?? '',
    proof: tree.consistencyProof(first, size) ?? [],
  }
  const kind = random.pick(['hash', 'list', 'older', 'newer', 'reversed', 'root', 'fork'])
  const evil = { ...claim }
  if (kind === 'hash' || kind === 'list') evil.proof = mutateList(claim.proof, kind, random)
  if (kind === 'older') Object.assign(evil, { first: other, firstRoot: roots[other] })
  if (kind === 'newer') Object.assign(evil, { second: other, secondRoot: roots[other] })
  if (kind === 'reversed')
    Object.assign(evil, { first: size, firstRoot: claim.secondRoot, second: first, secondRoot: claim.firstRoot })
  if (kind === 'root') evil.firstRoot = flip(claim.firstRoot, random)
  if (kind === 'fork') evil.secondRoot = flip(claim.secondRoot, random)
  const isTrue =
    evil.first <= evil.second &&
    roots[evil.first] === evil.firstRoot &&
    roots[evil.second] === evil.secondRoot &&
    tree.consistencyProof(evil.first, evil.second)?.join() === evil.proof.join()
  // Every tree extends the empty one; what its root is then does not matter to the proof.
  if (isTrue || (evil.first === 0 && evil.firstRoot === EMPTY_ROOT && evil.proof.length === 0)) return null
  return {
    kind: `consistency: ${kind}`,
    claim: `consistency ${first}/${size} ${kind}`,
    isAccepted: verifyConsistency(crypto, evil),
  }
}

function mutateList(proof: readonly string[], kind: 'hash' | 'list', random: Random): string[] {
  const list = [...proof]
  const at = random.int(Math.max(1, list.length))
  if (kind === 'hash') return list.map((hash, index) => (index === at ? flip(hash, random) : hash))
  const how = random.int(5)
  if (how === 0) list.splice(at, 1)
  if (how === 1) list.splice(at, 0, random.hash())
  if (how === 2) list.splice(at, 0, list[at] ?? random.hash())
  if (how === 3) list.reverse()
  if (how === 4) [list[at], list[0]] = [list[0] ?? '', list[at] ?? '']
  return list
}

function flip(hash: string, random: Random): string {
  const bytes = Buffer.from(hash, 'hex')
  const at = random.int(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(8))
  return bytes.toString('hex')
}

function grow(limit: number) {
  const random = new Random(17)
  const hashes = Array.from({ length: limit }, () => random.hash())
  const tree = new StoredTree(crypto)
  const builder = new TreeBuilder(crypto)
  const roots = [EMPTY_ROOT]
  for (const hash of hashes) {
    tree.append(hash)
    builder.append(hash)
    roots.push(builder.root())
  }
  return { hashes, tree, roots }
}
