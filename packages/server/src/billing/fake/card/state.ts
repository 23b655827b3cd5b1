/** The state of the fake card provider: in memory, with its own clock. Times are in seconds. */
import { defaultCatalogue, type Interval, intervals } from '@plumbline/billing-core'

export interface Price {
  readonly id: string
  readonly cents: number
  readonly interval: Interval
  readonly label: string
  readonly product: string
  active: boolean
  readonly currency: string
  /** A name under which it is found again. */
  readonly lookupKey?: string
}

export interface Customer {
  readonly id: string
  readonly name: string
  metadata: Record<string, string>
  /** A negative balance is credit. */
  balance: number
  card: 'none' | 'good' | 'declines'
  readonly created: number
}

export interface Item {
  readonly id: string
  price: string
  quantity: number
}

export type Status = 'incomplete' | 'incomplete_expired' | 'active' | 'trialing' | 'past_due' | 'canceled'

export interface Subscription {
  readonly id: string
  readonly customer: string
  status: Status
  items: Item[]
  metadata: Record<string, string>
  cancelAtPeriodEnd: boolean
  anchor: number
  periodStart: number
  periodEnd: number
  endedAt: number | null
  latestInvoice: string | null
  /** The trial ends the subscription when the customer has no card by then. */
  endsWithoutCard: boolean
  remindedFor: number
  readonly created: number
}

export interface Line {
  readonly id: string
  readonly cents: number
  readonly label: string
  readonly quantity: number
  readonly price: string
  readonly start: number
  readonly end: number
  readonly isProration: boolean
}

export interface Invoice {
  readonly id: string
  readonly customer: string
  readonly subscription: string
  status: 'open' | 'paid' | 'void' | 'uncollectible'
  readonly reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update'
  readonly lines: readonly Line[]
  readonly subtotal: number
  readonly startingBalance: number
  endingBalance: number
  amountDue: number
  amountPaid: number
  attempts: number
  nextAttempt: number | null
  charge: string | null
  readonly created: number
}

export interface Charge {
  readonly id: string
  readonly invoice: string
  readonly paymentIntent: string
  readonly customer: string
  readonly cents: number
  refunded: number
  disputed: boolean
  readonly created: number
}

export interface BalanceRow {
  readonly id: string
  readonly customer: string
  readonly cents: number
  readonly endingBalance: number
  readonly metadata: Record<string, string>
  readonly created: number
}

export interface StoredEvent {
  readonly id: string
  readonly type: string
  readonly created: number
  readonly object: object
}

export interface State {
  readonly prices: Map<string, Price>
  readonly customers: Map<string, Customer>
  readonly subscriptions: Map<string, Subscription>
  readonly invoices: Map<string, Invoice>
  readonly charges: Map<string, Charge>
  readonly balanceRows: BalanceRow[]
  readonly events: StoredEvent[]
  readonly endpoints: { readonly id: string; readonly url: string; readonly events: readonly string[] }[]
  readonly configurations: {
    readonly id: string
    readonly metadata: Record<string, string>
    readonly features: object
  }[]
  nextId: number
  /** The base address of its pages, such as `http://127.0.0.1:4010`. */
  pagesAt: string
}

/** Prices of every plan and bundle, under ids that name them. */
export function catalogPrices(): Price[] {
  const { plans, bundles } = defaultCatalogue()
  const priced = [...plans.filter(({ id }) => id !== 'developer'), ...bundles]
  return priced.flatMap(({ id, name, prices }) =>
    intervals.map((interval) => ({
      id: `price_${id}_${interval}`,
      cents: prices[interval],
      interval,
      label: name,
      product: `prod_${id}`,
      active: true,
      currency: 'usd',
    })),
  )
}

/** For `CARD_PROVIDER_PRICE_MAP`. */
export const fakePriceMap = (): Record<string, string> =>
  Object.fromEntries(catalogPrices().map(({ id }) => [id.replace(/^price_/, ''), id]))

export const emptyState = (): State => ({
  prices: new Map(catalogPrices().map((price) => [price.id, price])),
  customers: new Map(),
  subscriptions: new Map(),
  invoices: new Map(),
  charges: new Map(),
  balanceRows: [],
  events: [],
  endpoints: [],
  configurations: [],
  nextId: 1,
  pagesAt: 'http://127.0.0.1',
})
