/** Does what has become due, each account in transactions of its own, until nothing is due. */

import { and, asc, eq, gt, inArray, isNull, lt, lte, notExists, or, sql } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Settings } from '../../runtime/settings/load.js'
import type { Db } from '../../runtime/store/db.js'
import { apart } from '../account/apart.js'
import { LIVE } from '../account/subscription.js'
import { SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { settlingIn } from '../call/job.js'
import type { Settling } from '../call/said.js'
import { findOpenCall } from '../call/wish.js'
import { ProviderFault } from '../provider/fault.js'
import { providerTables } from '../provider-tables.js'
import { compareAccount } from '../reconcile/run.js'
import { billingTables } from '../tables.js'
import { lookAhead, settleNext } from './due.js'
import { AT_ONCE, eachAccount, type Place } from './each-account.js'

const KIND = 'billing.lifecycle'

export const lifecycleJob = defineJob({
  kind: KIND,
  payload: strictObject({}),
  audit: SUBSCRIPTION_ACTIONS,
  concurrency: 1,
  async run(context) {
    const { runtime, read, nowMs, signal } = context
    // Rows stay unchanged while billing is off.
    if (!runtime.settings.BILLING_ENABLED) return
    const settling = settlingIn(context)
    // A subscription that was not processed for months catches up step by step.
    const failed = new Set<string>()
    const catchUp = async (orgId: string): Promise<void> => {
      const isDone = await apart(runtime, orgId, async () => {
        while (await settling.write((writing) => settleNext(writing, orgId, nowMs)));
      })
      if (!isDone) failed.add(orgId)
    }
    for (;;) {
      const due = await read((db) => duePeriods(db, nowMs))
      const left = due.filter((orgId) => !failed.has(orgId))
      for (const orgId of left) {
        if (signal.aborted) return
        await catchUp(orgId)
      }
      if (due.length < AT_ONCE || left.length === 0) break
    }
    for (const accounts of [waitingAccounts, renewingAccounts(runtime.settings, nowMs)]) {
      await eachAccount(context, accounts, async (orgId) => {
        if (await knowsPayments(settling, orgId, nowMs)) await catchUp(orgId)
      })
    }
  },
})

export const lifecycleSchedule = ({
  BILLING_LIFECYCLE_CHECK_INTERVAL_MS,
}: Pick<Settings, 'BILLING_LIFECYCLE_CHECK_INTERVAL_MS'>) =>
  defineSchedule({ name: KIND, kind: KIND, everyMs: BILLING_LIFECYCLE_CHECK_INTERVAL_MS, payload: {} })

/**
 * Before a grace period ends, asks the provider whether it was paid meanwhile. So neither a lost delivery nor a time
 * with billing off takes anything from an account that pays.
 *
 * @returns False when this cannot be determined now.
 */
async function knowsPayments(settling: Settling, orgId: string, nowMs: number): Promise<boolean> {
  const { runtime, read } = settling
  const looked = await read((db) => lookAhead(runtime, db, orgId, nowMs))
  const link = looked?.link ?? null
  if (looked === null || link === null || looked.row.graceEndsAtMs === null) return true
  if (looked.row.graceDowngradedAtMs !== null || looked.row.graceEndsAtMs > nowMs) return true
  if ((await read((db) => findOpenCall(db, link.id))) !== null) return false
  try {
    // guard: no-grace-ends-unasked
    await compareAccount(settling, link)
    return true
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    runtime.log?.write('billing.grace_unknown', { org: orgId })
    return false
  }
}

/**
 * Accounts whose period is over, in the order in which the periods ended, because budgets of promotions are spent in
 * that order.
 */
async function duePeriods(db: Db, nowMs: number): Promise<string[]> {
  const { billingSubscriptions: t } = billingTables(db)
  const { billingProviderLinks: links } = providerTables(db)
  // With a provider, a period is over when the provider says so.
  const atProvider = db.select({ id: links.id }).from(links).where(eq(links.id, t.id))
  const rows = await db
    .select({ orgId: t.orgId })
    .from(t)
    .where(
      and(
        inArray(t.status, [...LIVE]),
        lte(t.currentPeriodEndMs, nowMs),
        notExists(clockOf(db)),
        notExists(atProvider),
      ),
    )
    .orderBy(asc(t.currentPeriodEndMs))
    .limit(AT_ONCE)
  return rows.map(({ orgId }) => orgId)
}

/**
 * Accounts in a trial or with a failed payment. They are read by id, so that one that cannot continue now does not
 * block the others.
 */
async function waitingAccounts(db: Db, after: string): Promise<Place[]> {
  const { billingSubscriptions: t } = billingTables(db)
  return db
    .select({ id: t.id, orgId: t.orgId })
    .from(t)
    .where(and(inArray(t.status, ['past_due', 'trialing']), gt(t.id, after), notExists(clockOf(db))))
    .orderBy(asc(t.id))
    .limit(AT_ONCE)
}

/** Subscriptions whose period ends within the days of a reminder, and whose account may not be notified yet. */
const renewingAccounts =
  ({ RENEWAL_REMINDER_DAYS: days }: Pick<Settings, 'RENEWAL_REMINDER_DAYS'>, nowMs: number) =>
  async (db: Db, after: string): Promise<Place[]> => {
    if (days === 0) return []
    const { billingSubscriptions: t } = billingTables(db)
    const leadMs = days * DAY_MS
    return db
      .select({ id: t.id, orgId: t.orgId })
      .from(t)
      .where(
        and(
          eq(t.status, 'active'),
          lte(t.currentPeriodEndMs, nowMs + leadMs),
          gt(t.id, after),
          // Due at the later of the two.
          or(
            isNull(t.toldThroughMs),
            lt(t.toldThroughMs, t.currentPeriodStartMs),
            lt(t.toldThroughMs, sql`${t.currentPeriodEndMs} - ${leadMs}`),
          ),
          notExists(clockOf(db)),
        ),
      )
      .orderBy(asc(t.id))
      .limit(AT_ONCE)
  }

/** An account with a test clock continues when its clock is advanced. */
function clockOf(db: Db) {
  const { billingSubscriptions: t, billingClocks: c } = billingTables(db)
  return db.select({ id: c.id }).from(c).where(eq(c.orgId, t.orgId))
}
