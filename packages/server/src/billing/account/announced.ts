/** Queues the credit of a period whose invoice the provider has announced, for changes that do not grant it themselves. */
import { and, eq, gt, type Placeholder } from 'drizzle-orm'
import type { OutboxMessage } from '../../runtime/operation/context.js'
import { prepared } from '../../runtime/store/prepared.js'
import { providerTables } from '../provider-tables.js'
import type { BillingBase } from './writing.js'

export const ANNOUNCED_KIND = 'billing.announced'

/** What these need of a change. */
export type Queuing = Pick<BillingBase, 'tx' | 'nowMs'> & { enqueue(message: OutboxMessage): Promise<void> }

/** Queued with the change. Nothing is queued when no invoice of the account is announced. */
export async function creditAnnounced({ tx, nowMs, enqueue }: Queuing, rootOrgId: string): Promise<void> {
  const [one] = await announcedTo(tx, { orgId: rootOrgId, nowMs })
  if (one !== undefined) await enqueue({ kind: ANNOUNCED_KIND, payload: { orgId: rootOrgId } })
}

/** The same for every account whose invoice is announced. */
export const creditAllAnnounced = ({ enqueue }: Pick<Queuing, 'enqueue'>): Promise<void> =>
  enqueue({ kind: ANNOUNCED_KIND, payload: {} })

const announcedTo = prepared((db, value: (name: 'orgId' | 'nowMs') => Placeholder) => {
  const { billingProviderLinks: t } = providerTables(db)
  return db
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.orgId, value('orgId')), gt(t.announcedPeriodStartMs, value('nowMs'))))
    .limit(1)
})
