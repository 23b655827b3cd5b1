/** A subscription that begins because the marketplace sold it. Nothing is invoiced here. */
import { createSubscription, type EntitledPlan, type SubscriptionStatus } from '@plumbline/billing-core'
import { granted } from '../account/gate.js'
import { insertSubscription } from '../account/insert.js'
import { at, findReserved } from '../account/subscription.js'
import { type BillingWriting, bumpVersion, type Root, writeSubscription } from '../account/writing.js'
import { entitleAccount } from '../entitle/apply.js'
import { recordEvent } from '../event/record.js'
import { givePromotions } from '../promotion/give.js'
import { billingTables, type SubscriptionRow } from '../tables.js'

export async function beginPurchased(
  context: BillingWriting,
  root: Root,
  { planId, interval }: Pick<EntitledPlan, 'planId' | 'interval'>,
  { isClaimed }: { readonly isClaimed: boolean },
): Promise<SubscriptionRow> {
  const { tx, runtime, nowMs } = context
  // A subscription that was never paid for is superseded.
  const reserved = await findReserved(tx, root.id)
  if (reserved !== null) await writeSubscription(context, reserved, { status: 'canceled', canceledAtMs: nowMs })
  const status: SubscriptionStatus = 'active'
  const asked = { id: runtime.ids.next(), orgId: root.id, planId, interval, status, existing: null }
  const { subscription } = granted(createSubscription(asked, at(nowMs)))
  const row = await insertSubscription(context, subscription)
  await tx.insert(billingTables(tx).billingPeriodRolls).values({
    id: runtime.ids.next(),
    orgId: root.id,
    subscriptionId: row.id,
    periodStartMs: row.currentPeriodStartMs,
    invoiceId: null,
    createdAtMs: nowMs,
  })
  await recordEvent(context, {
    orgId: root.id,
    subscriptionId: row.id,
    type: 'subscription_created',
    details: { planId, interval, status, provider: 'marketplace' },
  })
  await context.audit('billing.subscription.create', {
    targetType: 'subscription',
    targetId: row.id,
    affectedOrgId: root.id,
    details: { subscriptionId: row.id, planId, interval, status },
  })
  await entitleAccount(context, root, subscription)
  await bumpVersion(context, root.id)
  // What a subscription earns by beginning is meant for a person, so it waits for the claim.
  return isClaimed ? givePromotions(context, row, 'subscription_created') : row
}
