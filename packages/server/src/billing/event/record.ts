/**
 * The events of an account's subscription, which the account can read. They are written in the transaction of the
 * change.
 */
import { insertRows } from '../../runtime/store/prepared.js'
import type { BillingBase } from '../account/writing.js'
import { billingTables } from '../tables.js'

export const EVENT_TYPES = [
  'subscription_created',
  'subscription_updated',
  'subscription_canceled',
  'subscription_reactivated',
  'plan_changed',
  'interval_changed',
  'payment_succeeded',
  'payment_failed',
  'discount_generated',
  'discount_issued',
  'discount_applied',
  'discount_removed',
  'discount_expired',
  'discount_revoked',
  'credit_applied',
  'credit_consumed',
  'credit_exhausted',
  'combo_expired',
  'promotion_granted',
  'promotion_clawback',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export interface NewEvent {
  readonly orgId: string
  readonly subscriptionId: string | null
  readonly type: EventType
  readonly details: Readonly<Record<string, unknown>>
}

export type EventRow = ReturnType<typeof billingTables>['billingEvents']['$inferSelect']

export async function recordEvent(context: BillingBase, event: NewEvent): Promise<void> {
  const { billingEvents } = billingTables(context.tx)
  await insertRows(context.tx, billingEvents, [eventRow(context, event)])
}

/** The event as it is stored. */
export function eventRow(
  { runtime, nowMs, actor }: Pick<BillingBase, 'runtime' | 'nowMs' | 'actor'>,
  event: NewEvent,
): EventRow {
  const actorId = actor.id === 'system' ? null : actor.id
  return { id: runtime.ids.next(), ...event, actorId, createdAtMs: nowMs }
}
