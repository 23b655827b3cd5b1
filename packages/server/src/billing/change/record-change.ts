/** Events and evidence of a change of plan, at once or at the end of a period. */
import { type PrunedAddon, pruneForTier, type SoldTier } from '@plumbline/billing-core'
import { toIso } from '../../runtime/clock.js'
import type { Cascaded } from '../account/set-addons.js'
import type { Recording } from '../account/writing.js'
import { recordEvent } from '../event/record.js'
import type { SubscriptionRow } from '../tables.js'
import type { When } from './plan-change.js'

export interface RecordedChange {
  readonly when: When
  readonly planId: string
  readonly interval: string
  readonly invoiceId?: string | null
  readonly totalCents?: number
}

export async function recordPlanChange(
  context: Recording<'billing.subscription.change'>,
  before: SubscriptionRow,
  after: SubscriptionRow,
  { when, planId, interval, invoiceId = null, totalCents = 0 }: RecordedChange,
): Promise<void> {
  const owner = { orgId: after.orgId, subscriptionId: after.id }
  const effectiveAt = toIso(when === 'now' ? context.nowMs : after.currentPeriodEndMs)
  const about = { when, effectiveAt }
  if (planId !== before.planId) {
    await recordEvent(context, {
      ...owner,
      type: 'plan_changed',
      details: { from: before.planId, to: planId, ...about },
    })
  }
  if (interval !== before.interval) {
    const details = { from: before.interval, to: interval, ...about }
    await recordEvent(context, { ...owner, type: 'interval_changed', details })
  }
  if (planId === before.planId && interval === before.interval) {
    await recordEvent(context, {
      ...owner,
      type: 'subscription_updated',
      details: { reason: after.pendingChange === null ? 'pending_change_dropped' : 'addons_scheduled' },
    })
  }
  await context.audit('billing.subscription.change', {
    targetType: 'subscription',
    targetId: after.id,
    affectedOrgId: after.orgId,
    details: {
      subscriptionId: after.id,
      planId,
      interval,
      fromPlanId: before.planId,
      fromInterval: before.interval,
      ...about,
      ...(invoiceId === null ? {} : { invoiceId, totalCents }),
    },
  })
}

/** Add-ons that the new plan includes or does not sell. */
export async function recordPruned(
  context: Recording<'billing.addon.prune'>,
  after: SubscriptionRow,
  pruned: readonly PrunedAddon[],
): Promise<void> {
  const owner = { orgId: after.orgId, subscriptionId: after.id }
  for (const { bundleId, pruneReason, cascadedFrom } of pruned) {
    const details = { reason: 'addon_pruned', bundleId, pruneReason }
    await recordEvent(context, { ...owner, type: 'subscription_updated', details })
    await context.audit('billing.addon.prune', {
      targetType: 'subscription',
      targetId: after.id,
      affectedOrgId: after.orgId,
      details: {
        bundleId,
        pruneReason,
        subscriptionId: after.id,
        ...(cascadedFrom === undefined ? {} : { cascadedFrom }),
      },
    })
  }
}

/** One event and one row of evidence for each add-on whose quantity changed. Pruned add-ons have their own. */
export async function recordAddons(
  context: Recording<'billing.addon.add' | 'billing.addon.remove'>,
  before: SubscriptionRow,
  after: SubscriptionRow,
  { cascaded, pruned }: { readonly cascaded: readonly Cascaded[]; readonly pruned: readonly PrunedAddon[] },
): Promise<void> {
  const quantities = (row: SubscriptionRow) => new Map(row.addons.map((each) => [each.bundleId, each.quantity]))
  const [was, is] = [quantities(before), quantities(after)]
  const prunedIds = new Set(pruned.map(({ bundleId }) => bundleId))
  for (const bundleId of new Set([...was.keys(), ...is.keys()])) {
    const quantity = is.get(bundleId) ?? 0
    if (quantity === (was.get(bundleId) ?? 0) || prunedIds.has(bundleId)) continue
    const cascadedFrom = cascaded.find((each) => each.bundleId === bundleId)?.cascadedFrom
    const from = cascadedFrom === undefined ? {} : { cascadedFrom }
    const reason = quantity === 0 ? 'addon_removed' : 'addon_set'
    await recordEvent(context, {
      orgId: after.orgId,
      subscriptionId: after.id,
      type: 'subscription_updated',
      details: { reason, bundleId, quantity, previousQuantity: was.get(bundleId) ?? 0, ...from },
    })
    await context.audit(quantity === 0 ? 'billing.addon.remove' : 'billing.addon.add', {
      targetType: 'subscription',
      targetId: after.id,
      affectedOrgId: after.orgId,
      details: { bundleId, quantity, subscriptionId: after.id, ...from },
    })
  }
}

/** The change that waited takes effect with a period: what immediate changes record. */
export async function recordTurn(
  context: Recording<
    'billing.subscription.change' | 'billing.addon.add' | 'billing.addon.remove' | 'billing.addon.prune'
  >,
  before: SubscriptionRow,
  after: SubscriptionRow,
  billed: Pick<RecordedChange, 'invoiceId' | 'totalCents'> = {},
): Promise<void> {
  const { tiers } = context.runtime.settings
  const { planId, interval } = after
  const { pruned } = pruneForTier(tiers, before.planId as SoldTier, planId as SoldTier, before.addons)
  if (planId !== before.planId || interval !== before.interval) {
    await recordPlanChange(context, before, after, { when: 'now', planId, interval, ...billed })
  }
  await recordPruned(context, after, pruned)
  await recordAddons(context, before, after, { cascaded: [], pruned })
}
