/** A new subscription as it is stored, before anything is granted or drawn. */
import type { Subscription } from '@plumbline/billing-core'
import { billingTables, type SubscriptionRow } from '../tables.js'
import { hasBegun } from './had.js'
import { columnsOf } from './subscription.js'
import type { BillingBase } from './writing.js'

export async function insertSubscription(
  { tx, nowMs }: Pick<BillingBase, 'tx' | 'nowMs'>,
  subscription: Subscription,
): Promise<SubscriptionRow> {
  const row: SubscriptionRow = {
    id: subscription.id,
    orgId: subscription.orgId,
    ...columnsOf(subscription),
    pendingChange: null,
    // Combos and recurring grants begin with the first roll.
    lastGrantedPeriodStartMs: nowMs,
    toldThroughMs: null,
    begunAtMs: subscription.status === 'incomplete' ? null : nowMs,
    isFirst: !(await hasBegun(tx, subscription.orgId)),
    balanceCents: 0,
    lastSeq: 0,
    ledgerHash: '',
    sealedSeq: 0,
    pendingRows: 0,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  }
  await tx.insert(billingTables(tx).billingSubscriptions).values(row)
  return row
}
