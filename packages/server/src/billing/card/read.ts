/**
 * Converts the card provider's objects, with one reader for both shapes of its API. Before 2025 the period was on the
 * subscription and an invoice named its subscription directly; since then they are on items and under `parent`.
 */
import {
  type Addon,
  findPrice,
  type Interval,
  isSoldTier,
  type PriceMap,
  type SoldTier,
  statusFromProvider,
} from '@plumbline/billing-core'
import type {
  ProviderEvent,
  ProviderInvoice,
  ProviderInvoiceLine,
  ProviderInvoiceStatus,
  ProviderSubscription,
  WantedState,
} from '../provider/port.js'

/** The metadata keys of our ids in the provider's objects. */
export const METADATA = {
  org: 'plumbline_org',
  subscription: 'plumbline_subscription',
  call: 'plumbline_call',
  row: 'plumbline_row',
  /** The interval changes with the next period. Until then the provider reports a trial. */
  waits: 'plumbline_waits',
} as const

/** Thrown for an object that is not what the provider says it is. */
export class Unreadable extends TypeError {}

type Loose = Readonly<Record<string, unknown>>

const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value)
const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (isLoose(found) ? found[name] : undefined), value)
const textAt = (value: unknown, ...path: readonly string[]): string | null => {
  const found = at(value, ...path)
  return typeof found === 'string' && found !== '' ? found : null
}
const wholeAt = (value: unknown, ...path: readonly string[]): number => {
  const found = at(value, ...path)
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : 0
}
const listAt = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}
/** An id, or the object that was expanded in its place. */
export const idAt = (value: unknown, ...path: readonly string[]): string | null =>
  textAt(value, ...path) ?? textAt(value, ...path, 'id')

/** @throws Unreadable for an object that is not a subscription of this provider. */
export function readSubscription(object: unknown, prices: PriceMap): ProviderSubscription {
  const externalId = textAt(object, 'id')
  const customerId = idAt(object, 'customer')
  if (externalId === null || customerId === null) throw new Unreadable('a subscription without an id or a customer')
  const items = listAt(object, 'items', 'data')
  const [first] = items
  const seconds = (name: string) => wholeAt(object, name) || wholeAt(first, name)
  const status = textAt(object, 'status')
  const waits = textAt(object, 'metadata', METADATA.waits) !== null && status === 'trialing'
  return {
    externalId,
    customerId,
    subscriptionId: textAt(object, 'metadata', METADATA.subscription),
    orgId: textAt(object, 'metadata', METADATA.org),
    status: waits ? 'active' : statusFromProvider(status),
    isEnded: status === 'canceled' || status === 'incomplete_expired',
    state: stateOf(items, prices),
    cancelAtPeriodEnd: at(object, 'cancel_at_period_end') === true,
    isPeriodHeld: waits,
    periodStartMs: seconds('current_period_start') * 1000,
    periodEndMs: seconds('current_period_end') * 1000,
    callKey: textAt(object, 'metadata', METADATA.call),
    paymentUrl: paymentUrlOf(object),
  }
}

/** Found by prices and not by position. The free plan has no price. Null without items, or when a price is not ours. */
function stateOf(items: readonly unknown[], prices: PriceMap): WantedState | null {
  let planId: SoldTier = 'developer'
  let interval: Interval | null = null
  const addons: Addon[] = []
  for (const item of items) {
    const thing = findPrice(prices, idAt(item, 'price') ?? '')
    if (thing === null) return null
    interval = thing.interval
    if (isSoldTier(thing.id)) planId = thing.id
    else addons.push({ bundleId: thing.id, quantity: Math.max(1, wholeAt(item, 'quantity')) })
  }
  return interval === null
    ? null
    : { planId, interval, addons: addons.sort((a, b) => (a.bundleId < b.bundleId ? -1 : 1)) }
}

const STATUSES: readonly ProviderInvoiceStatus[] = ['paid', 'open', 'void', 'uncollectible', 'draft']

/** Reasons of invoices that open a period. An invoice without a reason opens one too, as in old deliveries. */
const OPENS_PERIOD: ReadonlySet<string | null> = new Set([
  'subscription_cycle',
  'subscription_create',
  'subscription',
  null,
])

