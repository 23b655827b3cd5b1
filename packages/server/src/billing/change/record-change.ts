/** Events and evidence of a change of plan, at once or at the end of a period. */
import type { PrunedAddon } from '@plumbline/billing-core'
import { toIso } from '../../runtime/clock.js'
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
