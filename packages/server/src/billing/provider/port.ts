/**
 * What billing needs from a payment provider. Every method that writes takes the key of its call, so that a call that
 * is sent twice has its effect once. Instants are in milliseconds, money is in US cents. A negative balance is credit,
 * as at providers.
 */
import type { Addon, Interval, PricedThing, SoldTier, SubscriptionStatus } from '@plumbline/billing-core'

/** The complete wanted state of a subscription, so that several calls can be merged. */
export interface WantedState {
  readonly planId: SoldTier
  readonly interval: Interval
  readonly addons: readonly Addon[]
}

export interface ProviderSubscription {
  readonly externalId: string
  readonly customerId: string
  /** Our id from the metadata; null for a subscription that is not ours. */
  readonly subscriptionId: string | null
  readonly orgId: string | null
  readonly status: SubscriptionStatus
  /** True when it has ended at the provider for ever. */
  readonly isEnded: boolean
  /** What its prices are for; null when one of them is not ours. */
  readonly state: WantedState | null
  readonly cancelAtPeriodEnd: boolean
  /** True while the period is held for a change of the interval: what changes in it is not charged. */
  readonly isPeriodHeld: boolean
  readonly periodStartMs: number
  readonly periodEndMs: number
  /** The key of the call that last changed its state, from the metadata. */
  readonly callKey: string | null
  /** Where the customer pays what is due. Null when nothing is due; undefined when the object does not say. */
  readonly paymentUrl: string | null | undefined
}

export type ProviderInvoiceStatus = 'paid' | 'open' | 'void' | 'uncollectible' | 'draft'

export interface ProviderInvoiceLine {
  readonly label: string
  readonly quantity: number
  readonly cents: number
  /** The plan or bundle of its price; null when the price is not ours. */
  readonly id: string | null
  readonly isProration: boolean
}

export interface ProviderInvoice {
  readonly externalId: string
  readonly customerId: string
  readonly externalSubscriptionId: string | null
  readonly status: ProviderInvoiceStatus
  /** The period that the invoice opens; null when it bills a change. */
  readonly period: { readonly startMs: number; readonly endMs: number } | null
  readonly lines: readonly ProviderInvoiceLine[]
  readonly subtotalCents: number
  readonly taxCents: number
  readonly totalCents: number
  readonly amountPaidCents: number
  readonly startingBalanceCents: number
  readonly endingBalanceCents: number
  /** 0 before the first attempt to charge. */
  readonly attempt: number
  readonly currency: string
  readonly paymentUrl: string | null
  readonly createdAtMs: number
}

/** A change of the balance. Negative cents give credit. */
export interface BalanceChange {
  readonly customerId: string
  readonly cents: number
  /** The id of our row, in the metadata. */
  readonly rowId: string
}

export interface ProviderEvent {
  readonly id: string
  readonly type: string
  readonly createdAtMs: number
  readonly livemode: boolean
  readonly account: string | null
  /** The id of the object that the event is about. */
  readonly objectId: string
  /** As it was delivered. */
  readonly object: unknown
}

export interface SubscriptionRef {
  readonly externalId: string | null
  readonly customerId: string | null
  readonly subscriptionId: string
}

/** When a change is charged: at once, or with the next invoice and without a charge for the current period. */
export type ChargeMoment = 'now' | 'period_end'

/** @throws ProviderFault from every method. */
export interface PaymentProvider {
  readonly kind: 'stub' | 'card_provider' | 'marketplace'
  /** It charges nobody. Its answers are decided in the transaction of the change. */
  readonly isLocal: boolean
  /**
   * By what is known of prices. What is not known yet is read before it is charged.
   *
   * @throws Refusal 400 `PRICE_NOT_CONFIGURED` for what cannot be charged, or not at the price that is shown.
   */
  requireSellable(wanted: WantedState): void
  /** Reads the prices of these things that are not known yet. */
  learnPrices(things: readonly PricedThing[]): Promise<void>
  ensureCustomer(key: string, customer: { orgId: string; name: string }): Promise<string>
  /** Finds the customer with our organization among those that were created since then; null when there is none. */
  findCustomer(of: { orgId: string; sinceMs: number }): Promise<string | null>
  /** Deletes a customer; does nothing when it is deleted already. */
  deleteCustomer(customerId: string): Promise<void>
  createSubscription(
    key: string,
    wanted: WantedState & { customerId: string; subscriptionId: string; orgId: string; trialEndMs: number | null },
  ): Promise<ProviderSubscription>
  applyState(
    key: string,
    wanted: WantedState & {
      externalId: string
      charge: ChargeMoment
      /** The instant for which a charge was shown; null for the time at which the provider makes the change. */
      proratedAtMs: number | null
    },
  ): Promise<ProviderSubscription>
  cancelAtPeriodEnd(key: string, externalId: string): Promise<ProviderSubscription>
  reactivate(key: string, externalId: string): Promise<ProviderSubscription>
  /** Ends the subscription at once and for ever. */
  end(key: string, externalId: string): Promise<ProviderSubscription>
  /** Null when there is none. Without an external id it is looked up by our id. */
  readSubscription(ref: SubscriptionRef): Promise<ProviderSubscription | null>
  adjustCredit(key: string, change: BalanceChange): Promise<{ ref: string }>
  /** The reference of the balance change with our row; null when there is none. */
  findCredit(change: BalanceChange): Promise<{ ref: string } | null>
  readBalance(customerId: string): Promise<number>
  readInvoices(of: { customerId: string; sinceMs: number }): Promise<readonly ProviderInvoice[]>
  readInvoice(externalId: string): Promise<ProviderInvoice | null>
  /** The invoice that a payment paid; null for a payment without one. */
  findInvoiceOfPayment(paymentIntentId: string): Promise<string | null>
  portal(customerId: string, returnUrl: string): Promise<{ url: string }>
  /** From that instant on, oldest first. */
  listEvents(sinceMs: number): AsyncIterable<ProviderEvent>
}
