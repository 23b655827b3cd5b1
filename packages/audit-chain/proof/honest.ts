/**
 * Honest logs of many shapes: erased halves with their explanation, pruned prefixes, exported ranges, checkpoints at any
 * size, cosignatures, key rotation. None may be called invalid, and each must get the very verdict it deserves.
 */
import {
  type AuditRecord,
  type BundleManifest,
  BundleVerifier,
  canonicalText,
  chainOrigin,
  consistencyRanges,
  EMPTY_FRONTIER,
  FOREIGN_IDENTITIES,
  formatManifest,
  formatTlogProof,
  formatVerifierKey,
  inclusionRanges,
  isForeign,
  parseNote,
  planPrune,
  type SignedAnchor,
  StreamProver,
  signAnchor,
  signatureLine,
  TreeBuilder,
  type Verdict,
  verifyConsistency,
  withholdForeign,
} from '../src/index.js'
import {
  checkpointOf,
  crypto,
  logKey,
  makeLog,
  makeLogWithErasures,
  ORIGIN,
  otherKey,
  Random,
  witnessKey,
} from '../test/support/fixture.js'

export interface HonestCase {
  readonly manifest: BundleManifest
  readonly rows: readonly AuditRecord[]
  readonly kept: readonly string[]
  /** The last event that can be believed: the newest checkpoint covers it, or the proof of the range does. */
  readonly covered: number
  readonly verdict: Verdict
}

export function honestCase(seed: number): HonestCase {
  const made = shapedCase(seed)
  return seed % 4 === 0 ? withholding(made) : made
}

/** The same as the chain's own organization would get it. */
function withholding({ manifest, rows, kept, covered }: HonestCase): HonestCase {
  const copy = rows.map(withholdForeign)
  const verdict = verdictOf(copy, covered, true)
  return { manifest: { ...manifest, withheld: FOREIGN_IDENTITIES }, rows: copy, kept, covered, verdict }
}

const verdictOf = (rows: readonly AuditRecord[], covered: number, mayWithhold = false): Verdict =>
  rows.length > 0 && isExplained(rows, covered, mayWithhold) ? 'valid' : 'cannot-tell'

function shapedCase(seed: number): HonestCase {
  const random = new Random(seed)
  const chain = random.pick(['acme', 'org 7', 'a/b+c%', '__no-org__', 'zoë'])
  const size = 1 + random.int(40)
  const { rows } = random.int(2) === 0 ? makeLog(size, seed, chain) : makeLogWithErasures(size + 2, seed, chain)
  const keys = random.int(4) === 0 ? [otherKey, logKey] : [logKey]
  const signedSize = random.int(4) === 0 ? 1 + random.int(rows.length) : rows.length
  const checkpoint = cosigned(checkpointOf(rows.slice(0, signedSize), chain, keys), random, rows)
  const shape = random.int(3)
  const base = {
    plumblineAuditBundle: 1 as const,
    origin: ORIGIN,
    chain,
    complete: true,
    anchor: null,
    checkpoints: [checkpoint],
    proofs: [],
    keys: [formatVerifierKey(logKey), formatVerifierKey(witnessKey)],
    createdAt: '2026-02-01T00:00:00.000Z',
  }
  const head = { seq: rows.length, hash: rows.at(-1)?.hash ?? '' }
  if (shape === 0) {
    const manifest = { ...base, from: 1, to: rows.length, head }
    const keptSize = random.int(2) === 0 ? 1 + random.int(rows.length) : 0
    const kept = keptSize > 0 ? [checkpointOf(rows.slice(0, keptSize), chain)] : []
    const covered = Math.max(signedSize, keptSize)
    return { manifest, rows, kept, covered, verdict: verdictOf(rows, covered) }
  }
  if (shape === 1) {
    const anchor = anchorOf(rows, chain, signedSize, random)
    const first = anchor === null ? 1 : anchor.throughSeq + 1
    const left = rows.slice(first - 1)
    const manifest = { ...base, anchor, from: first, to: rows.length, head }
    return { manifest, rows: left, kept: [], covered: signedSize, verdict: verdictOf(left, signedSize) }
  }
  const to = 1 + random.int(signedSize)
  const from = 1 + random.int(to)
  const prover = new StreamProver(crypto, inclusionRanges(to - 1, signedSize))
  for (const row of rows) prover.push(row.hash)
  const proof = formatTlogProof({ index: to - 1, path: prover.proof() ?? [], checkpoint })
  const part = rows.slice(from - 1, to)
  const manifest = { ...base, complete: false, from, to, head: null, checkpoints: [], proofs: [proof] }
  return { manifest, rows: part, kept: [], covered: to, verdict: verdictOf(part, to) }
}

