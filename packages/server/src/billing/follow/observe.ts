/**
 * Takes over what the provider says of a subscription: its status, its period, whether it ends. An answer to our own call, a
 * delivery and a comparison all come through here, so that whichever is first, the account ends in one state. What the account
 * holds (plan, add-ons, credit) is ours and is not taken from there.
 */
import { forfeit, ledgerKey, type SubscriptionEvent, type Transition, transition } from '@plumbline/billing-core'
import { granted } from '../account/gate.js'
import { at, columnsOf, toCore } from '../account/subscription.js'
import { type BillingWriting, bumpVersion, type Root, writeSubscription } from '../account/writing.js'
import { entitleAccount } from '../entitlement/apply.js'
import { type EventType, recordEvent } from '../event/record.js'
import { postEntry } from '../ledger/store.js'
import { clawBack, givePromotions } from '../promotion/give.js'
import { updateLink } from '../provider/link.js'
import type { ProviderSubscription } from '../provider/port.js'
import type { LinkRow } from '../provider-tables.js'
import type { SubscriptionRow } from '../tables.js'
import { openPeriod } from './period.js'

export interface Account {
  readonly root: Root
  readonly row: SubscriptionRow
  readonly link: LinkRow
}

/**
 * @param seenAt when it was true at the provider: older than what was applied, it is left. `read`: it was asked for after that, so
 * it is the newest whatever the clocks say.
 */
export async function observe(
  context: BillingWriting,
  account: Account,
  seen: ProviderSubscription,
  seenAt: number | 'read',
): Promise<Account> {
  const { root } = account
  let { row, link } = account
  if (link.isEnded) return account
  const seenAtMs = seenAt === 'read' ? Math.max(secondOf(context.nowMs), link.seenAtMs) : seenAt
  if (!seen.isEnded && seenAtMs < link.seenAtMs) return account
  link = await updateLink(context, link, {
    externalId: seen.externalId,
    seenAtMs: Math.max(seenAtMs, link.seenAtMs),
    isEnded: seen.isEnded,
    paymentUrl: seen.paymentUrl,
    cancelUnconfirmed: link.cancelUnconfirmed && !seen.cancelAtPeriodEnd && !seen.isEnded,
  })
  if (seen.isEnded) return { root, row: await move(context, root, row, { type: 'ended' }), link }
  row = await openPeriod(context, root, row, { startMs: seen.periodStartMs, endMs: seen.periodEndMs })
  row = await move(context, root, row, { type: 'provider_status', status: seen.status })
  if (row.status !== 'incomplete' && row.status !== 'canceled' && !link.cancelUnconfirmed) {
    const type = seen.cancelAtPeriodEnd ? 'cancel_requested' : 'reactivate_requested'
    row = await move(context, root, row, { type })
  }
  return { root, row, link }
}

/** Providers tell seconds. */
export const secondOf = (ms: number): number => Math.floor(ms / 1000) * 1000

/** One step of the state machine, with all that follows from it. */
export async function move(
  context: BillingWriting,
  root: Root,
  row: SubscriptionRow,
  event: SubscriptionEvent,
): Promise<SubscriptionRow> {
  const moved = granted(transition(toCore(row), event, at(context.nowMs)))
  if (moved.effects.length === 0 && moved.subscription.status === row.status) return row
  return applyMove(context, root, row, moved)
}

async function applyMove(
  context: BillingWriting,
  root: Root,
  row: SubscriptionRow,
  { subscription, effects }: Transition,
): Promise<SubscriptionRow> {
  const { runtime, nowMs } = context
  let next = row
  const ids = { orgId: row.orgId, subscriptionId: row.id }
  for (const effect of effects) {
    if (effect.kind === 'event')
      await recordEvent(context, { ...ids, type: effect.type as EventType, details: effect.details })
    if (effect.kind === 'clawback') next = await clawBack(context, next)
    if (effect.kind === 'forfeit') {
      const key = ledgerKey.forfeit(row.id, next.lastSeq + 1)
      const end = { id: runtime.ids.next(), ...ids, at: at(nowMs) }
      next = await postEntry(context, next, key, (ledger) => forfeit(ledger, end))
    }
  }
  const isOver = subscription.status === 'canceled'
  next = await writeSubscription(context, next, {
    ...columnsOf(subscription),
    ...(isOver ? { pendingChange: null } : {}),
  })
  if (effects.some(({ kind }) => kind === 'entitle')) await entitleAccount(context, root, subscription)
  // What a subscription earns by beginning comes when it is paid for.
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
