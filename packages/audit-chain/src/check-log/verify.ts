/**
 * Compares a check log with the seals in the chain of its organization, and names the rows that differ from what was
 * sealed.
 *
 * Verify the chain first (`BundleVerifier`), because a seal is only as reliable as its chain. Source: ADR 35.
 */
import type { CryptoPort } from '../crypto/port.js'
import { byTime, type CheckLogRow, readSealLine, type SealedCheck, sealedCheck, sealLine, sealSum } from './seal.js'

export const CHECK_SEAL_ACTION = 'compliance.checklog.seal'
export const CHECK_PRUNE_ACTION = 'compliance.checklog.prune'

/** How late after its own instant a row may be committed, in milliseconds. The next seal then covers it. */
export const CHECK_LATE_MS = 3_600_000
/**
 * Rows that were sealed later than this after their instant are counted as overdue: nothing was sealed in between, or
 * the rows were inserted.
 */
const OVERDUE_MS = 3 * 3_600_000

/** What the chain says about the check log, collected while its events are read. */
export interface CheckLogClaims {
  readonly seals: readonly CheckSeal[]
  /** Retention may have removed rows before this instant. Null when the chain does not say so. */
  readonly prunedThrough: string | null
}

export interface CheckSeal {
  /** The sequence number of the event in its chain. */
  readonly seq: number
  readonly sealedAt: string
  readonly count: number
  readonly sum: string
  readonly from: string
  readonly through: string
}

interface ClaimingEvent {
  readonly action: string
  readonly seq: number
  readonly createdAt: string
  readonly details: string | null
}

/** Adds what one event of the chain says about the check log. Other events change nothing. */
export function addClaim(claims: CheckLogClaims, event: ClaimingEvent): CheckLogClaims {
  if (event.action !== CHECK_SEAL_ACTION && event.action !== CHECK_PRUNE_ACTION) return claims
  const details = readDetails(event.details)
  if (details === null) return claims
  const through = String(details['through'] ?? '')
  if (event.action === CHECK_PRUNE_ACTION) {
    const { prunedThrough } = claims
    return { ...claims, prunedThrough: prunedThrough === null || through > prunedThrough ? through : prunedThrough }
  }
  const seal: CheckSeal = {
    seq: event.seq,
    sealedAt: event.createdAt,
    count: Number(details['count']),
    sum: String(details['sha256'] ?? ''),
    from: String(details['from'] ?? ''),
    through,
  }
  return { ...claims, seals: [...claims.seals, seal] }
}

