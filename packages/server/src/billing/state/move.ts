/** One step of a subscription's state machine with all its consequences, no matter who takes the step. */
import {
  forfeit,
  ledgerKey,
  type SubscriptionEvent,
  type Transition,
  type TransitionSettings,
  transition,
} from '@plumbline/billing-core'
import type { Runtime } from '../../runtime/operation/context.js'
import { granted } from '../account/gate.js'
import { at, columnsOf, toCore } from '../account/subscription.js'
import { useTrial } from '../account/trial.js'
import { type BillingWriting, bumpVersion, type Recording, type Root, writeSubscription } from '../account/writing.js'
import { entitleAccount } from '../entitle/apply.js'
import { type EventType, recordEvent } from '../event/record.js'
import { postEntry } from '../ledger/store.js'
import { clawBack, givePromotions } from '../promotion/give.js'
import type { SubscriptionRow } from '../tables.js'

export const transitionSettings = ({ settings }: Pick<Runtime, 'settings'>): TransitionSettings => ({
  gracePeriodDays: settings.PAYMENT_GRACE_PERIOD_DAYS,
})

/** Takes one step of the state machine, with all its consequences. */
export async function move(
  context: BillingWriting,
  root: Root,
  row: SubscriptionRow,
  event: SubscriptionEvent,
): Promise<SubscriptionRow> {
  const moved = granted(transition(toCore(row), event, at(context.nowMs), transitionSettings(context.runtime)))
  if (moved.effects.length === 0 && moved.subscription.status === row.status) return row
  const next = await applyMove(context, root, row, moved)
  const isEnd = event.type === 'cancel_requested' || event.type === 'reactivate_requested'
  if (isEnd && next.cancelAtPeriodEnd !== row.cancelAtPeriodEnd) await recordEnd(context, next)
  return next
}

/** The account asked for it, or it was set at the provider. */
export async function recordEnd(context: BillingWriting, row: SubscriptionRow): Promise<void> {
  await context.audit(row.cancelAtPeriodEnd ? 'billing.subscription.cancel' : 'billing.subscription.reactivate', {
    targetType: 'subscription',
    targetId: row.id,
    affectedOrgId: row.orgId,
    details: { subscriptionId: row.id, planId: row.planId, effectiveAt: at(row.currentPeriodEndMs) },
  })
}

type CreditWriting = Recording<'billing.promotion.clawback' | 'billing.credit.consumed' | 'billing.credit.exhausted'>

/** What becomes of the credit of a subscription by this step. */
export async function settleCredit(
  context: CreditWriting,
  row: SubscriptionRow,
  effects: Transition['effects'],
): Promise<SubscriptionRow> {
  const { runtime, nowMs } = context
  let next = row
  for (const { kind } of effects) {
    if (kind === 'clawback') next = await clawBack(context, next)
    if (kind !== 'forfeit') continue
    const key = ledgerKey.forfeit(row.id, next.lastSeq + 1)
    const end = { id: runtime.ids.next(), orgId: row.orgId, subscriptionId: row.id, at: at(nowMs) }
    next = await postEntry(context, next, key, (ledger) => forfeit(ledger, end))
  }
  return next
}

async function applyMove(
  context: BillingWriting,
  root: Root,
  row: SubscriptionRow,
  { subscription, effects }: Transition,
): Promise<SubscriptionRow> {
  const ids = { orgId: row.orgId, subscriptionId: row.id }
  for (const effect of effects) {
    if (effect.kind === 'event')
      await recordEvent(context, { ...ids, type: effect.type as EventType, details: effect.details })
  }
  let next = await settleCredit(context, row, effects)
  const isOver = subscription.status === 'canceled'
  const isUnpaid = subscription.status === 'incomplete'
  const begins = row.begunAtMs === null && !isOver && !isUnpaid
  next = await writeSubscription(context, next, {
    ...columnsOf(subscription),
    ...(begins ? { begunAtMs: context.nowMs } : {}),
    ...(isOver ? { pendingChange: null } : {}),
  })
  if (begins && subscription.status === 'trialing') await useTrial(context, row.orgId)
  if (effects.some(({ kind }) => kind === 'entitle')) await entitleAccount(context, root, subscription)
  // What a subscription earns by beginning is granted when it is paid.
  if (row.status === 'incomplete' && subscription.status === 'active') {
    next = await givePromotions(context, next, 'subscription_created')
  }
  await bumpVersion(context, row.orgId)
  if (subscription.status !== row.status) {
    await context.audit('billing.subscription.status', {
      targetType: 'subscription',
      targetId: row.id,
      affectedOrgId: row.orgId,
      details: { subscriptionId: row.id, planId: row.planId, fromStatus: row.status, status: subscription.status },
    })
  }
  return next
}
