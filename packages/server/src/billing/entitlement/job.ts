/**
 * Compares what accounts are entitled to with what is in force, and repairs what differs as an operator's resync does.
 * Each run goes on where the last one stopped.
 */
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import type { AuditEntry, Runtime } from '../../runtime/operation/context.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Settings } from '../../runtime/settings/load.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { apart } from '../account/apart.js'
import { findRoot } from '../account/find.js'
import { accountTime, openAccount } from '../account/open.js'
import { findLive, LIVE } from '../account/subscription.js'
import { type BillingWriting, SUBSCRIPTION_ACTIONS, type SubscriptionAction } from '../account/writing.js'
import { SYSTEM } from '../call/job.js'
import { providerTables } from '../provider-tables.js'
import { billingTables, type SubscriptionRow } from '../tables.js'
import { recordDrift } from './drift.js'
import { compareEntitlement } from './expected.js'
import { type Compared, repairEntitlement } from './repair.js'

const KIND = 'billing.entitlement-drift'
/** The name of its place among those of the comparisons. */
const PLACE = 'entitlements'
const AT_ONCE = 100
const PAGES_MAX = 5

export const entitlementDriftJob = defineJob({
  kind: KIND,
  payload: strictObject({}),
  audit: ['billing.tier.override', ...SUBSCRIPTION_ACTIONS],
  concurrency: 1,
  async run({ runtime, read, write, signal }) {
    if (!runtime.settings.BILLING_ENABLED) return
    const comparing: Comparing = {
      runtime,
      read,
      write: (run) => write((writing) => run({ ...writing, runtime, actor: SYSTEM } as Writing)),
    }
    let after = await read(placeOf)
    for (let page = 0; page < PAGES_MAX; page++) {
      const orgIds = await read((db) => accountsAfter(db, after))
      for (const orgId of orgIds) {
        if (signal.aborted) return
        // An account that cannot be repaired stops no other. It is compared again in the next round.
        await apart(runtime, orgId, () => compareAccount(comparing, orgId))
      }
      const isEnd = orgIds.length < AT_ONCE
      after = isEnd ? '' : (orgIds.at(-1) ?? '')
      await comparing.write(({ tx, nowMs }) => putPlace(tx, after, nowMs))
      if (isEnd) return
    }
  },
})

export const entitlementDriftSchedule = ({
  BILLING_RECONCILE_INTERVAL_MS: everyMs,
}: Pick<Settings, 'BILLING_RECONCILE_INTERVAL_MS'>) => defineSchedule({ name: KIND, kind: KIND, everyMs, payload: {} })

type Writing = BillingWriting & {
  audit(action: SubscriptionAction | 'billing.tier.override', entry: AuditEntry): Promise<void>
}

interface Comparing {
  readonly runtime: Runtime
  read<T>(run: (db: Db) => Promise<T>): Promise<T>
  write<T>(run: (writing: Writing) => Promise<T>): Promise<T>
}

async function compareAccount({ runtime, read, write }: Comparing, orgId: string): Promise<void> {
  const found = await read((db) => differing(runtime, db, orgId))
  if (found === null) return
  const { subscriptionId, differs } = found
  const tell = (repaired: boolean) =>
    runtime.log?.write('billing.entitlement_drift', { org: orgId, differs: differs.join(', '), repaired })
  try {
    const done = await write(async (writing) => {
      const { inTime, root } = await openAccount(writing, orgId)
      if (await isEnding(writing.tx, orgId, inTime.nowMs)) return null
      const audit: Writing['audit'] = (action, entry) => writing.audit(action, entry)
      return repairEntitlement({ root, inTime, realMs: writing.nowMs, audit })
    })
    // A change that came in between left nothing to repair.
    if (done !== null && done.before.differs.length > 0) tell(done.after.differs.length === 0)
  } catch (error) {
    await write(({ tx, nowMs }) => recordDrift(tx, { orgId, subscriptionId, differs, isRepaired: false }, nowMs))
    tell(false)
    throw error
  }
}

interface Differing {
  readonly subscriptionId: string
  readonly differs: Compared['differs']
}

async function differing(runtime: Runtime, db: Db, orgId: string): Promise<Differing | null> {
  const root = await findRoot(db, orgId)
  if (root === null) return null
  const realMs = runtime.clock.now()
  const { subscriptionId, differs } = await compareEntitlement(runtime, db, root, realMs)
  if (subscriptionId === null || differs.length === 0) return null
  const { nowMs } = await accountTime(db, root.id, realMs)
  return (await isEnding(db, root.id, nowMs)) ? null : { subscriptionId, differs }
}

/** The lifecycle job ends a grace period, after it asked the provider whether the account paid. */
async function isEnding(db: Db, orgId: string, nowMs: number): Promise<boolean> {
  const row: SubscriptionRow | null = await findLive(db, orgId)
  if (row === null || row.graceEndsAtMs === null) return false
  return row.graceDowngradedAtMs === null && row.graceEndsAtMs <= nowMs
}

async function accountsAfter(db: Db, after: string): Promise<string[]> {
  const { billingSubscriptions: t } = billingTables(db)
  const rows = await db
    .select({ orgId: t.orgId })
    .from(t)
    .where(and(inArray(t.status, [...LIVE]), gt(t.orgId, after)))
    .orderBy(asc(t.orgId))
    .limit(AT_ONCE)
  return rows.map(({ orgId }) => orgId)
}

async function placeOf(db: Db): Promise<string> {
  const { billingProviderCursors: t } = providerTables(db)
  const [row] = await db.select({ comparedId: t.comparedId }).from(t).where(eq(t.provider, PLACE))
  return row?.comparedId ?? ''
}

async function putPlace(tx: Tx, comparedId: string, finishedAtMs: number): Promise<void> {
  const { billingProviderCursors: t } = providerTables(tx)
  const row = { eventsUntilMs: 0, comparedId, drift: [], finishedAtMs }
  await tx
    .insert(t)
    .values({ provider: PLACE, ...row })
    .onConflictDoUpdate({ target: t.provider, set: row })
}
