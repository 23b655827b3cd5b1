/** A new subscription as it is stored, before anything is granted or drawn. */
import type { Subscription } from '@plumbline/billing-core'
import type { Db } from '../../runtime/store/db.js'
import { billingTables, type SubscriptionRow } from '../tables.js'
import { hasBegun } from './had.js'
import { columnsOf } from './subscription.js'
import { useTrial } from './trial.js'
import type { BillingBase } from './writing.js'

export async function insertSubscription(base: BillingBase, subscription: Subscription): Promise<SubscriptionRow> {
  const { tx, nowMs } = base
  const row = await newRow(tx, subscription, nowMs)
  await tx.insert(billingTables(tx).billingSubscriptions).values(row)
  if (row.status === 'trialing') await useTrial(base, row.orgId)
  return row
}

/** The row that a subscription has when it begins now. */
export async function newRow(db: Db, subscription: Subscription, nowMs: number): Promise<SubscriptionRow> {
  return {
    id: subscription.id,
    orgId: subscription.orgId,
    ...columnsOf(subscription),
    pendingChange: null,
    // Combos and recurring grants begin with the first roll.
    lastGrantedPeriodStartMs: nowMs,
    toldThroughMs: null,
    begunAtMs: subscription.status === 'incomplete' ? null : nowMs,
    isFirst: !(await hasBegun(db, subscription.orgId)),
    balanceCents: 0,
    lastSeq: 0,
    ledgerHash: '',
    sealedSeq: 0,
    pendingRows: 0,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  }
}
