/** Reads the entitlements of every purchase again. This finds lost notices, and ends that no notice reported. */
import { asc, gt } from 'drizzle-orm'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Settings } from '../../runtime/settings/load.js'
import type { Db } from '../../runtime/store/db.js'
import { apart } from '../account/apart.js'
import { SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { ENTITLEMENTS_KIND } from '../buyer/kind.js'
import { settlingIn } from '../call/job.js'
import type { Settling } from '../call/said.js'
import { marketplaceTables } from '../marketplace-tables.js'
import { ProviderFault } from '../provider/fault.js'
import { readPurchase } from './read.js'

const AT_ONCE = 100

export const entitlementsJob = defineJob({
  kind: ENTITLEMENTS_KIND,
  payload: strictObject({}),
  audit: SUBSCRIPTION_ACTIONS,
  concurrency: 1,
  async run(context) {
    const { runtime, read, signal } = context
    if (!runtime.settings.BILLING_ENABLED || runtime.settings.BILLING_PROVIDER !== 'marketplace') return
    const settling = settlingIn(context)
    for (let after = ''; ; ) {
      const found = await read((db) => purchasesAfter(db, after))
      for (const purchase of found) {
        if (signal.aborted) return
        let isAway = false
        await apart(runtime, purchase.orgId, async () => {
          isAway = !(await isAnswered(settling, purchase))
        })
        // The next run finds what this one did not. Every account keeps what it has.
        if (isAway) return
      }
      const last = found.at(-1)
      if (last === undefined || found.length < AT_ONCE) return
      after = last.id
    }
  },
})

export const entitlementsSchedule = ({
  BILLING_RECONCILE_INTERVAL_MS,
}: Pick<Settings, 'BILLING_RECONCILE_INTERVAL_MS'>) =>
  defineSchedule({
    name: ENTITLEMENTS_KIND,
    kind: ENTITLEMENTS_KIND,
    everyMs: BILLING_RECONCILE_INTERVAL_MS,
    payload: {},
  })

interface Waiting {
  readonly id: string
  readonly orgId: string
  readonly isUnsubscribed: boolean
}

/** @returns False while the marketplace is away. */
async function isAnswered(settling: Settling, { id, isUnsubscribed }: Waiting): Promise<boolean> {
  const { log } = settling.runtime
  try {
    await readPurchase(settling, id, isUnsubscribed ? 'ended' : 'none')
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    const { kind, code } = error
    if (kind === 'no_answer') {
      log?.write('billing.marketplace_away', { providerCode: code })
      return false
    }
    log?.write('billing.marketplace_unread', { purchase: id, providerCode: code })
  }
  return true
}

async function purchasesAfter(db: Db, after: string): Promise<Waiting[]> {
  const { billingMarketplaceCustomers: t } = marketplaceTables(db)
  const rows = await db
    .select({ id: t.id, orgId: t.orgId, notSubscribedAtMs: t.notSubscribedAtMs })
    .from(t)
    .where(gt(t.id, after))
    .orderBy(asc(t.id))
    .limit(AT_ONCE)
  return rows.map(({ id, orgId, notSubscribedAtMs }) => ({ id, orgId, isUnsubscribed: notSubscribedAtMs !== null }))
}
