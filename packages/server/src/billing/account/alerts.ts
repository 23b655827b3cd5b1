/** Has the alerts of an account looked at in the second after its money changed, by those who do not draw invoices. */
import { eq } from 'drizzle-orm'
import type { OutboxMessage } from '../../runtime/operation/context.js'
import { billingTables } from '../tables.js'
import type { BillingBase } from './writing.js'

export const ALERTS_KIND = 'billing.alerts'

type Queuing = Pick<BillingBase, 'tx'> & { enqueue(message: OutboxMessage): Promise<void> }

/** Queued with the change; nothing where the account has no alert. */
export async function lookAtAlerts({ tx, enqueue }: Queuing, rootOrgId: string): Promise<void> {
  const { billingAlerts: t } = billingTables(tx)
  const [one] = await tx.select({ id: t.id }).from(t).where(eq(t.orgId, rootOrgId)).limit(1)
  if (one !== undefined) await enqueue({ kind: ALERTS_KIND, payload: { orgId: rootOrgId } })
}
