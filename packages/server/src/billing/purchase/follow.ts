/**
 * Applies what the marketplace says of a purchase. Notices are hints: the entitlements that are read decide. A hint
 * decides only what entitlements do not say, such as a future end.
 */

import {
  changePlan,
  type EntitledPlan,
  entitledPlan,
  type Instant,
  type Interval,
  isEntitledValue,
  type MarketplaceEntitlement,
} from '@plumbline/billing-core'
import { toIso } from '../../runtime/clock.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { granted } from '../account/gate.js'
import { at, columnsOf, findLive, findReserved, toCore } from '../account/subscription.js'
import { type BillingWriting, bumpVersion, type Root, writeSubscription } from '../account/writing.js'
import { nextHour, writePurchase } from '../buyer/record.js'
import { recordPlanChange, recordPruned } from '../change/record-change.js'
import { entitleAccount } from '../entitle/apply.js'
import { marketplaceSettings } from '../marketplace/settings.js'
import type { PurchaseRow, ToldEntitlement } from '../marketplace-tables.js'
import { freezeHours } from '../metering/freeze.js'
import { ProviderFault } from '../provider/fault.js'
import { move } from '../state/move.js'
import type { SubscriptionRow } from '../tables.js'
import { beginPurchased } from './begin.js'

/** What a notice says beyond the entitlements. */
export type Hint = 'none' | 'subscribed' | 'failed' | 'ending' | 'ended'

/**
 * Returns the plan of the current entitlements. An expired entitlement entitles to nothing.
 *
 * @throws ProviderFault for a dimension without a plan.
 */
export function planOf(
  { settings }: Pick<Runtime, 'settings'>,
  told: readonly ToldEntitlement[],
  now: Instant,
  interval: Interval,
): EntitledPlan {
  const current = told.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
  const plan = entitledPlan(current.map(toCoreEntitlement), marketplaceSettings(settings).plans, now, interval)
  if (plan.ok) return plan.value
  throw new ProviderFault('refused', plan.refusal.message, { code: 'unmapped_dimension' })
}

const toCoreEntitlement = ({ dimension, value, expiresAt }: ToldEntitlement): MarketplaceEntitlement => ({
  dimension,
  value,
  ...(expiresAt === null ? {} : { expiresAt: expiresAt as Instant }),
})

export interface Followed {
  readonly purchase: PurchaseRow
  /** Null when there is no live subscription. */
  readonly row: SubscriptionRow | null
}

/** Applies the entitlements. The caller holds the lock of the root's row. */
export async function follow(
  context: BillingWriting,
  { root, purchase }: { readonly root: Root; readonly purchase: PurchaseRow },
  told: readonly ToldEntitlement[],
  hint: Hint = 'none',
): Promise<Followed> {
  const { tx, nowMs } = context
  const live = await liveOf(context, purchase)
  const plan = planOf(context.runtime, told, at(nowMs), (live?.interval ?? 'monthly') as Interval)
  const isEntitled = plan.dimension !== null
  const read = await writePurchase(context, await freezeHours(context, root, purchase), {
    entitlements: told,
    entitlementsAtMs: nowMs,
    notSubscribedAtMs: null,
  })
  if (live === null) {
    const begins = isEntitled || hint === 'subscribed' || (hint === 'none' && purchase.subscriptionId === null)
    // An account has one live subscription. Another purchase, or a subscription that was bought here, is not changed.
    // guard: a-purchase-begins-beside-no-other
    if (!begins || (await findLive(tx, root.id)) !== null) return { purchase: read, row: null }
    const isClaimed = purchase.claimedAtMs !== null
    const row = await beginPurchased(context, root, plan, { isClaimed })
    const begun = { subscriptionId: row.id, meteredFromMs: nextHour(nowMs) }
    return { purchase: await writePurchase(context, read, begun), row }
  }
  let row = await followStatus(context, root, live, isEntitled, hint)
  if (row.status !== 'canceled') row = await followPlan(context, root, row, plan)
  return { purchase: read, row: row.status === 'canceled' ? null : row }
}

async function liveOf({ tx }: BillingWriting, { orgId, subscriptionId }: PurchaseRow): Promise<SubscriptionRow | null> {
  if (subscriptionId === null) return null
  const row = (await findLive(tx, orgId)) ?? (await findReserved(tx, orgId))
  return row?.id === subscriptionId ? row : null
}

async function followStatus(
  context: BillingWriting,
  root: Root,
  row: SubscriptionRow,
  isEntitled: boolean,
  hint: Hint,
): Promise<SubscriptionRow> {
  // guard: an-entitled-purchase-is-not-ended-by-a-notice
  if (!isEntitled && hint === 'ended') return move(context, root, row, { type: 'ended', reason: 'marketplace' })
  if (!isEntitled && hint === 'failed')
    return move(context, root, row, { type: 'provider_status', status: 'incomplete' })
  if (hint === 'ending') return move(context, root, row, { type: 'cancel_requested' })
  if (hint !== 'subscribed') {
    return isEntitled && row.status === 'incomplete'
      ? move(context, root, row, { type: 'provider_status', status: 'active' })
      : row
  }
  const active = await move(context, root, row, { type: 'provider_status', status: 'active' })
  return active.cancelAtPeriodEnd ? move(context, root, active, { type: 'reactivate_requested' }) : active
}

/** Usage is not checked, because the marketplace has sold the plan. */
async function followPlan(
  context: BillingWriting,
  root: Root,
  row: SubscriptionRow,
  { planId, interval }: EntitledPlan,
): Promise<SubscriptionRow> {
  if (row.planId === planId && row.interval === interval) return row
  const { tiers } = context.runtime.settings
  const usage = { seats: 0, plugins: 0, pipelines: 0 }
  const before = toCore(row)
  const changed = granted(changePlan(tiers, before, { planId, interval }, usage))
  const after = { ...before, planId: changed.planId, interval: changed.interval, addons: changed.addons }
  const next = await writeSubscription(context, row, { ...columnsOf(after), pendingChange: null })
  await entitleAccount(context, root, after)
  await recordPlanChange(context, row, next, { when: 'now', planId, interval })
  await recordPruned(context, next, changed.pruned)
  await bumpVersion(context, root.id)
  return next
}

/** Each entitlement as the account may read it. */
export function presentTold({ settings }: Pick<Runtime, 'settings'>, told: readonly ToldEntitlement[], now: Instant) {
  const { plans } = marketplaceSettings(settings)
  return told.map(({ dimension, value, expiresAt }) => ({
    dimension,
    planId: plans.get(dimension) ?? null,
    isEntitled: isEntitledValue(value) && (expiresAt === null || expiresAt > now),
    ...(expiresAt === null ? {} : { expirationDate: expiresAt }),
  }))
}

/** What the marketplace last reported, for an operator. */
export const presentPurchase = (runtime: Pick<Runtime, 'settings'>, row: PurchaseRow, now: Instant) => ({
  productCode: row.productCode,
  customerIdentifier: row.customerIdentifier,
  licenseArn: row.licenseArn,
  entitlements: runtime.settings.BILLING_PROVIDER === 'marketplace' ? presentTold(runtime, row.entitlements, now) : [],
  readAt: toIso(row.entitlementsAtMs),
})