/** What is wrong, or null. */
export function judgeHonest(seed: number): string | null {
  const { manifest, rows, kept, verdict } = honestCase(seed)
  const verifier = new BundleVerifier(crypto, { keys: [logKey, witnessKey], checkpoints: kept })
  verifier.pushLine(formatManifest(manifest))
  for (const row of rows) verifier.pushLine(canonicalText({ ...row }))
  const report = verifier.finish()
  if (report.verdict === verdict && report.backdated === null) return null
  return `honest log ${seed}: expected ${verdict}, answered ${report.verdict} ${report.reason ?? report.cannotTell ?? ''} at ${report.brokenSeq}`
}

/** Any earlier checkpoint of a log is consistent with any later one. */
export function judgeConsistency(seed: number): string | null {
  const random = new Random(seed)
  const { rows } = makeLog(2 + random.int(60), seed)
  const second = 2 + random.int(rows.length - 1)
  const first = 1 + random.int(second)
  const prover = new StreamProver(crypto, consistencyRanges(first, second), EMPTY_FRONTIER)
  const tree = new TreeBuilder(crypto)
  let firstRoot = ''
  for (const row of rows.slice(0, second)) {
    prover.push(row.hash)
    tree.append(row.hash)
    if (tree.size === first) firstRoot = tree.root()
  }
  const claim = { first, firstRoot, second, secondRoot: tree.root(), proof: prover.proof() ?? ['missing'] }
  return verifyConsistency(crypto, claim) ? null : `log ${seed}: sizes ${first} and ${second} of one log not consistent`
}

function cosigned(note: string, random: Random, rows: readonly AuditRecord[]): string {
  const text = parseNote(note)?.text
  if (text === undefined || random.int(3) > 0) return note
  const last = Date.parse(rows.at(-1)?.createdAt ?? '')
  return note + signatureLine(crypto, text, witnessKey, Math.floor(last / 1000))
}

function anchorOf(
  rows: readonly AuditRecord[],
  chain: string,
  checkpointSize: number,
  random: Random,
): SignedAnchor | null {
  const before = rows[random.int(rows.length)]?.createdAt ?? ''
  const input = {
    origin: ORIGIN,
    chain,
    previous: null,
    rows,
    before,
    checkpointSize,
    prunedAt: '2026-02-01T00:00:00.000Z',
  }
  const anchor = planPrune(crypto, input)
  if (anchor === null || chainOrigin(anchor.origin, anchor.chain) === '') return null
  // A checkpoint older than the anchor could no longer be compared: the log keeps one that is newer.
  return anchor.throughSeq > checkpointSize ? null : signAnchor(crypto, anchor, [logKey])
}

/** Whether a covered event of a part explains every erased half of it, or the half may be left out of it. */
function isExplained(rows: readonly AuditRecord[], covered: number, mayWithhold: boolean): boolean {
  const named = { identity: new Set<number>(), details: new Set<number>() }
  for (const row of rows) {
    if (row.seq > covered || row.action !== 'audit.event.erase' || row.details === null) continue
    const { part, seqs } = JSON.parse(row.details) as { part: 'identity' | 'details'; seqs: [number, number][] }
    for (const [from, to] of seqs) for (let seq = from; seq <= to; seq++) named[part].add(seq)
  }
  return rows.every((row) => {
    const isWithheld = mayWithhold && isForeign(row, row.chain)
    const identity = row.identitySalt !== null || isWithheld || named.identity.has(row.seq)
    const details = row.detailsHash === null || row.details !== null || named.details.has(row.seq)
    return identity && details
  })
}
