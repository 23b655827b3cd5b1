/**
 * Links the credit ledger to its audit chain (ADR 119). Each row of a subscription has a hash of its facts and of the
 * row before:
 *
 *     H("plumbline-ledger-v1\n" || hash of the row before, or nothing || "\n" || JCS(facts))
 *
 * A seal in the account's chain has the hash of the newest row and the balance. The facts of a row do not include its
 * actor, so the rest can still be proved after a person is erased. They do not include what a replay of the facts
 * computes either: what is left, what was reversed, the state.
 */
import { canonicalise } from '../canonical/jcs.js'
import type { CryptoPort } from '../crypto/port.js'
import { toUtf8 } from '../encoding/utf8.js'

export const LEDGER_SEAL_ACTION = 'billing.ledger.seal'

const ROW = toUtf8('plumbline-ledger-v1\n')

/** The fields of a row that never change. */
export interface LedgerFactsOfRow {
  readonly id: string
  readonly orgId: string
  readonly subscriptionId: string
  readonly seq: number
  readonly type: string
  readonly sourceId: string
  readonly cents: number
  readonly dedupeKey: string
  readonly grantedAt: string
  readonly details: Readonly<Record<string, unknown>> | null
}

export interface HashedLedgerRow extends LedgerFactsOfRow {
  readonly hash: string
}

/** @param previous The hash of the row before; empty for the first row. */
export function ledgerHash(crypto: CryptoPort, previous: string, row: LedgerFactsOfRow): string {
  const { id, orgId, subscriptionId, seq, type, sourceId, cents, dedupeKey, grantedAt, details } = row
  const facts = { id, orgId, subscriptionId, seq, type, sourceId, cents, dedupeKey, grantedAt, details }
  return crypto.sha256Text(ROW, `${previous}\n${canonicalise(facts)}`)
}

/**
 * The hash as an event has it, in groups of eight digits. Ungrouped, scrubbing could replace twelve decimal digits in a
 * row as an account number.
 */
export const ledgerSealHash = (hash: string): string => (hash.match(/.{8}/g) ?? []).join(':')

export interface LedgerSeal {
  readonly subscriptionId: string
  readonly firstSeq: number
  readonly lastSeq: number
  readonly balanceCents: number
  readonly hash: string
  /** The sequence number of the event in its chain. */
  readonly eventSeq: number
}

interface SealingEvent {
  readonly action: string
  readonly seq: number
  readonly targetId: string | null
  readonly details: string | null
}

/** Returns what one event of the chain says about a ledger; null for every other event and for erased details. */
export function ledgerSealOf(event: SealingEvent): LedgerSeal | null {
  if (event.action !== LEDGER_SEAL_ACTION || event.details === null) return null
  const details = JSON.parse(event.details) as Readonly<Record<string, unknown>>
  return {
    subscriptionId: event.targetId ?? '',
    firstSeq: Number(details['firstSeq']),
    lastSeq: Number(details['lastSeq']),
    balanceCents: Number(details['balanceCents']),
    hash: String(details['hash'] ?? ''),
    eventSeq: event.seq,
  }
}

export type LedgerReason =
  | 'row_altered'
  | 'row_missing'
  | 'row_out_of_order'
  | 'seal_contradicted'
  | 'balance_contradicted'
  | 'other_account'

export interface SealedLedgerFinding {
  readonly reason: LedgerReason
  readonly subscriptionId: string
  /** The id of the row; null when only the range of a seal is known. */
  readonly rowId: string | null
  readonly seq: number | null
  /** The event of the chain that is contradicted; null when the rows contradict each other. */
  readonly eventSeq: number | null
  readonly message: string
}

export interface LedgerReport {
  readonly verdict: 'valid' | 'invalid' | 'cannot-tell'
  readonly rows: number
  readonly seals: number
  /** Rows that no seal covers yet. */
  readonly unsealed: number
  readonly findings: readonly SealedLedgerFinding[]
}

export interface LedgerInput {
  /** The rows in the order of the export. */
  readonly rows: readonly HashedLedgerRow[]
  readonly seals: readonly LedgerSeal[]
  /** The account of the export. Every row must belong to it. */
  readonly orgId: string
}

/**
 * Names each row that changed after it was written, and each seal that the rows contradict. The verdict is
 * `cannot-tell` when no seal covers any of the rows. Verify the chain first.
 */
