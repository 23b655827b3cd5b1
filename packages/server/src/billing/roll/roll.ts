/**
 * Rolls one period over: the pending change takes effect, the grants of the period are made, and the invoice is drawn;
 * or the subscription ends. Everything is in one transaction and is computed for the boundary, not for the time of the
 * job. So a late roll has the same result as one on time.
 */
import {
  forfeit,
  grant,
  type Instant,
  ledgerKey,
  type NextInvoice,
  nextInvoice,
  type Subscription,
  type SubscriptionEvent,
  standingRuleEnd,
  transition,
} from '@plumbline/billing-core'
import { granted } from '../account/gate.js'
import { atTime } from '../account/open.js'
import { at, columnsOf, findLive, toCore, toMs } from '../account/subscription.js'
import { type BillingWriting, bumpVersion, lockRoot, type Root, writeSubscription } from '../account/writing.js'
import { recordTurn } from '../change/record-change.js'
import { entitleAccount } from '../entitle/apply.js'
import { recordEvent } from '../event/record.js'
import { type InvoiceSources, invoiceAccount, pendingOf } from '../invoice/account.js'
import { drawStubInvoice } from '../invoice/draw.js'
import { giveUpInvoices } from '../invoice/open.js'
import { sourcesOf } from '../invoice/sources.js'
import { postEntry } from '../ledger/store.js'
import { tellAccount } from '../notice/send.js'
import { endedUnpaid } from '../notice/text.js'
import { clawBack, lockPromotions, promotionOf, recordGrant, reserve } from '../promotion/give.js'
import { findLink } from '../provider/link.js'
import { move } from '../state/move.js'
import { billingTables, type SubscriptionRow } from '../tables.js'

/**
 * Rolls the account's subscription over once when its period is over.
 *
 * @returns True when it was rolled over.
 */
export async function rollAccount(context: BillingWriting, rootOrgId: string): Promise<boolean> {
  const root = await lockRoot(context, rootOrgId)
  const row = await findLive(context.tx, rootOrgId)
  if (row === null || row.currentPeriodEndMs > context.nowMs) return false
  // Its provider decides when a period is over.
  if ((await findLink(context.tx, row.id)) !== null) return false
  const boundary = at(row.currentPeriodEndMs)
  // It was not paid within the grace period, so no further period is sold.
  if (row.status === 'past_due' && row.graceDowngradedAtMs !== null) {
    await endUnpaid(atTime(context, row.currentPeriodEndMs), root, row)
    return true
  }
  const moved = granted(transition(toCore(row), { type: 'period_check', provider: { view: 'local' } }, boundary))
  if (moved.subscription.status === 'canceled') await endSubscription(context, root, row, moved.subscription)
  else await rollPeriod(context, root, row)
  await bumpVersion(context, rootOrgId)
  return true
}

/** The event that moves a subscription past the end of its period or of its trial. */
const rollEvent = ({ status }: SubscriptionRow): SubscriptionEvent =>
  status === 'trialing'
    ? { type: 'trial_ended', hasPaymentMethod: true }
    : { type: 'period_check', provider: { view: 'local' } }

async function rollPeriod(context: BillingWriting, root: Root, row: SubscriptionRow): Promise<void> {
  const { tx, runtime } = context
  const { tiers } = runtime.settings
  const boundaryMs = row.currentPeriodEndMs
  const boundary = at(boundaryMs)
  const sources = await lockedSources(context, row)
  const drawn = nextInvoice(tiers, invoiceAccount(row, sources), boundary)
  const pending = pendingOf(row)
  const before = toCore(row)
  const changed: Subscription = { ...before, ...(pending ?? {}) }
  const { subscription } = granted(transition(changed, rollEvent(row), boundary))
  const startMs = toMs(subscription.currentPeriodStart)
  if (drawn === null || drawn.period === null || toMs(drawn.period.start) !== startMs) {
    throw new TypeError(
      `the invoice of ${row.id} is not for the period that begins at ${subscription.currentPeriodStart}`,
    )
  }
  let next = await writeSubscription(context, row, {
    ...columnsOf(subscription),
    pendingChange: null,
    lastGrantedPeriodStartMs: startMs,
  })
  next = await endStandingRule(context, next, sources, boundary)
  for (const { source, sourceId, dedupeKey, cents } of drawn.grants) {
    if (source === 'promotion') await takeBudget(context, next, sourceId, cents)
    const credit = {
      id: runtime.ids.next(),
      orgId: row.orgId,
      subscriptionId: row.id,
      sourceId,
      dedupeKey,
      cents,
      at: boundary,
    }
    next = await postEntry(context, next, dedupeKey, (ledger) => grant(ledger, credit))
  }
  const invoice = await drawStubInvoice(context, next, {
    drawn,
    period: drawn.period,
    atMs: boundaryMs,
    whenDeclined: 'open',
  })
  await tx.insert(billingTables(tx).billingPeriodRolls).values({
    id: runtime.ids.next(),
    orgId: row.orgId,
    subscriptionId: row.id,
    periodStartMs: startMs,
    invoiceId: invoice.invoiceId,
    createdAtMs: context.nowMs,
  })
  if (row.status === 'trialing') await recordTrialEnd(context, row, subscription)
  await changePlanAtRoll(
    context,
    root,
    { before: row, after: invoice.row, subscription },
    { drawn, invoiceId: invoice.invoiceId },
  )
  if (invoice.isPaid) return
  const failed = { type: 'payment_failed', invoiceId: invoice.invoiceId, attempt: 1 } as const
  await move(context, root, invoice.row, failed)
}

