/**
 * Verifies a chain row by row, in memory that does not grow with the chain: push the rows in order, then ask for the
 * report. It stops at the first problem. Source: spec billing-audit 22.
 *
 * INVARIANT: it does not depend on storage, server or files. The verdict is never `valid` when no row was checked.
 */
import { chainOrigin, isOriginOf } from '../checkpoint/checkpoint.js'
import type { VerifierKey } from '../checkpoint/key.js'
import { checkTlogProof } from '../checkpoint/tlog-proof.js'
import type { CryptoPort } from '../crypto/port.js'
import { isForeign } from '../event/foreign.js'
import { genesis } from '../event/hashes.js'
import type { AuditRecord } from '../event/record.js'
import { checkAnchor, type SignedAnchor } from '../prune/anchor.js'
import { EMPTY_FRONTIER, TreeBuilder } from '../tree/frontier.js'
import { doubtsOf } from './doubts.js'
import { Erasures } from './erasures.js'
import {
  type Expectation,
  expectCheckpoint,
  expectProof,
  instantOf,
  isLogKey,
  reportOf,
  type Trust,
} from './expectation.js'
import type { CannotTellReason, Evidence, InvalidReason, VerifyReport } from './report.js'
import { isIdentityErased, isRecord, mismatchOf } from './row.js'

export interface VerifyOptions {
  /** The chain that the rows must belong to; by default that of the first row. */
  readonly chain?: string | undefined
  /** The deployment part of the origin; by default any. */
  readonly origin?: string | undefined
  /** The anchor of a pruned prefix. */
  readonly anchor?: SignedAnchor | null | undefined
  /** The part of the log that the rows are, when they are not the whole log. */
  readonly range?: { readonly from: number; readonly to: number } | null | undefined
  /** The last row that must be present. `offered` when it came with the rows; it then proves nothing by itself. */
  readonly head?: { readonly seq: number; readonly hash: string; readonly offered?: boolean } | null | undefined
  /** Signed notes that were kept outside the log. */
  readonly checkpoints?: readonly string[] | undefined
  /** Signed notes that came with the rows. */
  readonly offeredCheckpoints?: readonly string[] | undefined
  /** Inclusion proofs (C2SP tlog-proof) that came with the rows. */
  readonly proofs?: readonly string[] | undefined
  /** Keys of the log and of witnesses that the caller trusts. */
  readonly keys?: readonly VerifierKey[] | undefined
  /** Keys that came with the rows: enough to find contradictions, never enough for `valid`. */
  readonly offeredKeys?: readonly VerifierKey[] | undefined
  /**
   * Set when the rows are a copy without the identities of foreign actors. Never set it for stored rows: there, only an
   * event explains a missing identity.
   */
  readonly foreignWithheld?: boolean | undefined
  /** How much earlier than a witness's time a row may be dated that the witness had not seen, in milliseconds. */
  readonly witnessToleranceMs?: number | undefined
}

const WITNESS_TOLERANCE_MS = 60_000

interface Break {
  readonly reason: InvalidReason
  readonly brokenSeq: number | null
  readonly brokenAt: string | null
  readonly evidence: Evidence
}

export class LogVerifier {
  readonly #crypto: CryptoPort
  readonly #options: VerifyOptions
  readonly #expectations: Expectation[]
  /** The checkpoints that the tree is compared with, including those inside proofs, by ascending size. */
  readonly #byTree: Expectation[]
  readonly #byProof: Expectation[]
  readonly #erasures = new Erasures()
  readonly #anchorTrust: Trust | 'malformed' | null
  readonly #tree: TreeBuilder | null
  #chain: string | null
  #expectedSeq: number
  /** Null when the rows begin inside the log and the row before them is not known. */
  #previousHash: string | null = null
  #previousCreatedAt = ''
  #nextByTree = 0
  #count = 0
  #withheld = 0
  #firstSeq: number | null = null
  #firstCreatedAt: string | null = null
  #lastSeq: number | null = null
  #notBefore = ''
  #backdated: { count: number; firstSeq: number } | null = null
  #break: Break | null = null