/** Null for details that are erased or are not an object: such an event claims nothing. */
function readDetails(text: string | null | undefined): Record<string, unknown> | null {
  if (text == null) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

export const NO_CLAIMS: CheckLogClaims = { seals: [], prunedThrough: null }

export type CheckLogReason = 'row_altered' | 'row_missing' | 'row_inserted' | 'manifest_altered'

export interface CheckLogFinding {
  readonly reason: CheckLogReason
  /** The id of the row; null when only the hour is known. */
  readonly id: string | null
  readonly createdAt: string
  /** The sequence number of the seal that the row contradicts; null for a row that no seal covers. */
  readonly seq: number | null
}

export interface CheckLogReport {
  readonly verdict: 'valid' | 'invalid' | 'cannot-tell'
  /** The earliest first. At most 100 of the `findingsTotal` findings. */
  readonly findings: readonly CheckLogFinding[]
  readonly findingsTotal: number
  readonly seals: number
  /** Rows that are as they were sealed. */
  readonly rows: number
  /** Rows that no seal covers yet. */
  readonly unsealed: number
  /** Sealed rows that retention removed, as the chain says. */
  readonly pruned: number
  /** Rows whose user was erased after they were sealed. */
  readonly erased: number
  /** Rows older than the part of the chain that still exists. */
  readonly unattested: number
  /** Rows that were sealed more than three hours after their own instant. */
  readonly overdue: number
}

export interface CheckLogInput {
  readonly claims: CheckLogClaims
  readonly rows: Iterable<CheckLogRow>
  /** The manifests of the export, each as its lines. A manifest is believed only when a seal has its sum. */
  readonly manifests: readonly (readonly string[])[]
  /** True when the beginning of the chain was pruned. Older rows may have been sealed by events that no longer exist. */
  readonly isChainPruned: boolean
}

const FINDINGS_MAX = 100

/**
 * Verifies a check log. Returns the counts of rows that are proved, pruned, erased, overdue or not attested, and the
 * first 100 findings with their evidence.
 */
export function verifyCheckLog(crypto: CryptoPort, input: CheckLogInput): CheckLogReport {
  const { claims, isChainPruned } = input
  const rows = new Map<string, SealedCheck>()
  const findings: CheckLogFinding[] = []
  for (const row of input.rows) {
    // Of two rows with one id, each could hide the other.
    if (rows.has(row.id)) findings.push({ reason: 'row_inserted', id: row.id, createdAt: row.createdAt, seq: null })
    rows.set(row.id, sealedCheck(crypto, row))
  }
  const bySum = new Map(input.manifests.map((lines) => [sealSum(crypto, lines), lines]))
  const isPruned = (createdAt: string): boolean => claims.prunedThrough !== null && createdAt < claims.prunedThrough

  const attested = new Set<string>()
  const counts = { rows: 0, pruned: 0, erased: 0, overdue: 0, unattested: 0, unsealed: 0 }
  for (const seal of claims.seals) {
    const lines = bySum.get(seal.sum) ?? rebuilt(crypto, seal, rows)
    if (lines === null) {
      // When retention removes all rows of an hour, it removes their manifest too.
      if (claims.prunedThrough !== null && seal.through <= claims.prunedThrough) {
        counts.pruned += seal.count
        continue
      }
      findings.push({ reason: 'manifest_altered', id: null, createdAt: seal.from, seq: seal.seq })
      for (const row of rows.values()) if (isWithin(row, seal)) attested.add(row.id)
      continue
    }
    for (const line of lines) {
      const sealed = readSealLine(line)
      if (sealed === null) continue
      attested.add(sealed.id)
      const finding = compare(sealed, rows.get(sealed.id), seal, counts, isPruned)
      if (finding !== null) findings.push(finding)
    }
  }
  const newest =
    claims.seals
      .map(({ through }) => through)
      .sort()
      .at(-1) ?? ''
  const [oldest = ''] = claims.seals.map(({ from }) => from).sort()
  const openFrom = newest === '' ? '' : new Date(Date.parse(newest) - CHECK_LATE_MS).toISOString()
  for (const row of rows.values()) {
    if (attested.has(row.id)) continue
    if (row.createdAt >= openFrom) counts.unsealed++
    else if (isPruned(row.createdAt) || (isChainPruned && row.createdAt < oldest)) counts.unattested++
    else findings.push({ reason: 'row_inserted', id: row.id, createdAt: row.createdAt, seq: null })
  }
  findings.sort((a, b) => byTime({ ...a, id: a.id ?? '' }, { ...b, id: b.id ?? '' }))
  return {
    verdict: findings.length > 0 ? 'invalid' : claims.seals.length === 0 ? 'cannot-tell' : 'valid',
    findings: findings.slice(0, FINDINGS_MAX),
    findingsTotal: findings.length,
    seals: claims.seals.length,
    ...counts,
  }
}

const isWithin = ({ createdAt }: SealedCheck, { from, through }: CheckSeal): boolean =>
  createdAt >= from && createdAt < through

/** When all rows of a seal are present, no manifest is needed: their own lines have the sum. */
function rebuilt(
  crypto: CryptoPort,
  seal: CheckSeal,
  rows: ReadonlyMap<string, SealedCheck>,
): readonly string[] | null {
  const within = [...rows.values()].filter((row) => isWithin(row, seal)).sort(byTime)
  const lines = within.map(sealLine)
  return within.length === seal.count && sealSum(crypto, lines) === seal.sum ? lines : null
}

interface Counts {
  rows: number
  pruned: number
  erased: number
  overdue: number
}

function compare(
  sealed: SealedCheck,
  row: SealedCheck | undefined,
  { seq, sealedAt }: CheckSeal,
  counts: Counts,
  isPruned: (createdAt: string) => boolean,
): CheckLogFinding | null {
  const { id, createdAt } = sealed
  if (row === undefined) {
    if (!isPruned(createdAt)) return { reason: 'row_missing', id, createdAt, seq }
    counts.pruned++
    return null
  }
  const isErased = row.userDigest === null && sealed.userDigest !== null
  const isSame =
    row.digest === sealed.digest && row.createdAt === createdAt && (row.userDigest === sealed.userDigest || isErased)
  if (!isSame) return { reason: 'row_altered', id, createdAt, seq }
  counts.rows++
  if (isErased) counts.erased++
  if (Date.parse(sealedAt) - Date.parse(createdAt) > OVERDUE_MS) counts.overdue++
  return null
}
