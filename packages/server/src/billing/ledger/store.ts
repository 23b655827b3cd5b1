/**
 * The stored ledger of a subscription. It is opened from its columns and from the rows that a command names, and
 * written back row by row. The unique key of account and dedupe key resolves races between processes.
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
import { and, eq, gt, inArray, type Placeholder } from 'drizzle-orm'
import { insertRows, prepared, updateRow } from '../../runtime/store/prepared.js'
import { granted } from '../account/gate.js'
import { at, toMs } from '../account/subscription.js'
import { type Recording, writeSubscription } from '../account/writing.js'
import { recordEvent } from '../event/record.js'
import { marketplaceTables } from '../marketplace-tables.js'
import { findLink } from '../provider/link.js'
import { billingTables, type EntryRow, type SubscriptionRow } from '../tables.js'

/** A change that may use credit. */
export type LedgerWriting = Recording<'billing.credit.consumed' | 'billing.credit.exhausted'>

/**
 * Opens the ledger for commands on these keys.
 *
 * @throws TypeError when the stored values do not fit together.
 */
export async function openStored(
  { tx }: Pick<LedgerWriting, 'tx'>,
  row: SubscriptionRow,
  keys: readonly string[],
): Promise<LedgerState> {
  const { billingCreditEntries: t } = billingTables(tx)
  const open = await openGrants(tx, { subscriptionId: row.id })
  const [key, ...others] = keys
  const asked =
    others.length === 0
      ? await ofKey(tx, { orgId: row.orgId, key: key ?? '' })
      : await tx
          .select()
          .from(t)
          .where(and(eq(t.orgId, row.orgId), inArray(t.dedupeKey, [...keys])))
  const holds = await holdsOf(tx, { orgId: row.orgId })
  return openFrom(row, keys, { open, asked, holds })
}

/** What is stored about the ledger of one subscription, for commands on some keys. */
export interface StoredLedger {
  readonly open: readonly EntryRow[]
  /** The rows with the keys. */
  readonly asked: readonly EntryRow[]
  readonly holds: readonly { readonly key: string; readonly subscriptionId: string; readonly cents: number }[]
}

/** @throws TypeError as `openStored`. */
export function openFrom(
  row: SubscriptionRow,
  keys: readonly string[],
  { open, asked, holds }: StoredLedger,
): LedgerState {
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

const openGrants = prepared((db, value: (name: 'subscriptionId') => Placeholder) => {
  const { billingCreditEntries: t } = billingTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.subscriptionId, value('subscriptionId')), gt(t.remainingCents, 0)))
})

const ofKey = prepared((db, value: (name: 'orgId' | 'key') => Placeholder) => {
  const { billingCreditEntries: t } = billingTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.orgId, value('orgId')), eq(t.dedupeKey, value('key'))))
})

const holdsOf = prepared((db, value: (name: 'orgId') => Placeholder) => {
  const { billingCreditHolds: t } = marketplaceTables(db)
  return db
    .select({ key: t.key, subscriptionId: t.subscriptionId, cents: t.cents })
    .from(t)
    .where(eq(t.orgId, value('orgId')))
})

/**
 * Runs one command on the ledger and writes its result: rows, columns, balance, events, evidence. Returns the
 * subscription with its new balance. A key that exists already changes nothing.
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
    await updateRow(tx, t, id, { remainingCents, reversedCents, state, fulfillmentRef })
  }
  // A provider that charges the subscription has to learn of its credit.
  const isCharged = (await findLink(tx, row.id)) !== null
  const { rows, columns } = entriesOf(row, outcome, isCharged)
  for (const each of rows) await insertRows(tx, t, [each])
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
  return writeSubscription(context, row, columns)
}

/** The rows of an outcome as they are stored, and the columns of the subscription after them. */
export function entriesOf(
  row: SubscriptionRow,
  outcome: LedgerOutcome,
  isCharged: boolean,
): {
  readonly rows: readonly EntryRow[]
  readonly columns: Pick<SubscriptionRow, 'balanceCents' | 'lastSeq' | 'ledgerHash' | 'pendingRows'>
} {
  let { ledgerHash: hash } = row
  const rows = outcome.rows.map((each): EntryRow => {
    const { grantedAt, ...facts } = isCharged && PUSHED.has(each.type) ? { ...each, ...UNKNOWN_THERE } : each
    hash = ledgerHash(nodeCrypto, hash, { ...facts, grantedAt })
    return { ...facts, grantedAtMs: toMs(grantedAt), hash }
  })
  const waiting = rows.filter(({ state }) => state === 'pending').length
  const columns = {
    balanceCents: outcome.balanceCents,
    lastSeq: row.lastSeq + rows.length,
    ledgerHash: hash,
    pendingRows: row.pendingRows + waiting,
  }
  return { rows, columns }
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

/** Written out: the rest of a spread would get a hidden class of its own each time. */
export const toLedgerRow = (row: EntryRow): LedgerRow => ({
  id: row.id,
  orgId: row.orgId,
  subscriptionId: row.subscriptionId,
  seq: row.seq,
  type: row.type as EntryType,
  sourceId: row.sourceId,
  cents: signedCents(row.cents),
  remainingCents: cents(row.remainingCents),
  reversedCents: cents(row.reversedCents),
  state: row.state as EntryState,
  dedupeKey: row.dedupeKey,
  grantedAt: at(row.grantedAtMs),
  fulfillmentRef: row.fulfillmentRef,
  actorId: row.actorId,
  details: row.details,
})
