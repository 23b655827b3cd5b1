/** Queues a check of an account's alerts after its money changed, for changes that do not draw invoices themselves. */
import { eq, type Placeholder } from 'drizzle-orm'
import type { OutboxMessage } from '../../runtime/operation/context.js'
import { prepared } from '../../runtime/store/prepared.js'
import { billingTables } from '../tables.js'
import type { BillingBase } from './writing.js'

export const ALERTS_KIND = 'billing.alerts'

type Queuing = Pick<BillingBase, 'tx'> & { enqueue(message: OutboxMessage): Promise<void> }

/** Queued with the change. Nothing is queued when the account has no alert. */
export async function lookAtAlerts({ tx, enqueue }: Queuing, rootOrgId: string): Promise<void> {
  const [one] = await firstAlert(tx, { orgId: rootOrgId })
  if (one !== undefined) await enqueue({ kind: ALERTS_KIND, payload: { orgId: rootOrgId } })
}

const firstAlert = prepared((db, value: (name: 'orgId') => Placeholder) => {
  const { billingAlerts: t } = billingTables(db)
  return db
    .select({ id: t.id })
    .from(t)
    .where(eq(t.orgId, value('orgId')))
    .limit(1)
})
