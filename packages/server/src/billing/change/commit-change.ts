/**
 * Commits what `planTheChange` computed, in one transaction: the subscription, the invoice, entitlements, events,
 * evidence. Plans and add-ons change by the same steps.
 */
import type { Subscription } from '@plumbline/billing-core'
import { toCore } from '../account/subscription.js'
import { type BillingWriting, bumpVersion, type Recording, type Root, writeSubscription } from '../account/writing.js'
import { checkAlerts } from '../alert/check.js'
import { entitleAccount } from '../entitle/apply.js'
import { recordEvent } from '../event/record.js'
import { drawStubInvoice } from '../invoice/draw.js'
import { givePromotions } from '../promotion/give.js'
import type { SubscriptionRow } from '../tables.js'
import type { PlannedChange } from './plan-change.js'
import { recordAddons, recordPlanChange, recordPruned } from './record-change.js'

export interface Committed {
  readonly row: SubscriptionRow
  readonly invoiceId: string | null
}

/** The part of a planned change that is committed. Its price was computed here, or was charged by a provider. */
export type CommittedChange = Pick<
  PlannedChange,
  'when' | 'after' | 'pendingChange' | 'invoiceNow' | 'pruned' | 'cascaded' | 'lostCombos'
>

/** Commits a change. The caller holds the row's lock and has checked everything that can refuse the change. */
export async function commitChange(
  context: BillingWriting,
  root: Root,
  row: SubscriptionRow,
  { planned, atMs }: { readonly planned: CommittedChange; readonly atMs: number },
): Promise<Committed> {
  const { when, after, invoiceNow, pendingChange } = planned
  const { planId, interval, addons } = after
  const isOtherPlan = planId !== row.planId || interval !== row.interval
  if (when === 'period_end') {
    const next = await writeSubscription(context, row, { pendingChange })
    await bumpVersion(context, root.id)
    await recordPlanChange(context, row, next, { when, planId, interval })
    await checkAlerts(context, root)
    return { row: next, invoiceId: null }
  }
  let next = await writeSubscription(context, row, { planId, interval, addons, pendingChange })
  let invoiceId: string | null = null
  if (invoiceNow !== null) {
    const drawn = await drawStubInvoice(context, next, {
      drawn: invoiceNow,
      period: null,
      atMs,
      whenDeclined: 'refuse',
    })
    next = drawn.row
    invoiceId = drawn.invoiceId
  }
  await bumpVersion(context, root.id)
  const changed: Subscription = { ...toCore(row), planId, interval, addons }
  await entitleAccount(context, root, changed)
  const totalCents = invoiceNow?.totalCents ?? 0
  if (isOtherPlan) await recordPlanChange(context, row, next, { when, planId, interval, invoiceId, totalCents })
  if (planId !== row.planId) next = await givePromotions(context, next, 'plan_change')
  await recordPruned(context, next, planned.pruned)
  await recordAddons(context, row, next, planned)
  await recordLostCombos(context, next, planned.lostCombos)
  await checkAlerts(context, root)
  return { row: next, invoiceId }
}

async function recordLostCombos(
  context: Recording<'billing.combo.expired'>,
  after: SubscriptionRow,
  lost: PlannedChange['lostCombos'],
): Promise<void> {
  for (const { comboId, savingCents } of lost) {
    const details = { comboId, creditCents: savingCents }
    await recordEvent(context, { orgId: after.orgId, subscriptionId: after.id, type: 'combo_expired', details })
    await context.audit('billing.combo.expired', {
      targetType: 'subscription',
      targetId: after.id,
      affectedOrgId: after.orgId,
      details: { ...details, subscriptionId: after.id },
    })
  }
}
