/**
 * A period that the provider began: the pending change takes effect, and the grants of the period are made, once for
 * ever. It makes no difference whether the delivery of the subscription or of its invoice arrives first.
 */
import { clawback, grant, ledgerKey, nextInvoice, nextPeriod } from '@plumbline/billing-core'
import { and, eq, type Placeholder } from 'drizzle-orm'
import { insertNew, prepared } from '../../runtime/store/prepared.js'
import { at, toCore, toMs } from '../account/subscription.js'
import { type BillingWriting, bumpVersion, type Root, writeSubscription } from '../account/writing.js'
import { recordTurn } from '../change/record-change.js'
import { entitleAccount } from '../entitle/apply.js'
import { invoiceAccount, pendingOf } from '../invoice/account.js'
import { postEntry } from '../ledger/store.js'
import type { LinkRow } from '../provider-tables.js'
import { lockedSources, takeBudget } from '../roll/roll.js'
import { billingTables, type SubscriptionRow } from '../tables.js'

export interface Period {
  readonly startMs: number
  readonly endMs: number
}

/** Periods only move forward: an old period that is reported late changes nothing. */
export async function openPeriod(
  context: BillingWriting,
  root: Root,
  row: SubscriptionRow,
  { startMs, endMs }: Period,
): Promise<SubscriptionRow> {
  const { tx, runtime, nowMs } = context
  if (row.status === 'canceled' || endMs <= startMs) return row
  const isFirst = !(await hasRolled(context, row.id))
  if (isFirst) return beginFirst(context, row, { startMs, endMs })
  if (startMs < row.currentPeriodStartMs) return row
  const rolled = { id: runtime.ids.next(), orgId: row.orgId, subscriptionId: row.id, periodStartMs: startMs }
  const { billingPeriodRolls } = billingTables(tx)
  if (!(await insertNew(tx, billingPeriodRolls, { ...rolled, invoiceId: null, createdAtMs: nowMs }))) {
    if (row.currentPeriodStartMs === startMs && row.currentPeriodEndMs === endMs) return row
    return writeSubscription(context, row, { currentPeriodStartMs: startMs, currentPeriodEndMs: endMs })
  }
  const pending = pendingOf(row)
  const granted = await grantPeriod(context, row, startMs)
  const next = await writeSubscription(context, granted, {
    ...(pending === null ? {} : pending),
    pendingChange: null,
    currentPeriodStartMs: startMs,
    currentPeriodEndMs: endMs,
    lastGrantedPeriodStartMs: startMs,
  })
  await bumpVersion(context, row.orgId)
  if (pending !== null) {
    await entitleAccount(context, root, toCore(next))
    await recordTurn(context, row, next)
  }
  return next
}

/**
 * For subscriptions that are charged elsewhere without reported periods: the current period begins, with its grants and
 * without an invoice.
 */
export function renewPeriod(context: BillingWriting, root: Root, row: SubscriptionRow): Promise<SubscriptionRow> {
  const { start, end } = nextPeriod(toCore(row), at(context.nowMs))
  return openPeriod(context, root, row, { startMs: toMs(start), endMs: toMs(end) })
}

/**
 * Grants the credit of a period. When it is called again, the credit exists already.
 *
 * @param takesBack Whether credit of combos that the period no longer earns is taken back first.
 */
export async function grantPeriod(
  context: BillingWriting,
  row: SubscriptionRow,
  startMs: number,
  takesBack = false,
): Promise<SubscriptionRow> {
  const { tx, runtime } = context
  const account = { ...invoiceAccount(row, await lockedSources(context, row)), takesBack }
  const drawn = nextInvoice(runtime.settings.tiers, account, at(startMs))
  let next = row
  // guard: what-a-period-no-longer-earns-is-taken-back
  for (const { dedupeKey: grantKey } of drawn?.takenBack ?? []) {
    const reversal = { id: runtime.ids.next(), grantKey, at: at(context.nowMs) }
    const keys = [grantKey, ledgerKey.clawback(grantKey)]
    next = await postEntry(context, next, keys, (ledger) => clawback(ledger, reversal))
  }
  for (const { source, sourceId, dedupeKey, cents } of drawn?.grants ?? []) {
    if (await isGranted(tx, row.orgId, dedupeKey)) continue
    if (source === 'promotion') await takeBudget(context, next, sourceId, cents)
    const ids = { id: runtime.ids.next(), orgId: row.orgId, subscriptionId: row.id }
    const credit = { ...ids, sourceId, dedupeKey, cents, at: at(startMs) }
    next = await postEntry(context, next, dedupeKey, (ledger) => grant(ledger, credit))
  }
  return next
}

/**
 * Grants the credit of the coming period where its invoice is announced, before that invoice is drawn.
 *
 * @param takesBack As in `grantPeriod`.
 */
export async function grantAnnounced(
  context: BillingWriting,
  row: SubscriptionRow,
  { announcedPeriodStartMs }: Pick<LinkRow, 'announcedPeriodStartMs'>,
  takesBack = false,
): Promise<SubscriptionRow> {
  if (announcedPeriodStartMs !== row.currentPeriodEndMs) return row
  return grantPeriod(context, row, announcedPeriodStartMs, takesBack)
}

async function isGranted(tx: BillingWriting['tx'], orgId: string, dedupeKey: string): Promise<boolean> {
  const { billingCreditEntries: t } = billingTables(tx)
  const rows = await tx
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.dedupeKey, dedupeKey)))
  return rows.length > 0
}

async function hasRolled({ tx }: Pick<BillingWriting, 'tx'>, subscriptionId: string): Promise<boolean> {
  return (await rollOf(tx, { subscriptionId })).length > 0
}

const rollOf = prepared((db, value: (name: 'subscriptionId') => Placeholder) => {
  const { billingPeriodRolls: t } = billingTables(db)
  return db
    .select({ id: t.id })
    .from(t)
    .where(eq(t.subscriptionId, value('subscriptionId')))
    .limit(1)
})

/** The provider's period becomes the anchor of all later ones. Combos and recurring grants begin with the next period. */
async function beginFirst(
  context: BillingWriting,
  row: SubscriptionRow,
  { startMs, endMs }: Period,
): Promise<SubscriptionRow> {
  const { tx, runtime, nowMs } = context
  const rolled = { id: runtime.ids.next(), orgId: row.orgId, subscriptionId: row.id, periodStartMs: startMs }
  await tx.insert(billingTables(tx).billingPeriodRolls).values({ ...rolled, invoiceId: null, createdAtMs: nowMs })
  return writeSubscription(context, row, {
    periodAnchorMs: startMs,
    currentPeriodStartMs: startMs,
    currentPeriodEndMs: endMs,
    lastGrantedPeriodStartMs: startMs,
  })
}
