/**
 * What determines the next invoice of an account. The preview, the answer about the invoice, and the roll use the same
 * description.
 */
import {
  type AnnouncedGrant,
  cents,
  type Discount,
  type Holding,
  type Interval,
  type InvoiceAccount,
  type Promotion,
  type SoldTier,
} from '@plumbline/billing-core'
import { at, toCore } from '../account/subscription.js'
import type { SubscriptionRow } from '../tables.js'

/** What is stored outside the subscription's row: its discount, and the promotions that a roll grants. */
export interface InvoiceSources {
  readonly discount: Discount | null
  readonly promotions: readonly Promotion[]
  /** Whether credit has an effect where the account buys. */
  readonly creditSupported: boolean
  /** Of the grants that the next roll would make, those that exist already. */
  readonly grantedKeys: ReadonlySet<string>
  /** What was granted for the next period when its invoice was announced. */
  readonly announced: readonly AnnouncedGrant[]
}

export function invoiceAccount(row: SubscriptionRow, sources: InvoiceSources): InvoiceAccount {
  return {
    subscription: toCore(row),
    pendingChange: pendingOf(row),
    // A change within a period is invoiced at once, so no proration waits for the next invoice.
    prorations: [],
    availableCents: cents(row.balanceCents),
    lastGrantedPeriodStart: row.lastGrantedPeriodStartMs === null ? null : at(row.lastGrantedPeriodStartMs),
    isFirstSubscription: row.isFirst,
    subscriptionStartedAt: at(row.createdAtMs),
    hasPaymentMethod: true,
    ...sources,
  }
}

export function pendingOf({ pendingChange: pending }: Pick<SubscriptionRow, 'pendingChange'>): Holding | null {
  if (pending === null) return null
  return { planId: pending.planId as SoldTier, interval: pending.interval as Interval, addons: pending.addons }
}
