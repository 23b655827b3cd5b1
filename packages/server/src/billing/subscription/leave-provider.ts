/**
 * What a deleted organization leaves at the provider: a subscription, which is canceled and holds the purge until the
 * provider has confirmed that; or a purchase at the marketplace, which holds the purge until its buyer has ended it.
 */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { defineJob } from '../../runtime/jobs/define.js'
import type { Enqueue } from '../../runtime/operation/registration.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { openAccount } from '../account/open.js'
import { findLive } from '../account/subscription.js'
import { SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { ENTITLEMENTS_KIND } from '../buyer/kind.js'
import { isPurchased } from '../buyer/record.js'
import { settlingIn } from '../call/job.js'
import { CALLS_KIND } from '../call/kind.js'
import { findLink } from '../provider/link.js'
import { providerTables } from '../provider-tables.js'
import { billingTables } from '../tables.js'
import { endWithPeriod } from './end.js'

const KIND = 'billing.leave'

/** Whether a provider may charge the organization again. Its subscription is canceled then. */
export async function holdsPurge(tx: Tx, orgId: string, enqueue: Enqueue): Promise<boolean> {
  // guard: what-the-marketplace-charges-is-not-purged
  if (await isPurchased(tx, orgId)) {
    // Only its buyer can end it. The purge waits until the marketplace says that it has ended.
    await enqueue({ kind: ENTITLEMENTS_KIND, payload: {}, uniqueKey: 'now' })
    return true
  }
  const { billingProviderLinks: links } = providerTables(tx)
  const { billingSubscriptions: t } = billingTables(tx)
  const [charged] = await tx
    .select({ isEnding: t.cancelAtPeriodEnd, isUnconfirmed: links.cancelUnconfirmed })
    .from(links)
    .innerJoin(t, eq(t.id, links.id))
    .where(and(eq(links.orgId, orgId), eq(links.isEnded, false)))
  if (charged === undefined || (charged.isEnding && !charged.isUnconfirmed)) return false
  await enqueue({ kind: KIND, payload: { orgId }, uniqueKey: orgId })
  return true
}

export const leaveJob = defineJob({
  kind: KIND,
  payload: strictObject({ orgId: Type.String() }),
  audit: SUBSCRIPTION_ACTIONS,
  async run(context, { orgId }) {
    await settlingIn(context).write(async (writing) => {
      const { inTime, root } = await openAccount(writing, orgId)
      const row = await findLive(inTime.tx, orgId)
      // A restored organization keeps its subscription.
      if (row === null || row.cancelAtPeriodEnd || root.deletedAtMs === null) return
      await endWithPeriod(inTime, root, row, { link: await findLink(inTime.tx, row.id) })
      await inTime.enqueue({ kind: CALLS_KIND, payload: {}, uniqueKey: 'now' })
    })
  },
})
