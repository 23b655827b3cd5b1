/**
 * The stored ledger of a subscription: opened from its columns and from the rows that a command names, written back row by
 * row. The unique key of account and dedupe key settles whatever two processes try at once.
 */

import { ledgerHash } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import {
  cents,
  type EntryState,
  type EntryType,
  type LedgerOutcome,
  type LedgerRow,
  type LedgerState,
  type Result,
  resumeLedger,
  signedCents,
} from '@plumbline/billing-core'
import { and, eq, gt, inArray } from 'drizzle-orm'
import { granted } from '../account/gate.js'
import { at, toMs } from '../account/subscription.js'
import { type Recording, writeSubscription } from '../account/writing.js'
import { recordEvent } from '../event/record.js'
import { marketplaceTables } from '../marketplace-tables.js'
import { findLink } from '../provider/link.js'
import { billingTables, type EntryRow, type SubscriptionRow } from '../tables.js'

/** A change that may draw credit. */
export type LedgerWriting = Recording<'billing.credit.consumed' | 'billing.credit.exhausted'>

/** The ledger for commands on these keys. @throws TypeError when what is stored does not fit together. */
export async function openStored(
  { tx }: Pick<LedgerWriting, 'tx'>,
  row: SubscriptionRow,
  keys: readonly string[],
): Promise<LedgerState> {
  const { billingCreditEntries: t } = billingTables(tx)
  const open = await tx
    .select()
    .from(t)
    .where(and(eq(t.subscriptionId, row.id), gt(t.remainingCents, 0)))
  const asked = await tx
    .select()
    .from(t)
    .where(and(eq(t.orgId, row.orgId), inArray(t.dedupeKey, [...keys])))
  const { billingCreditHolds: h } = marketplaceTables(tx)
  const holds = await tx
    .select({ key: h.key, subscriptionId: h.subscriptionId, cents: h.cents })
    .from(h)
    .where(eq(h.orgId, row.orgId))
  const opened = resumeLedger({
    orgId: row.orgId,
    subscriptionId: row.id,
    balanceCents: row.balanceCents,
    lastSeq: row.lastSeq,
    pending: row.pendingRows,
    openGrants: open.map(toLedgerRow),
    holds: holds.map((each) => ({ ...each, cents: cents(each.cents) })),
    keys,
    rows: asked.map(toLedgerRow),
  })
  if (!opened.ok) throw new TypeError(`the ledger of ${row.id} is unsound: ${opened.findings[0]?.message}`)
  return opened.state
}

/**
 * Runs one command on the ledger and writes what it gives: rows, columns, balance, events, evidence. The subscription is
 * returned with its new balance; a key that stands already changes nothing.
 */
export async function postEntry(
  context: LedgerWriting,
  row: SubscriptionRow,
  key: string | readonly string[],
  command: (ledger: LedgerState) => Result<LedgerOutcome>,
): Promise<SubscriptionRow> {
  const ledger = await openStored(context, row, typeof key === 'string' ? [key] : key)
  const result = command(ledger)
  if (!result.ok && result.refusal.code === 'DUPLICATE_ENTRY') return row
  return writeOutcome(context, row, granted(result))
}

export const PUSHED: ReadonlySet<EntryType> = new Set(['grant', 'clawback'])
const UNKNOWN_THERE = { state: 'pending', fulfillmentRef: null } as const

export async function writeOutcome(
  context: LedgerWriting,
  row: SubscriptionRow,
  outcome: LedgerOutcome,
): Promise<SubscriptionRow> {
  const { tx } = context
  const { billingCreditEntries: t } = billingTables(tx)
  for (const { id, remainingCents, reversedCents, state, fulfillmentRef } of outcome.updates) {
    await tx.update(t).set({ remainingCents, reversedCents, state, fulfillmentRef }).where(eq(t.id, id))
  }
  // Of what a provider charges for, it has to know the credit.
  const isCharged = (await findLink(tx, row.id)) !== null
  const rows = outcome.rows.map((each) => (isCharged && PUSHED.has(each.type) ? { ...each, ...UNKNOWN_THERE } : each))
  let { ledgerHash: hash } = row
  for (const { grantedAt, ...facts } of rows) {
    hash = ledgerHash(nodeCrypto, hash, { ...facts, grantedAt })
    await tx.insert(t).values({ ...facts, grantedAtMs: toMs(grantedAt), hash })
  }
  if (outcome.hold !== null) await writeHold(context, row.orgId, outcome.hold)
  for (const { type, subscriptionId, ...details } of outcome.events) {
    await recordEvent(context, { orgId: row.orgId, subscriptionId, type, details })
    if (type !== 'credit_consumed' && type !== 'credit_exhausted') continue
    await context.audit(type === 'credit_consumed' ? 'billing.credit.consumed' : 'billing.credit.exhausted', {
      targetType: 'subscription',
      targetId: row.id,
      affectedOrgId: row.orgId,
      details: { ...details, subscriptionId },
    })
  }
  const waiting = rows.filter(({ state }) => state === 'pending').length
  return writeSubscription(context, row, {
    balanceCents: outcome.balanceCents,
    lastSeq: row.lastSeq + outcome.rows.length,
    ledgerHash: hash,
    pendingRows: row.pendingRows + waiting,
  })
}

async function writeHold(
  { tx, runtime, nowMs }: Pick<LedgerWriting, 'tx' | 'runtime' | 'nowMs'>,
  orgId: string,
  change: NonNullable<LedgerOutcome['hold']>,
): Promise<void> {
  const { billingCreditHolds: t } = marketplaceTables(tx)
  if ('release' in change) {
    await tx.delete(t).where(and(eq(t.orgId, orgId), eq(t.key, change.release)))
    return
  }
  await tx.insert(t).values({ id: runtime.ids.next(), orgId, ...change.set, createdAtMs: nowMs })
}

export function toLedgerRow(row: EntryRow): LedgerRow {
  const { grantedAtMs, type, state, cents: amount, remainingCents, reversedCents, hash: _, ...rest } = row
  return {
    ...rest,
    type: type as EntryType,
    state: state as EntryState,
    cents: signedCents(amount),
    remainingCents: cents(remainingCents),
    reversedCents: cents(reversedCents),
    grantedAt: at(grantedAtMs),
  }
}
