/**
 * How the fake provider writes its objects. They have the types of the SDK, so the compiler reports a field whose name
 * differs. The old shape of the API is that of deliveries to endpoints that were created before 2025.
 */
import type Stripe from 'stripe'
import type { BalanceRow, Charge, Customer, Invoice, Line, Price, State, StoredEvent, Subscription } from './state.js'

export type Shape = 'new' | 'old'

/** Fields of an object of the SDK. Fields that nothing reads are left out. */
type Part<T, K extends keyof T> = Pick<T, K>
type PriceWire = Part<
  Stripe.Price,
  'id' | 'object' | 'active' | 'currency' | 'unit_amount' | 'livemode' | 'product' | 'type' | 'nickname'
> & { recurring: Part<NonNullable<Stripe.Price['recurring']>, 'interval' | 'interval_count'> }

export const priceWire = ({ id, cents, interval, label, active, currency, product }: Price): PriceWire => ({
  id,
  object: 'price',
  active,
  currency,
  unit_amount: cents,
  livemode: false,
  product,
  type: 'recurring',
  nickname: label,
  recurring: { interval: interval === 'monthly' ? 'month' : 'year', interval_count: 1 },
})

export const customerWire = ({
  id,
  name,
  metadata,
  balance,
  created,
}: Customer): Part<
  Stripe.Customer,
  'id' | 'object' | 'name' | 'metadata' | 'balance' | 'created' | 'currency' | 'livemode'
> => ({ id, object: 'customer', name, metadata, balance, created, currency: 'usd', livemode: false })

type ItemWire = Part<
  Stripe.SubscriptionItem,
  'id' | 'object' | 'quantity' | 'subscription' | 'metadata' | 'created' | 'current_period_start' | 'current_period_end'
> & { price: PriceWire }

type SubscriptionWire = Part<
  Stripe.Subscription,
  | 'id'
  | 'object'
  | 'status'
  | 'metadata'
  | 'cancel_at_period_end'
  | 'billing_cycle_anchor'
  | 'created'
  | 'currency'
  | 'livemode'
  | 'ended_at'
  | 'start_date'
> & {
  customer: string
  latest_invoice: string | object | null
  items: { object: 'list'; data: ItemWire[]; has_more: boolean; url: string }
}

export function subscriptionWire(state: State, sub: Subscription, shape: Shape, expand = false): SubscriptionWire {
  const period = { current_period_start: sub.periodStart, current_period_end: sub.periodEnd }
  const items = sub.items.map(({ id, price, quantity }) => {
    const item = {
      id,
      object: 'subscription_item' as const,
      quantity,
      subscription: sub.id,
      metadata: {},
      created: sub.created,
      price: priceWire(state.prices.get(price) as Price),
    }
    return shape === 'new' ? { ...item, ...period } : (item as ItemWire)
  })
  const invoice = sub.latestInvoice === null ? undefined : state.invoices.get(sub.latestInvoice)
  const wire: SubscriptionWire = {
    id: sub.id,
    object: 'subscription',
    status: sub.status,
    customer: sub.customer,
    metadata: { ...sub.metadata },
    cancel_at_period_end: sub.cancelAtPeriodEnd,
    billing_cycle_anchor: sub.anchor,
    created: sub.created,
    start_date: sub.created,
    currency: 'usd',
    livemode: false,
    ended_at: sub.endedAt,
    latest_invoice: expand && invoice !== undefined ? invoiceWire(state, invoice, shape) : sub.latestInvoice,
    items: { object: 'list', data: items, has_more: false, url: '/v1/subscription_items' },
  }
  return shape === 'new' ? wire : Object.assign(wire, period)
}

function lineWire(line: Line, subscription: string, shape: Shape): object {
  const { id, cents, label, quantity, price, start, end, isProration } = line
  const shared = {
    id,
    object: 'line_item' as const,
    amount: cents,
    currency: 'usd',
    description: label,
    quantity,
    period: { start, end },
    livemode: false,
  } satisfies Partial<Stripe.InvoiceLineItem>
  if (shape === 'old') return { ...shared, price: { id: price }, proration: isProration, subscription }
  return {
    ...shared,
    pricing: { type: 'price_details', price_details: { price, product: 'prod' }, unit_amount_decimal: null },
    parent: {
      type: 'subscription_item_details',
      subscription_item_details: { proration: isProration, subscription, subscription_item: 'si' },
    },
  }
}

