/**
 * Webhooks arrive late, twice and out of order. An older snapshot of a subscription is recorded but not applied; two of
 * one instant cannot be told apart and are read again at the provider; nothing revives a deleted subscription.
 */
import type { Instant } from '../period/instant.js'

export type EventDecision =
  | 'apply'
  /** Ask the provider for the present state and apply that. */
  | 'read_again'
  | 'ignore_older'
  | 'ignore_ended'

export interface SubscriptionEventOrder {
  readonly createdAt: Instant
  readonly isDeletion: boolean
}

export interface AppliedEvents {
  /** Of the newest event applied to this external subscription; null before the first. */
  readonly providerEventAt: Instant | null
  readonly externalEnded: boolean
}

/** What to do with a webhook, given the newest event that was applied. A deletion is applied whatever its age. */
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

/** A failed payment counts unless that invoice, or a later period, has been paid since. */
export function countsAsFailure(failure: InvoiceFailure, paid: PaidInvoices): boolean {
  if (paid.paidInvoiceIds.has(failure.invoiceId)) return false
  return paid.lastPaidPeriodStart === null || failure.periodStart >= paid.lastPaidPeriodStart
}