export function verifyLedger(crypto: CryptoPort, { rows, seals, orgId }: LedgerInput): LedgerReport {
  const findings: SealedLedgerFinding[] = []
  const bySubscription = new Map<string, HashedLedgerRow[]>()
  for (const row of rows) {
    const own = bySubscription.get(row.subscriptionId)
    if (own === undefined) bySubscription.set(row.subscriptionId, [row])
    else own.push(row)
    if (row.orgId !== orgId)
      findings.push(about('other_account', row, `it names account ${row.orgId}, the export ${orgId}`))
  }
  for (const own of bySubscription.values()) findings.push(...checkRows(crypto, own))
  let unsealed = 0
  const sealed = new Map<string, LedgerSeal[]>()
  for (const seal of seals) sealed.set(seal.subscriptionId, [...(sealed.get(seal.subscriptionId) ?? []), seal])
  for (const [subscriptionId, own] of sealed)
    findings.push(...checkSeals(bySubscription.get(subscriptionId) ?? [], own))
  for (const [subscriptionId, own] of bySubscription) {
    const through = Math.max(0, ...(sealed.get(subscriptionId) ?? []).map(({ lastSeq }) => lastSeq))
    unsealed += own.filter(({ seq }) => seq > through).length
  }
  const isUnattested = rows.length > 0 && unsealed === rows.length
  const verdict = findings.length > 0 ? 'invalid' : isUnattested ? 'cannot-tell' : 'valid'
  return { verdict, rows: rows.length, seals: seals.length, unsealed, findings }
}

function checkRows(crypto: CryptoPort, rows: readonly HashedLedgerRow[]): SealedLedgerFinding[] {
  const findings: SealedLedgerFinding[] = []
  let previous = ''
  let due = 1
  for (const row of rows) {
    if (row.seq !== due) {
      const isLate = typeof row.seq === 'number' && row.seq > due
      const message = isLate ? `seq is ${row.seq} where ${due} is due` : `seq ${row.seq} stands after ${due - 1}`
      findings.push(about(isLate ? 'row_missing' : 'row_out_of_order', row, message))
    }
    if (hashOf(crypto, previous, row) !== row.hash) {
      findings.push(about('row_altered', row, 'its facts do not have its hash'))
    }
    previous = row.hash
    due = (Number.isSafeInteger(row.seq) ? row.seq : due) + 1
  }
  return findings
}

/** Returns null for a row that has no canonical form. */
function hashOf(crypto: CryptoPort, previous: string, row: HashedLedgerRow): string | null {
  try {
    return ledgerHash(crypto, previous, row)
  } catch {
    return null
  }
}

function checkSeals(rows: readonly HashedLedgerRow[], seals: readonly LedgerSeal[]): SealedLedgerFinding[] {
  const findings: SealedLedgerFinding[] = []
  const bySeq = new Map(rows.map((row) => [row.seq, row]))
  const balances = new Map<number, number>()
  let balance = 0
  for (const { seq, cents } of rows) {
    balance += cents
    balances.set(seq, balance)
  }
  for (const seal of seals) {
    const { subscriptionId, firstSeq, lastSeq, eventSeq } = seal
    const row = bySeq.get(lastSeq)
    const where = { subscriptionId, rowId: row?.id ?? null, seq: lastSeq, eventSeq }
    const range = `rows ${firstSeq} to ${lastSeq}`
    if (row === undefined) {
      findings.push({ ...where, reason: 'row_missing', message: `${range} were sealed, and row ${lastSeq} is missing` })
    } else if (ledgerSealHash(row.hash) !== seal.hash) {
      findings.push({ ...where, reason: 'seal_contradicted', message: `${range} are not what was sealed` })
    } else if (balances.get(lastSeq) !== seal.balanceCents) {
      const message = `${range} were sealed with a balance of ${seal.balanceCents} cents, and sum to ${balances.get(lastSeq)}`
      findings.push({ ...where, reason: 'balance_contradicted', message })
    }
  }
  return findings
}

const about = (reason: LedgerReason, row: HashedLedgerRow, message: string): SealedLedgerFinding => ({
  reason,
  subscriptionId: row.subscriptionId,
  rowId: row.id,
  seq: row.seq,
  eventSeq: null,
  message,
})