  constructor(crypto: CryptoPort, options: VerifyOptions = {}) {
    this.#crypto = crypto
    this.#options = options
    const keys = { known: options.keys ?? [], offered: options.offeredKeys ?? [] }
    this.#expectations = [
      ...(options.checkpoints ?? []).map((text) => expectCheckpoint(crypto, text, 'given', keys)),
      ...(options.offeredCheckpoints ?? []).map((text) => expectCheckpoint(crypto, text, 'bundle', keys)),
      ...(options.proofs ?? []).map((text) => expectProof(crypto, text, keys)),
    ]
    const anchor = options.anchor ?? null
    this.#anchorTrust =
      anchor === null
        ? null
        : trustOf(checkAnchor(crypto, anchor, keys.known), checkAnchor(crypto, anchor, keys.offered))
    const isWhole = anchor !== null || (options.range?.from ?? 1) === 1
    const usable = this.#anchorTrust !== 'malformed'
    this.#tree = isWhole && usable ? new TreeBuilder(crypto, anchor?.frontier ?? EMPTY_FRONTIER) : null
    this.#expectedSeq = anchor === null ? (options.range?.from ?? 1) : anchor.throughSeq + 1
    this.#chain = options.chain ?? anchor?.chain ?? null
    this.#byProof = this.#expectations.filter(({ proof }) => proof !== null)
    this.#byTree = this.#expectations
      .filter(({ checkpoint }) => checkpoint !== null)
      .sort((a, b) => sizeOf(a) - sizeOf(b))
    this.#compareTrees()
  }

  /** Takes the next row. Returns false from the first row on that does not fit; later rows are only counted. */
  push(row: unknown): boolean {
    this.#count++
    if (this.#break !== null) return false
    if (!isRecord(row))
      return this.#fail('malformed_row', this.#expectedSeq, idOf(row), evidence('form of the row', 'a record', null))
    return this.#pushRecord(row)
  }

  /** Takes a row that could not be read; `cut` when the input ends inside it. */
  pushUnreadable(what: 'cut' | 'not JSON'): false {
    this.#count++
    if (this.#break !== null) return false
    const reason = what === 'cut' ? 'truncated' : 'malformed_row'
    return this.#fail(reason, this.#expectedSeq, null, evidence('form of the row', 'a record', what))
  }

  /** True once a row did not fit. */
  get broken(): boolean {
    return this.#break !== null
  }

  finish(): VerifyReport {
    const found =
      this.#break ?? this.#anchorBreak() ?? this.#endBreak() ?? this.#erasureBreak() ?? this.#checkpointBreak()
    const cannotTell = found === null ? this.#cannotTell() : null
    return this.#report(found, cannotTell)
  }

  #pushRecord(row: AuditRecord): boolean {
    const isFirst = this.#firstSeq === null
    this.#chain ??= row.chain
    if (row.chain !== this.#chain) {
      return this.#fail(
        'chain_mismatch',
        this.#expectedSeq,
        row.id,
        evidence('chain of the row', this.#chain, row.chain),
      )
    }
    if (isFirst && this.#expectedSeq === 1) this.#previousHash = genesis(this.#crypto, row.chain)
    if (isFirst && this.#options.anchor) this.#previousHash = this.#options.anchor.hash
    if (row.seq !== this.#expectedSeq) return this.#failSequence(row, isFirst)
    if (this.#previousHash !== null && row.prevHash !== this.#previousHash) {
      const reason = isFirst ? 'anchor_mismatch' : 'link_mismatch'
      return this.#fail(reason, row.seq, row.id, evidence('prevHash', this.#previousHash, row.prevHash))
    }
    const mismatch = mismatchOf(this.#crypto, row)
    if (mismatch !== null) {
      return this.#fail(
        'hash_mismatch',
        row.seq,
        row.id,
        evidence(mismatch, row[mismatch], 'another value when recomputed'),
      )
    }
    if (row.createdAt < this.#previousCreatedAt) {
      const what = evidence('createdAt, not before', this.#previousCreatedAt, row.createdAt)
      return this.#fail('backdated', row.seq, row.id, what)
    }
    this.#accept(row)
    return true
  }

  #accept(row: AuditRecord): void {
    if (this.#firstSeq === null) {
      this.#firstSeq = row.seq
      this.#firstCreatedAt = row.createdAt
    }
    this.#lastSeq = row.seq
    this.#expectedSeq = row.seq + 1
    this.#previousHash = row.hash
    this.#previousCreatedAt = row.createdAt
    const isWithheld = this.#isWithheld(row)
    if (isWithheld) this.#withheld++
    this.#erasures.push(row, isWithheld)
    if (row.createdAt < this.#notBefore) {
      this.#backdated ??= { count: 0, firstSeq: row.seq }
      this.#backdated.count++
    }
    for (const expectation of this.#byProof) this.#checkProof(expectation, row)
    if (this.#tree !== null) {
      this.#tree.append(row.hash)
      if (this.#nextByTree < this.#byTree.length) this.#compareTrees()
    }
  }

  /** True when the copy declares that it withholds such identities, and this record is one from which it may. */
  #isWithheld(row: AuditRecord): boolean {
    return this.#options.foreignWithheld === true && isIdentityErased(row) && isForeign(row, row.chain)
  }

  /** Compares the tree with every checkpoint of its current size. */
  #compareTrees(): void {
    for (let next = this.#byTree[this.#nextByTree]; next !== undefined; next = this.#byTree[this.#nextByTree]) {
      const size = sizeOf(next)
      if (this.#tree === null || size < this.#tree.size) {
        if (next.proof === null) next.state = 'out-of-range'
      } else if (size > this.#tree.size) return
      else this.#compare(next, this.#tree.root())
      this.#nextByTree++
    }
  }

  #compare(expectation: Expectation, root: string): void {
    const { checkpoint } = expectation
    if (checkpoint === null) return
    const head = this.#lastSeq === null ? (this.#options.anchor?.hash ?? null) : this.#previousHash
    const headFits = checkpoint.head === null || checkpoint.size === 0 || checkpoint.head === head
    const fits = checkpoint.root === root && headFits
    // A proof fits by its path. The tree of its checkpoint can only contradict it.
    if (!fits) expectation.state = 'differs'
    else if (expectation.proof === null) expectation.state = 'fits'
    if (!fits && (expectation.trust === 'known' || expectation.trust === 'offered')) {
      this.#rootEvidence ??=
        checkpoint.root === root
          ? evidence(`head at size ${checkpoint.size}`, checkpoint.head, head)
          : evidence(`root at size ${checkpoint.size}`, checkpoint.root, root)
    }
    this.#witnessed(expectation)
  }

  #rootEvidence: Evidence | null = null

  #checkProof(expectation: Expectation, row: AuditRecord): void {
    const { proof } = expectation
    if (proof === null || proof.index !== row.seq - 1) return
    const { included } = checkTlogProof(this.#crypto, proof, row.hash)
    expectation.state = included ? 'fits' : 'differs'
    if (!included && (expectation.trust === 'known' || expectation.trust === 'offered'))
      this.#rootEvidence ??= evidence(`inclusion of event ${row.seq}`, expectation.checkpoint?.root ?? null, null)
    if (included && expectation.checkpoint?.size === row.seq) this.#witnessed(expectation)
  }

  /** Rows that a witness had not seen at its time cannot be much older than that time. */
  #witnessed({ state, witnesses }: Expectation): void {
    if (state !== 'fits') return
    const tolerance = (this.#options.witnessToleranceMs ?? WITNESS_TOLERANCE_MS) / 1000
    for (const { seconds } of witnesses) {
      const bound = instantOf(Math.max(0, seconds - tolerance))
      if (bound > this.#notBefore) this.#notBefore = bound
    }
  }

  #failSequence(row: AuditRecord, isFirst: boolean): false {
    // When a row links to its predecessor but its number does not follow, its number was changed. Otherwise rows are
    // missing or were inserted, and the place is named by the number of this row.
    const links = this.#previousHash !== null && row.prevHash === this.#previousHash
    const isWhole = (this.#options.range ?? null) === null
    return this.#fail(
      isFirst && isWhole ? 'anchor_mismatch' : 'sequence_gap',
      links ? this.#expectedSeq : row.seq,
      !links && row.seq > this.#expectedSeq ? null : row.id,
      evidence('seq', this.#expectedSeq, row.seq),
    )
  }

  #fail(reason: InvalidReason, brokenSeq: number | null, brokenAt: string | null, what: Evidence): false {
    this.#break = { reason, brokenSeq, brokenAt, evidence: what }
    return false
  }

  #anchorBreak(): Break | null {
    const anchor = this.#options.anchor ?? null
    if (anchor === null) return null
    const fits =
      (this.#chain === null || anchor.chain === this.#chain) &&
      (this.#options.origin === undefined || anchor.origin === this.#options.origin) &&
      this.#anchorTrust !== 'malformed' &&
      this.#anchorTrust !== 'forged'
    if (fits) return null
    const what = evidence('anchor', `of chain ${this.#chain}, signed`, `of chain ${anchor.chain}, ${this.#anchorTrust}`)
    return { reason: 'anchor_mismatch', brokenSeq: this.#firstSeq, brokenAt: null, evidence: what }
  }

  /** Checks the end: the last row that head and checkpoints name must be present, and must be that row. */
  #endBreak(): Break | null {
    const last = this.#expectedSeq - 1
    const head = this.#options.head ?? null
    const ends: [what: string, seq: number][] = []
    if (this.#options.range) ends.push(['range', this.#options.range.to])
    if (head !== null) ends.push(['head', head.seq])
    if (!this.#isPart) {
      for (const { checkpoint, trust } of this.#byTree) {
        if (checkpoint !== null && (trust === 'known' || trust === 'offered'))
          ends.push(['checkpoint', checkpoint.size])
      }
    }
    const missing = ends.filter(([, seq]) => seq > last).sort((a, b) => b[1] - a[1])[0]
    if (missing !== undefined) {
      return {
        reason: 'truncated',
        brokenSeq: last + 1,
        brokenAt: null,
        evidence: evidence(`last event by the ${missing[0]}`, missing[1], last),
      }
    }
    const stated = Math.min(head?.seq ?? last, this.#options.range?.to ?? last)
    if (stated < last) {
      return {
        reason: 'head_mismatch',
        brokenSeq: stated + 1,
        brokenAt: null,
        evidence: evidence('last event', stated, last),
      }
    }
    const actual = this.#lastSeq === null ? (this.#options.anchor?.hash ?? null) : this.#previousHash
    if (head === null || actual === null || head.hash === actual) return null
    return {
      reason: 'head_mismatch',
      brokenSeq: head.seq,
      brokenAt: null,
      evidence: evidence('hash of the head', head.hash, actual),
    }
  }

  #erasureBreak(): Break | null {
    const first = this.#erasures.firstUnexplained
    if (first === null || this.#isPart) return null
    const what = evidence(`erased ${first.part} of event ${first.seq}`, 'an event that explains it', null)
    return { reason: 'unexplained_erasure', brokenSeq: first.seq, brokenAt: null, evidence: what }
  }

  #checkpointBreak(): Break | null {
    for (const { checkpoint, trust } of this.#expectations) {
      if (trust === 'forged') {
        const which =
          checkpoint === null ? 'a checkpoint that cannot be read' : `the checkpoint at size ${checkpoint.size}`
        return this.#checkpointMismatch(evidence(`signature of ${which}`, 'valid', 'forged'))
      }
      if (checkpoint === null) continue
      if (trust === 'unknown' || this.#chain === null || this.#originFits(checkpoint.origin)) continue
      const { origin } = this.#options
      const expected = origin === undefined ? `…${chainOrigin('', this.#chain)}` : chainOrigin(origin, this.#chain)
      return this.#checkpointMismatch(evidence('origin of the checkpoint', expected, checkpoint.origin))
    }
    return this.#rootEvidence === null ? null : this.#checkpointMismatch(this.#rootEvidence)
  }

  #checkpointMismatch(what: Evidence): Break {
    return { reason: 'checkpoint_mismatch', brokenSeq: null, brokenAt: null, evidence: what }
  }

  #originFits(origin: string): boolean {
    const chain = this.#chain ?? ''
    const deployment = this.#options.origin
    return deployment === undefined ? isOriginOf(origin, chain) : origin === chainOrigin(deployment, chain)
  }

  /** True when the rows are a part of the log that does not reach its end. */
  get #isPart(): boolean {
    return (this.#options.range ?? null) !== null
  }

  #cannotTell(): CannotTellReason | null {
    if (this.#firstSeq === null) return 'nothing_to_check'
    if (this.#expectations.some(({ checkpoint }) => checkpoint === null)) return 'missing_checkpoint'
    const untrusted = this.#expectations.some(({ trust }) => trust !== 'known')
    if (untrusted || (this.#anchorTrust !== null && this.#anchorTrust !== 'known')) return 'unknown_key'
    if (this.#erasures.firstUnexplained !== null) return 'erasure_outside_range'
    // Behind the newest checkpoint anybody can append an event, also one that explains what they removed.
    const covered = this.#coveredThrough
    if (covered > 0 && !this.#hasTrustedHead && this.#erasures.explainedBy > covered) return 'erasure_outside_range'
    const fitting = new Set(
      this.#expectations.filter(({ state }) => state === 'fits').map(({ checkpoint }) => checkpoint?.note.text),
    )
    const unapplied = this.#expectations.filter(
      ({ state, checkpoint }) => state !== 'fits' && !fitting.has(checkpoint?.note.text),
    )
    if (unapplied.length > 0) return 'checkpoint_out_of_range'
    return this.#expectations.length === 0 && !this.#hasTrustedHead ? 'no_checkpoint' : null
  }

  get #hasTrustedHead(): boolean {
    return this.#options.head != null && this.#options.head.offered !== true
  }

  get #coveredThrough(): number {
    let covered = 0
    for (const { trust, state, checkpoint, proof } of this.#expectations) {
      if (trust !== 'known' || state !== 'fits' || checkpoint === null) continue
      covered = Math.max(covered, proof === null ? checkpoint.size : proof.index + 1)
    }
    return covered
  }

  #report(found: Break | null, cannotTell: CannotTellReason | null): VerifyReport {
    const checkpoints = this.#expectations.map(reportOf)
    const newest = checkpoints.reduce<VerifyReport['checkpoint']>(
      (best, { size, verified }) => (size !== null && (best === null || size > best.size) ? { size, verified } : best),
      null,
    )
    const anchor = this.#options.anchor ?? null
    const report = {
      verdict:
        found !== null ? ('invalid' as const) : cannotTell !== null ? ('cannot-tell' as const) : ('valid' as const),
      ok: found === null,
      ...(found ?? {}),
      ...(cannotTell === null ? {} : { cannotTell }),
      chain: this.#chain,
      count: this.#count,
      firstSeq: this.#firstSeq,
      lastSeq: this.#lastSeq,
      firstCreatedAt: this.#firstCreatedAt,
      lastCreatedAt: this.#lastSeq === null ? null : this.#previousCreatedAt,
      erased: this.#erasures.explained,
      withheld: this.#withheld,
      head: this.#lastSeq === null ? null : { seq: this.#lastSeq, hash: this.#previousHash ?? '' },
      anchor:
        anchor === null
          ? null
          : { throughSeq: anchor.throughSeq, hash: anchor.hash, signed: this.#anchorTrust === 'known' },
      checkpoint: newest,
      checkpoints,
      coveredThrough: found === null ? this.#coveredThrough : 0,
      range: this.#options.range ?? null,
      backdated: this.#backdated,
    }
    return { ...report, doubts: doubtsOf(report) }
  }
}

/** Verifies rows of a list or a generator. */
export function verifyLog(crypto: CryptoPort, rows: Iterable<unknown>, options: VerifyOptions = {}): VerifyReport {
  const verifier = new LogVerifier(crypto, options)
  for (const row of rows) verifier.push(row)
  return verifier.finish()
}

/** Like `verifyLog`, for rows that arrive over time, such as pages of a database. */
export async function verifyLogAsync(
  crypto: CryptoPort,
  rows: AsyncIterable<unknown>,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const verifier = new LogVerifier(crypto, options)
  for await (const row of rows) verifier.push(row)
  return verifier.finish()
}

function trustOf(known: ReturnType<typeof checkAnchor>, offered: ReturnType<typeof checkAnchor>): Trust | 'malformed' {
  if (known === null || offered === null) return 'malformed'
  if (known.failed.length + offered.failed.length > 0) return 'forged'
  if (known.verified.some(isLogKey)) return 'known'
  return offered.verified.some(isLogKey) ? 'offered' : 'unknown'
}

const sizeOf = ({ checkpoint }: Expectation): number => checkpoint?.size ?? 0

const evidence = (what: string, expected: Evidence['expected'], actual: Evidence['actual']): Evidence => ({
  what,
  expected,
  actual,
})

function idOf(row: unknown): string | null {
  const id = typeof row === 'object' && row !== null ? (row as { id?: unknown }).id : null
  return typeof id === 'string' && isId(id) ? id : null
}

/** Ids are shown to people and written to logs, so a malformed row must not inject other text there. */
const isId = (id: string): boolean => /^[\w.:-]{1,100}$/.test(id)
