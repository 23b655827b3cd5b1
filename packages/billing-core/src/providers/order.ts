/**
 * What to do with webhooks that arrive late, twice or out of order.
 *
 * An older snapshot of a subscription is recorded and not applied. When two snapshots have the same instant, the newer
 * one is unknown, so the subscription is read again at the provider. Nothing revives a deleted subscription.
 */
import type { Instant } from '../period/instant.js'

export type EventDecision =
  | 'apply'
  /** Ask the provider for the current state and apply that. */
  | 'read_again'
  | 'ignore_older'
  | 'ignore_ended'

export interface SubscriptionEventOrder {
  readonly createdAt: Instant
  readonly isDeletion: boolean
}

export interface AppliedEvents {
  /** The time of the newest event that was applied to this external subscription; null before the first. */
  readonly providerEventAt: Instant | null
  readonly externalEnded: boolean
}

/**
 * Decides what to do with a webhook, given the newest event that was applied. A deletion is applied even when it is
 * older.
 */
export function orderSubscriptionEvent(event: SubscriptionEventOrder, applied: AppliedEvents): EventDecision {
  if (applied.externalEnded) return 'ignore_ended'
  if (event.isDeletion || applied.providerEventAt === null) return 'apply'
  if (event.createdAt < applied.providerEventAt) return 'ignore_older'
  return event.createdAt === applied.providerEventAt ? 'read_again' : 'apply'
}

export interface InvoiceFailure {
  readonly invoiceId: string
  readonly periodStart: Instant
}

export interface PaidInvoices {
  readonly paidInvoiceIds: ReadonlySet<string>
  readonly lastPaidPeriodStart: Instant | null
}

/** True unless that invoice, or a later period, has been paid since. */
export function countsAsFailure(failure: InvoiceFailure, paid: PaidInvoices): boolean {
  if (paid.paidInvoiceIds.has(failure.invoiceId)) return false
  return paid.lastPaidPeriodStart === null || failure.periodStart >= paid.lastPaidPeriodStart
}
