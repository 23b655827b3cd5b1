/** Looks for periods that are over, each account in a transaction of its own, until none is due. */
import { and, asc, eq, inArray, lte, notExists } from 'drizzle-orm'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Settings } from '../../runtime/settings/load.js'
import type { Db } from '../../runtime/store/db.js'
import { LIVE } from '../account/subscription.js'
import { type BillingWriting, SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { providerTables } from '../provider-tables.js'
import { billingTables } from '../tables.js'
import { rollAccount } from './roll.js'

const KIND = 'billing.lifecycle'
const ACCOUNTS_AT_ONCE = 100
const SYSTEM = { id: 'system', email: null, role: null, impersonatorId: null }

export const lifecycleJob = defineJob({
  kind: KIND,
  payload: strictObject({}),
  audit: SUBSCRIPTION_ACTIONS,
  concurrency: 1,
  async run({ runtime, read, write, nowMs, signal }) {
    // Rows stay as they are while billing is off.
    if (!runtime.settings.BILLING_ENABLED) return
    for (;;) {
      const due = await read((db) => dueAccounts(db, nowMs))
      for (const rootOrgId of due) {
        if (signal.aborted) return
        // A subscription that slept for months catches up period by period.
        while (
          await write((writing) => rollAccount({ ...writing, runtime, actor: SYSTEM } as BillingWriting, rootOrgId))
        );
      }
      if (due.length < ACCOUNTS_AT_ONCE) return
    }
  },
})

export const lifecycleSchedule = ({
  BILLING_LIFECYCLE_CHECK_INTERVAL_MS,
}: Pick<Settings, 'BILLING_LIFECYCLE_CHECK_INTERVAL_MS'>) =>
  defineSchedule({ name: KIND, kind: KIND, everyMs: BILLING_LIFECYCLE_CHECK_INTERVAL_MS, payload: {} })

async function dueAccounts(db: Db, nowMs: number): Promise<string[]> {
  const { billingSubscriptions: t, billingClocks: c } = billingTables(db)
  const { billingProviderLinks: links } = providerTables(db)
  // An account with a test clock rolls when its clock is moved, one with a provider when that says so.
  const clocked = db.select({ id: c.id }).from(c).where(eq(c.orgId, t.orgId))
  const atProvider = db.select({ id: links.id }).from(links).where(eq(links.id, t.id))
  const rows = await db
    .select({ orgId: t.orgId })
    .from(t)
    .where(
      and(inArray(t.status, [...LIVE]), lte(t.currentPeriodEndMs, nowMs), notExists(clocked), notExists(atProvider)),
    )
    .orderBy(asc(t.currentPeriodEndMs))
    .limit(ACCOUNTS_AT_ONCE)
  return rows.map(({ orgId }) => orgId)
}
