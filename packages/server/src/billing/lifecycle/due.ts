/**
 * What becomes due by time, one step after the other, each in the transaction of its caller: the hourly job, or a test
 * clock that is advanced. LAW: one large step has the same result as any sequence of smaller steps.
 */
import { type Agenda, type Due, type NextInvoice, nextDue, nextInvoice } from '@plumbline/billing-core'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { findClock, paymentsFail } from '../account/decline.js'
import { atTime } from '../account/open.js'
import { at, findLive, toCore, toMs } from '../account/subscription.js'
import { type BillingWriting, lockRoot, type Root, writeSubscription } from '../account/writing.js'
import { checkAlerts } from '../alert/check.js'
import { findPurchaseOf } from '../buyer/record.js'
import { renewPeriod } from '../follow/period.js'
import { invoiceAccount } from '../invoice/account.js'
import { openInvoices, payInvoices } from '../invoice/open.js'
import { sourcesOf } from '../invoice/sources.js'
import { tellAccount } from '../notice/send.js'
import { graceEnded, paymentDue, renewing, trialEnding } from '../notice/text.js'
import { findLink } from '../provider/link.js'
import type { LinkRow } from '../provider-tables.js'
import { rollAccount } from '../roll/roll.js'
import { move } from '../state/move.js'
import type { ClockRow, SubscriptionRow } from '../tables.js'

interface Looked {
  readonly row: SubscriptionRow
  readonly link: LinkRow | null
  readonly clock: ClockRow | null
  readonly due: Due
}

/** Returns what is due at or before the instant; null when nothing is. */
export async function lookAhead(
  { settings }: Pick<Runtime, 'settings'>,
  db: Db,
  rootOrgId: string,
  untilMs: number,
): Promise<Looked | null> {
  const row = await findLive(db, rootOrgId)
  if (row === null) return null
  const link = await findLink(db, row.id)
  const clock = await findClock(db, rootOrgId)
  const agenda: Agenda = {
    toldThrough: row.toldThroughMs === null ? null : at(row.toldThroughMs),
    dunningDays: settings.BILLING_DUNNING_DAYS,
    reminderDays: settings.RENEWAL_REMINDER_DAYS,
    isLocal: link === null,
    paysAt: clock?.failUntilMs == null ? null : at(clock.failUntilMs),
  }
  const due = nextDue(toCore(row), agenda)
  return due === null || toMs(due.at) > untilMs ? null : { row, link, clock, due }
}

/**
 * Does the next thing that is due at or before the instant.
 *
 * @returns True when something was due.
 */
export async function settleNext(context: BillingWriting, rootOrgId: string, untilMs: number): Promise<boolean> {
  const root = await lockRoot(context, rootOrgId)
  const looked = await lookAhead(context.runtime, context.tx, rootOrgId, untilMs)
  if (looked === null) return false
  const { due, clock } = looked
  // In a sandbox it happens at the instant when it was due. In a paying account it happens when it is done.
  const then = clock === null ? context : atTime(context, toMs(due.at))
  await settle(then, root, looked)
  await checkAlerts(then, root)
  return true
}

async function settle(context: BillingWriting, root: Root, looked: Looked): Promise<void> {
  const { row, due } = looked
  const { settings } = context.runtime
  switch (due.kind) {
    case 'trial_end':
    case 'period_end':
      if ((await findPurchaseOf(context.tx, row.id)) === null) await rollAccount(context, row.orgId)
      else await renewPeriod(context, root, row)
      return
    case 'trial_notice':
      await announceTrialEnd(context, root, looked)
      await told(context, row, due)
      return
    case 'renewal_notice':
      await remind(context, root, row)
      await told(context, row, due)
      return
    case 'dunning':
      await dun(context, root, looked)
      return
    case 'payment':
      await recover(context, root, row)
      return
    case 'grace_end': {
      const lapsed = await move(context, root, row, { type: 'grace_check' })
      await tellAccount(context, root, graceEnded(settings, lapsed), looked.link?.paymentUrl)
    }
  }
}

async function announceTrialEnd(context: BillingWriting, root: Root, { row, link }: Looked): Promise<void> {
  const totalCents = (await invoiceAhead(context, row))?.totalCents ?? 0
  const text = trialEnding(context.runtime.settings, row, { totalCents, isCharged: link !== null })
  await tellAccount(context, root, text)
}

async function invoiceAhead({ tx, runtime, nowMs }: BillingWriting, row: SubscriptionRow): Promise<NextInvoice | null> {
  const { tiers } = runtime.settings
  return nextInvoice(tiers, invoiceAccount(row, await sourcesOf(runtime, tx, row)), at(nowMs))
}

/** Once in a period. No reminder is sent for a period that is over meanwhile, or that costs nothing. */
async function remind(context: BillingWriting, root: Root, row: SubscriptionRow): Promise<void> {
  const { tx, runtime, nowMs } = context
  if (row.currentPeriodEndMs <= nowMs) return
  // The marketplace invoices by its own calendar, and sends its own reminders.
  if ((await findPurchaseOf(tx, row.id)) !== null) return
  const next = await invoiceAhead(context, row)
  if (next === null || next.subtotalCents === 0) return
  await tellAccount(context, root, renewing(runtime.settings, row, next.totalCents))
}

const told = (context: BillingWriting, row: SubscriptionRow, due: Due): Promise<SubscriptionRow> =>
  writeSubscription(context, row, { toldThroughMs: toMs(due.at) })

/** Notifies the account. Where payments are made here, the payment of what is due is tried first. */
async function dun(context: BillingWriting, root: Root, { row, link, due }: Looked): Promise<void> {
  const { tx, runtime } = context
  const dueMs = toMs(due.at)
  const next = await told(context, row, due)
  const owed = await openInvoices(tx, row)
  const [invoice] = owed
  if (link === null && invoice !== undefined && dueMs !== row.firstFailedAtMs) {
    if (!(await paymentsFail(tx, row.orgId, dueMs))) return recover(context, root, next)
    await move(context, root, next, {
      type: 'payment_failed',
      invoiceId: invoice.id,
      attempt: row.failedPaymentAttempts + 1,
    })
  }
  const dueCents = owed.length === 0 ? null : owed.reduce((sum, { totalCents }) => sum + totalCents, 0)
  await tellAccount(context, root, paymentDue(runtime.settings, row, dueCents), link?.paymentUrl)
}

/** What is due was paid, and all entitlements are restored. */
async function recover(context: BillingWriting, root: Root, row: SubscriptionRow): Promise<void> {
  await payInvoices(context, row)
  await move(context, root, row, { type: 'payment_succeeded' })
}
