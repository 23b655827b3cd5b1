/**
 * What the subscription entitles the account to, written in the transaction that changed it: tier, seats, features, rules of
 * the sets, and what add-ons grant beyond the tier.
 */
import { entitle, type QuotaType, quotaTypes, type Subscription } from '@plumbline/billing-core'
import { applyEntitlement } from '../../identity/index.js'
import { setGrants } from '../../quota/index.js'
import { at } from '../account/subscription.js'
import type { BillingWriting, Root } from '../account/writing.js'

export async function entitleAccount(context: BillingWriting, root: Root, subscription: Subscription): Promise<void> {
  const { tx, runtime, nowMs } = context
  const { tiers, BILLING_ENABLED } = runtime.settings
  const { tier, limits, addonFeatures } = entitle(tiers, {
    subscription,
    now: at(nowMs),
    billingEnabled: BILLING_ENABLED,
    isSystemOrg: root.isSystem,
  })
  const baseline = tiers.tiers[tier].limits
  const seats = limits.seats === baseline.seats ? null : limits.seats
  await applyEntitlement(context, root, { tier, seats, features: addonFeatures })
  const extra = quotaTypes.map((type): [QuotaType, number] => [type, Math.max(0, limits[type] - baseline[type])])
  await setGrants(tx, runtime, root.id, Object.fromEntries(extra))
}