/** The pending change takes effect. */
async function changePlanAtRoll(
  context: BillingWriting,
  root: Root,
  {
    before: row,
    after,
    subscription,
  }: { readonly before: SubscriptionRow; readonly after: SubscriptionRow; readonly subscription: Subscription },
  { drawn, invoiceId }: { readonly drawn: NextInvoice; readonly invoiceId: string },
): Promise<void> {
  if (row.pendingChange === null) return
  await entitleAccount(context, root, subscription)
  await recordTurn(context, row, after, { invoiceId, totalCents: drawn.totalCents })
}

async function recordTrialEnd(context: BillingWriting, row: SubscriptionRow, { status }: Subscription): Promise<void> {
  const details = { status, reason: 'trial_ended' }
  await recordEvent(context, { orgId: row.orgId, subscriptionId: row.id, type: 'subscription_updated', details })
  await context.audit('billing.subscription.status', {
    targetType: 'subscription',
    targetId: row.id,
    affectedOrgId: row.orgId,
    details: { subscriptionId: row.id, planId: row.planId, fromStatus: row.status, status },
  })
}

/** What is due is written off, and the account gets the baseline. Its data stays. */
async function endUnpaid(context: BillingWriting, root: Root, row: SubscriptionRow): Promise<void> {
  await giveUpInvoices(context, row)
  const ended = await move(context, root, row, { type: 'ended', reason: 'unpaid' })
  await tellAccount(context, root, endedUnpaid(context.runtime.settings, ended))
}

/** Locks the promotions, so that their budgets stay as they are read until the roll is committed. */
export async function lockedSources({ tx, runtime }: BillingWriting, row: SubscriptionRow): Promise<InvoiceSources> {
  const first = await sourcesOf(runtime, tx, row)
  if (first.promotions.length === 0) return first
  await lockPromotions(
    tx,
    first.promotions.map(({ id }) => id),
  )
  return sourcesOf(runtime, tx, row)
}

export async function takeBudget(
  context: BillingWriting,
  row: SubscriptionRow,
  sourceId: string,
  amount: number,
): Promise<void> {
  const promotionId = promotionOf(sourceId) ?? ''
  if (!(await reserve(context.tx, promotionId, amount))) {
    throw new TypeError(`the budget of promotion ${promotionId} changed under its lock`)
  }
  await recordGrant(context, row, promotionId, amount)
}

/** A standing discount that was revoked or has expired renews nothing any more. */
async function endStandingRule(
  context: BillingWriting,
  row: SubscriptionRow,
  { discount }: InvoiceSources,
  boundary: Instant,
): Promise<SubscriptionRow> {
  const rule = row.recurringDiscount
  const ends = rule === null ? null : standingRuleEnd(discount, boundary)
  if (rule === null || ends === null) return row
  const details = { reason: 'recurring_ended', why: ends, discountId: rule.discountId }
  await recordEvent(context, { orgId: row.orgId, subscriptionId: row.id, type: 'discount_expired', details })
  return writeSubscription(context, row, { recurringDiscount: null })
}

/**
 * The period was the last one: the account gets the baseline, what is due is written off, and what is left of its
 * credit is forfeited.
 */
async function endSubscription(
  context: BillingWriting,
  root: Root,
  row: SubscriptionRow,
  subscription: Subscription,
): Promise<void> {
  const { runtime } = context
  await giveUpInvoices(context, row)
  const end = { id: runtime.ids.next(), orgId: row.orgId, subscriptionId: row.id, at: at(row.currentPeriodEndMs) }
  const clawed = await clawBack(context, row)
  const key = ledgerKey.forfeit(row.id, clawed.lastSeq + 1)
  const left = await postEntry(context, clawed, key, (ledger) => forfeit(ledger, end))
  await writeSubscription(context, left, { ...columnsOf(subscription), pendingChange: null })
  await entitleAccount(context, root, subscription)
  await recordEvent(context, {
    orgId: row.orgId,
    subscriptionId: row.id,
    type: 'subscription_canceled',
    details: { reason: 'cancel_at_period_end' },
  })
  await context.audit('billing.subscription.status', {
    targetType: 'subscription',
    targetId: row.id,
    affectedOrgId: row.orgId,
    details: { subscriptionId: row.id, planId: row.planId, fromStatus: row.status, status: subscription.status },
  })
}