type InvoiceWire = Part<
  Stripe.Invoice,
  | 'id'
  | 'object'
  | 'amount_due'
  | 'amount_paid'
  | 'amount_remaining'
  | 'attempt_count'
  | 'attempted'
  | 'billing_reason'
  | 'created'
  | 'currency'
  | 'ending_balance'
  | 'livemode'
  | 'metadata'
  | 'next_payment_attempt'
  | 'starting_balance'
  | 'status'
  | 'subtotal'
  | 'total'
  | 'period_start'
  | 'period_end'
  | 'hosted_invoice_url'
> & { customer: string; lines: object }

export function invoiceWire(state: State, invoice: Invoice, shape: Shape): InvoiceWire {
  const { id, customer, subscription, reason, lines, subtotal } = invoice
  const charge = invoice.charge === null ? undefined : state.charges.get(invoice.charge)
  const wire: InvoiceWire = {
    id,
    object: 'invoice',
    customer,
    amount_due: invoice.amountDue,
    amount_paid: invoice.amountPaid,
    amount_remaining: invoice.amountDue - invoice.amountPaid,
    attempt_count: invoice.attempts,
    attempted: invoice.attempts > 0,
    billing_reason: reason,
    created: invoice.created,
    currency: 'usd',
    ending_balance: invoice.endingBalance,
    livemode: false,
    metadata: {},
    next_payment_attempt: invoice.nextAttempt,
    starting_balance: invoice.startingBalance,
    status: invoice.status,
    subtotal,
    total: subtotal,
    // The provider reports the period before the one that it bills.
    period_start: invoice.created,
    period_end: invoice.created,
    hosted_invoice_url: `${state.pagesAt}/_fake/pay/${id}`,
    lines: {
      object: 'list',
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
      data: lines.map((line) => lineWire(line, subscription, shape)),
    },
  }
  if (shape === 'old')
    return Object.assign(wire, {
      subscription,
      charge: charge?.id ?? null,
      payment_intent: charge?.paymentIntent ?? null,
    })
  return Object.assign(wire, {
    parent: { type: 'subscription_details', quote_details: null, subscription_details: { subscription, metadata: {} } },
  })
}

export function chargeWire(charge: Charge, shape: Shape): object {
  const { id, customer, cents, refunded, disputed, paymentIntent, invoice, created } = charge
  const wire = {
    id,
    object: 'charge' as const,
    amount: cents,
    amount_refunded: refunded,
    currency: 'usd',
    customer,
    disputed,
    livemode: false,
    metadata: {},
    paid: true,
    payment_intent: paymentIntent,
    refunded: refunded === cents,
    created,
  } satisfies Partial<Stripe.Charge>
  return shape === 'old' ? { ...wire, invoice } : wire
}

export const balanceWire = ({
  id,
  customer,
  cents,
  endingBalance,
  metadata,
  created,
}: BalanceRow): Part<
  Stripe.CustomerBalanceTransaction,
  'id' | 'object' | 'amount' | 'currency' | 'customer' | 'ending_balance' | 'metadata' | 'created' | 'livemode' | 'type'
> => ({
  id,
  object: 'customer_balance_transaction',
  amount: cents,
  currency: 'usd',
  customer,
  ending_balance: endingBalance,
  metadata,
  created,
  livemode: false,
  type: 'adjustment',
})

type EventWire = Record<
  keyof Part<Stripe.Event, 'id' | 'object' | 'api_version' | 'created' | 'livemode' | 'type' | 'data'>,
  unknown
>

export const eventWire = ({ id, type, created, object }: StoredEvent): EventWire => ({
  id,
  object: 'event',
  api_version: '2026-01-01',
  created,
  livemode: false,
  type,
  data: { object },
})
