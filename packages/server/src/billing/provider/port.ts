/**
 * What billing asks of the service that charges. Every method but the reading ones takes the key of its call, so that a call that
 * is sent twice has its effect once. Instants are milliseconds, money is US cents; credit is a negative balance, as providers keep it.
 */
import type { Addon, Interval, SoldTier, SubscriptionStatus } from '@plumbline/billing-core'

/** What a subscription is for: the whole of it, so that calls coalesce. */
export interface WantedState {
  readonly planId: SoldTier
  readonly interval: Interval
  readonly addons: readonly Addon[]
}

export interface ProviderSubscription {
  readonly externalId: string
  readonly customerId: string
  /** Our id, as it stands in the metadata; null for a subscription that is not ours. */
  readonly subscriptionId: string | null
  readonly orgId: string | null
  readonly status: SubscriptionStatus
  /** It is over for ever at the provider. */
  readonly isEnded: boolean
  /** What its prices stand for; null where one of them is not ours. */
  readonly state: WantedState | null
  readonly cancelAtPeriodEnd: boolean
  readonly periodStartMs: number
  readonly periodEndMs: number
  /** The key of the call that last changed its state, from the metadata. */
  readonly callKey: string | null
  /** Where the customer pays what is due. */
  readonly paymentUrl: string | null
}

export type ProviderInvoiceStatus = 'paid' | 'open' | 'void' | 'uncollectible' | 'draft'

export interface ProviderInvoiceLine {
  readonly label: string
  readonly quantity: number
  readonly cents: number
  /** The plan or bundle of its price; null for what has none of ours. */
  readonly id: string | null
  readonly isProration: boolean
}

export interface ProviderInvoice {
  readonly externalId: string
  readonly customerId: string
  readonly externalSubscriptionId: string | null
  readonly status: ProviderInvoiceStatus
  /** The period that it opens; null for one that bills a change. */
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

/** A change of the balance: cents that are negative give credit. */
export interface BalanceChange {
  readonly customerId: string
  readonly cents: number
  /** Our row, found again in the metadata. */
  readonly rowId: string
}

export interface ProviderEvent {
  readonly id: string
  readonly type: string
  readonly createdAtMs: number
  readonly livemode: boolean
  readonly account: string | null
  /** Of the object that it tells of. */
  readonly objectId: string
  /** As it was delivered. */
  readonly object: unknown
}

export interface SubscriptionRef {
  readonly externalId: string | null
  readonly customerId: string | null
  readonly subscriptionId: string
}

/** When a changed state is charged: at once, or with the next invoice, without anything for the period that runs. */
export type ChargeMoment = 'now' | 'period_end'

/** @throws ProviderFault of every method. */
export interface PaymentProvider {
  readonly kind: 'stub' | 'card_provider' | 'marketplace'
  /** It charges nobody: what it would be asked is decided in the transaction of the change. */
  readonly isLocal: boolean
  /** @throws Refusal 400 `PRICE_NOT_CONFIGURED` for a plan that cannot be charged. */
  requireSellable(wanted: WantedState): void
  ensureCustomer(key: string, customer: { orgId: string; name: string }): Promise<string>
  createSubscription(
    key: string,
    wanted: WantedState & { customerId: string; subscriptionId: string; orgId: string; trialEndMs: number | null },
  ): Promise<ProviderSubscription>
  applyState(
    key: string,
    wanted: WantedState & { externalId: string; charge: ChargeMoment },
  ): Promise<ProviderSubscription>
  cancelAtPeriodEnd(key: string, externalId: string): Promise<ProviderSubscription>
  reactivate(key: string, externalId: string): Promise<ProviderSubscription>
  /** At once and for ever. */
  end(key: string, externalId: string): Promise<ProviderSubscription>
  /** Null where there is none. Without an external id it is looked for by our id. */
  readSubscription(ref: SubscriptionRef): Promise<ProviderSubscription | null>
  adjustCredit(key: string, change: BalanceChange): Promise<{ ref: string }>
  /** The reference of the change that carries our row; null where there is none. */
  findCredit(change: BalanceChange): Promise<{ ref: string } | null>
  readBalance(customerId: string): Promise<number>
  readInvoices(of: { customerId: string; sinceMs: number }): Promise<readonly ProviderInvoice[]>
  readInvoice(externalId: string): Promise<ProviderInvoice | null>
  /** The invoice that a charge paid; null for a charge without one. */
  findInvoiceOfPayment(paymentIntentId: string): Promise<string | null>
  portal(customerId: string, returnUrl: string): Promise<{ url: string }>
  /** From the instant on, the oldest first. */
  listEvents(sinceMs: number): AsyncIterable<ProviderEvent>
}
