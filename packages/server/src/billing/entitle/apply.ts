/**
 * Applies what the subscription entitles the account to, in the transaction that changed the subscription: tier, seats,
 * features, rules of the sets, and what add-ons grant beyond the tier.
 */
import {
  type Entitlement,
  entitle,
  type Limits,
  type QuotaType,
  quotaTypes,
  type Subscription,
} from '@plumbline/billing-core'
import { applyEntitlement } from '../../identity/index.js'
import { setGrants } from '../../quota/index.js'
import { findPort } from '../../runtime/port.js'
import { type BoughtRetention, reportRetentionPort } from '../../runtime/records/report-retention.js'
import { at } from '../account/subscription.js'
import type { BillingWriting, Root } from '../account/writing.js'

const RETENTION = ['eventRetentionDays', 'doraRetentionDays'] as const

export async function entitleAccount(context: BillingWriting, root: Root, subscription: Subscription): Promise<void> {
  const { tx, runtime, nowMs } = context
  const { tiers, BILLING_ENABLED } = runtime.settings
  const entitlement = entitle(tiers, {
    subscription,
    now: at(nowMs),
    billingEnabled: BILLING_ENABLED,
    isSystemOrg: root.isSystem,
  })
  const { tier, limits, addonFeatures } = entitlement
  const baseline = tiers.tiers[tier].limits
  const seats = limits.seats === baseline.seats ? null : limits.seats
  await applyEntitlement(context, root, { tier, seats, features: addonFeatures })
  const extra = quotaTypes.map((type): [QuotaType, number] => [type, Math.max(0, limits[type] - baseline[type])])
  await setGrants(tx, runtime, root.id, Object.fromEntries(extra))
  // guard: an-add-on-extends-retention
  await findPort(runtime, reportRetentionPort)?.follow(tx, root.id, boughtRetention(entitlement, baseline))
}

export function boughtRetention({ limits, retention }: Entitlement, baseline: Limits): BoughtRetention {
  const { eventRetentionDays: eventDays, doraRetentionDays: factDays } = retention
  return { eventDays, factDays, isExtended: RETENTION.some((limit) => limits[limit] !== baseline[limit]) }
}