/** @throws Unreadable for what is not an invoice. */
export function readInvoice(object: unknown, prices: PriceMap): ProviderInvoice {
  const externalId = textAt(object, 'id')
  const customerId = idAt(object, 'customer')
  if (externalId === null || customerId === null) throw new Unreadable('an invoice without an id or a customer')
  const status = STATUSES.find((each) => each === textAt(object, 'status')) ?? 'open'
  const lines = listAt(object, 'lines', 'data')
  const total = wholeAt(object, 'total')
  const subtotal = wholeAt(object, 'subtotal')
  const taxes = listAt(object, 'total_taxes').reduce<number>((sum, each) => sum + wholeAt(each, 'amount'), 0)
  return {
    externalId,
    customerId,
    externalSubscriptionId:
      idAt(object, 'parent', 'subscription_details', 'subscription') ?? idAt(object, 'subscription'),
    status,
    period: OPENS_PERIOD.has(textAt(object, 'billing_reason')) ? periodOf(lines) : null,
    lines: lines.map((line) => readLine(line, prices)),
    subtotalCents: subtotal,
    taxCents: taxes || wholeAt(object, 'tax'),
    totalCents: total,
    amountPaidCents: wholeAt(object, 'amount_paid'),
    startingBalanceCents: wholeAt(object, 'starting_balance'),
    endingBalanceCents: wholeAt(object, 'ending_balance'),
    attempt: wholeAt(object, 'attempt_count'),
    currency: textAt(object, 'currency') ?? '',
    paymentUrl: status === 'open' ? textAt(object, 'hosted_invoice_url') : null,
    createdAtMs: wholeAt(object, 'created') * 1000,
  }
}

const isProration = (line: unknown): boolean =>
  at(line, 'proration') === true || at(line, 'parent', 'subscription_item_details', 'proration') === true

/** The period of the lines, because the invoice's own period is the one before. */
function periodOf(lines: readonly unknown[]): ProviderInvoice['period'] {
  const line = lines.find((each) => !isProration(each) && wholeAt(each, 'period', 'end') > 0)
  if (line === undefined) return null
  return { startMs: wholeAt(line, 'period', 'start') * 1000, endMs: wholeAt(line, 'period', 'end') * 1000 }
}

function readLine(line: unknown, prices: PriceMap): ProviderInvoiceLine {
  const price = idAt(line, 'pricing', 'price_details', 'price') ?? idAt(line, 'price') ?? ''
  return {
    label: textAt(line, 'description') ?? 'a line of the provider',
    quantity: Math.max(1, wholeAt(line, 'quantity')),
    cents: wholeAt(line, 'amount'),
    id: findPrice(prices, price)?.id ?? null,
    isProration: isProration(line),
  }
}

/** @throws Unreadable for an object that is not an event. */
export function readEvent(value: unknown): ProviderEvent {
  const id = textAt(value, 'id')
  const type = textAt(value, 'type')
  const object = at(value, 'data', 'object')
  if (id === null || type === null || !isLoose(object))
    throw new Unreadable('is not an event: `id`, `type` or `data.object` is missing')
  return {
    id,
    type,
    createdAtMs: wholeAt(value, 'created') * 1000,
    livemode: at(value, 'livemode') === true,
    account: textAt(value, 'account'),
    objectId: textAt(object, 'id') ?? '',
    object,
  }
}

export const chargeOf = (object: unknown) => ({
  paymentIntentId: idAt(object, 'payment_intent'),
  /** Deliveries of the old shape name the invoice directly. */
  invoiceId: idAt(object, 'invoice'),
  refundedCents: wholeAt(object, 'amount_refunded'),
})

/** A delivery has only the id of its invoice, so it does not say where to pay. */
function paymentUrlOf(subscription: unknown): string | null | undefined {
  if (textAt(subscription, 'latest_invoice') !== null) return undefined
  const isOpen = textAt(subscription, 'latest_invoice', 'status') === 'open'
  return isOpen ? textAt(subscription, 'latest_invoice', 'hosted_invoice_url') : null
}
