/** The routes of the provider, as far as billing calls them. */
import {
  changeBalance,
  changeItems,
  createSubscription,
  Declined,
  end,
  type Ledger,
  newId,
  previewLines,
  setEnd,
} from './billing.js'
import { type Form, formOf, listOf, mergeMetadata, textOf, wholeOf } from './form.js'
import type { Subscription } from './state.js'
import { balanceWire, chargeWire, customerWire, eventWire, invoiceWire, priceWire, subscriptionWire } from './wire.js'

export class WireError extends Error {
  readonly status: number
  readonly type: string
  readonly code: string

  constructor(status: number, type: string, code: string, message: string) {
    super(message)
    this.status = status
    this.type = type
    this.code = code
  }
}

const missing = (what: string) => new WireError(404, 'invalid_request_error', 'resource_missing', `No such ${what}`)
const declined = () => new WireError(402, 'card_error', 'card_declined', 'Your card was declined.')

type Handler = (ledger: Ledger, form: Form, id: string) => object
type Route = readonly [method: string, path: RegExp, handler: Handler]

const ID = '([A-Za-z0-9_]+)'
const route = (method: string, path: string, handler: Handler): Route => [
  method,
  new RegExp(`^/v1/${path.replace('{id}', ID)}$`),
  handler,
]

/** @throws WireError */
export function answerRoute(ledger: Ledger, method: string, path: string, form: Form): object {
  for (const [wanted, pattern, handler] of ROUTES) {
    const found = wanted === method ? pattern.exec(path) : null
    if (found === null) continue
    try {
      return handler(ledger, form, found[1] ?? '')
    } catch (error) {
      if (error instanceof Declined) throw declined()
      throw error
    }
  }
  throw new WireError(404, 'invalid_request_error', 'unknown_url', `Unrecognized request URL (${method}: ${path})`)
}

function found<T>(map: ReadonlyMap<string, T>, id: string | undefined, what: string): T {
  const value = map.get(id ?? '')
  if (value === undefined) throw missing(`${what}: '${id}'`)
  return value
}

/** The newest first, as the provider lists. */
function page<T extends { readonly id: string }>(all: readonly T[], form: Form, wire: (each: T) => object): object {
  const after = textOf(form, 'starting_after')
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
  const limit = wholeOf(form, 'limit') ?? 10
  const data = all.slice(from, from + limit).map(wire)
  return { object: 'list', data, has_more: from + limit < all.length, url: '/v1' }
}

const since = (form: Form): number => wholeOf(formOf(form, 'created'), 'gte') ?? 0
const isExpanded = (form: Form): boolean =>
  Object.values(formOf(form, 'expand')).some((each) => String(each).endsWith('latest_invoice'))
const shown = (ledger: Ledger, sub: Subscription, form: Form): object =>
  subscriptionWire(ledger.state, sub, ledger.shape, isExpanded(form))

const customers: readonly Route[] = [
  route('POST', 'customers', ({ state, now }, form) => {
    const metadata = mergeMetadata({}, formOf(form, 'metadata'))
    const about = { name: textOf(form, 'name') ?? '', metadata, balance: 0, card: 'none' as const, created: now() }
    const customer = { id: newId(state, 'cus'), ...about }
    state.customers.set(customer.id, customer)
    return customerWire(customer)
  }),
  route('GET', 'customers', ({ state }, form) =>
    page(
      [...state.customers.values()].reverse().filter(({ created }) => created >= since(form)),
      form,
      customerWire,
    ),
  ),
  route('DELETE', 'customers/{id}', ({ state }, _form, id) => {
    const { id: deleted } = found(state.customers, id, 'customer')
    state.customers.delete(deleted)
    return { id: deleted, object: 'customer', deleted: true }
  }),
  route('GET', 'customers/{id}', ({ state }, _form, id) => customerWire(found(state.customers, id, 'customer'))),
  route('POST', 'customers/{id}/balance_transactions', (ledger, form, id) => {
    const customer = found(ledger.state.customers, id, 'customer')
    return changeBalance(ledger, customer, wholeOf(form, 'amount') ?? 0, mergeMetadata({}, formOf(form, 'metadata')))
  }),
  route('GET', 'customers/{id}/balance_transactions', ({ state }, form, id) =>
    page(
      [...state.balanceRows].reverse().filter(({ customer }) => customer === id),
      form,
      balanceWire,
    ),
  ),
]

const subscriptions: readonly Route[] = [
  route('POST', 'subscriptions', (ledger, form) => {
    const { id: customer } = found(ledger.state.customers, textOf(form, 'customer'), 'customer')
    const items = listOf(form, 'items').map((item) => ({
      price: found(ledger.state.prices, textOf(item, 'price'), 'price').id,
      quantity: wholeOf(item, 'quantity') ?? 1,
    }))
    const metadata = mergeMetadata({}, formOf(form, 'metadata'))
    const strict = textOf(form, 'payment_behavior') === 'error_if_incomplete'
    const trialEnd = wholeOf(form, 'trial_end')
    const endsWithoutCard =
      textOf(formOf(formOf(form, 'trial_settings'), 'end_behavior'), 'missing_payment_method') === 'cancel'
    const trial = trialEnd === undefined ? {} : { trial: { end: trialEnd, endsWithoutCard } }
    return shown(ledger, createSubscription(ledger, { customer, items, metadata, strict, ...trial }), form)
  }),
  route('GET', 'subscriptions', (ledger, form) =>
    page(
      [...ledger.state.subscriptions.values()]
        .reverse()
        .filter(({ customer }) => customer === textOf(form, 'customer')),
      form,
      (sub) => shown(ledger, sub, form),
    ),
  ),
  route('GET', 'subscriptions/{id}', (ledger, form, id) =>
    shown(ledger, found(ledger.state.subscriptions, id, 'subscription'), form),
  ),
  route('POST', 'subscriptions/{id}', updateSubscription),
  route('DELETE', 'subscriptions/{id}', (ledger, form, id) => {
    const sub = found(ledger.state.subscriptions, id, 'subscription')
    if (sub.endedAt !== null) throw missing(`subscription: '${id}'`)
    end(ledger, sub)
    return shown(ledger, sub, form)
  }),
]

function updateSubscription(ledger: Ledger, form: Form, id: string): object {
  const { state } = ledger
  const sub = found(state.subscriptions, id, 'subscription')
  if (sub.endedAt !== null) {
    throw new WireError(
      400,
      'invalid_request_error',
      'resource_missing',
      'A canceled subscription can only update its metadata.',
    )
  }
  const items = itemsOf(ledger, form, sub)
  const ending = textOf(form, 'cancel_at_period_end')
  if (ending !== undefined) setEnd(ledger, sub, ending === 'true')
  const trialEnd = wholeOf(form, 'trial_end')
  const proratedAt = prorationDateOf(form, sub)
  const metadata = mergeMetadata(sub.metadata, formOf(form, 'metadata'))
  if (items.length === 0) sub.metadata = metadata
  else {
    changeItems(ledger, sub, {
      items,
      proration: (textOf(form, 'proration_behavior') ?? 'create_prorations') as 'none',
      strict: textOf(form, 'payment_behavior') === 'error_if_incomplete',
      metadata,
      ...(trialEnd === undefined ? {} : { trialEnd }),
      ...(proratedAt === undefined ? {} : { proratedAt }),
    })
  }
  return shown(ledger, sub, form)
}

function prorationDateOf(form: Form, { periodStart, periodEnd }: Subscription): number | undefined {
  const date = wholeOf(form, 'proration_date')
  if (date !== undefined && (date < periodStart || date > periodEnd)) {
    const why = 'Invalid proration_date: it must be within the current period of the subscription.'
    throw new WireError(400, 'invalid_request_error', 'parameter_invalid_integer', why)
  }
  return date
}

const itemsOf = ({ state }: Ledger, form: Form, { items }: Pick<Subscription, 'items'>) =>
  listOf(form, 'items').map((item) => {
    const price = textOf(item, 'price')
    const id = textOf(item, 'id')
    if (id !== undefined && !items.some((each) => each.id === id)) throw missing(`subscription_item: '${id}'`)
    return {
      ...(id === undefined ? {} : { id }),
      ...(price === undefined ? {} : { price: found(state.prices, price, 'price').id }),
      quantity: wholeOf(item, 'quantity') ?? 1,
      deleted: textOf(item, 'deleted') === 'true',
    }
  })

const invoices: readonly Route[] = [
  route('GET', 'invoices', ({ state, shape }, form) => {
    const customer = textOf(form, 'customer')
    const all = [...state.invoices.values()].reverse()
    return page(
      all.filter((each) => each.customer === customer && each.created >= since(form)),
      form,
      (each) => invoiceWire(state, each, shape),
    )
  }),
  route('POST', 'invoices/create_preview', (ledger, form) => {
    const sub = found(ledger.state.subscriptions, textOf(form, 'subscription'), 'subscription')
    const changes = itemsOf(ledger, formOf(form, 'subscription_details'), sub)
    const total = previewLines(ledger, sub, changes).reduce((sum, { cents }) => sum + cents, 0)
    const balance = ledger.state.customers.get(sub.customer)?.balance ?? 0
    const about = { object: 'invoice', customer: sub.customer, currency: 'usd', lines: { object: 'list', data: [] } }
    return { ...about, total, subtotal: total, amount_due: Math.max(0, total + balance) }
  }),
  route('GET', 'invoices/{id}', ({ state, shape }, _form, id) =>
    invoiceWire(state, found(state.invoices, id, 'invoice'), shape),
  ),
  route('GET', 'invoice_payments', ({ state }, form) => {
    const intent = textOf(formOf(form, 'payment'), 'payment_intent')
    const charge = [...state.charges.values()].find(({ paymentIntent }) => paymentIntent === intent)
    const data = charge === undefined ? [] : [{ id: `inpay_${charge.id}`, invoice: charge.invoice }]
    return page(data, form, (each) => ({ ...each, object: 'invoice_payment', status: 'paid' }))
  }),
  route('GET', 'charges/{id}', ({ state, shape }, _form, id) => chargeWire(found(state.charges, id, 'charge'), shape)),
]

const others: readonly Route[] = [
  route('GET', 'events', ({ state }, form) =>
    page(
      [...state.events].reverse().filter(({ created }) => created >= since(form)),
      form,
      eventWire,
    ),
  ),
  route('GET', 'prices', ({ state }, form) => {
    const keys = Object.values(formOf(form, 'lookup_keys')).map(String)
    const all = [...state.prices.values()].filter(({ lookupKey = '' }) => keys.includes(lookupKey))
    return page(all, form, priceWire)
  }),
  route('GET', 'prices/{id}', ({ state }, _form, id) => priceWire(found(state.prices, id, 'price'))),
  route('POST', 'prices', ({ state }, form) => {
    const interval = textOf(formOf(form, 'recurring'), 'interval') === 'year' ? 'annual' : 'monthly'
    const label = textOf(form, 'nickname') ?? ''
    const about = { cents: wholeOf(form, 'unit_amount') ?? 0, interval, label, active: true } as const
    const lookupKey = textOf(form, 'lookup_key')
    const price = {
      ...(lookupKey === undefined ? {} : { lookupKey }),
      id: newId(state, 'price'),
      ...about,
      product: textOf(form, 'product') ?? '',
      currency: textOf(form, 'currency') ?? '',
    }
    state.prices.set(price.id, price)
    return priceWire(price)
  }),
  route('POST', 'products', ({ state }, form) => ({
    id: newId(state, 'prod'),
    object: 'product',
    name: textOf(form, 'name') ?? '',
  })),
  route('GET', 'webhook_endpoints', ({ state }, form) =>
    page(state.endpoints, form, ({ id, url, events }) => ({
      id,
      object: 'webhook_endpoint',
      url,
      enabled_events: events,
      status: 'enabled',
    })),
  ),
  route('POST', 'webhook_endpoints', ({ state }, form) => {
    const events = Object.values(formOf(form, 'enabled_events')).map(String)
    const endpoint = { id: newId(state, 'we'), url: textOf(form, 'url') ?? '', events }
    state.endpoints.push(endpoint)
    return { ...endpoint, object: 'webhook_endpoint', enabled_events: events, secret: 'whsec_fake' }
  }),
  route('GET', 'billing_portal/configurations', ({ state }, form) =>
    page(state.configurations, form, (each) => ({ ...each, object: 'billing_portal.configuration', active: true })),
  ),
  route('POST', 'billing_portal/configurations', ({ state }, form) => {
    const metadata = mergeMetadata({}, formOf(form, 'metadata'))
    const configuration = { id: newId(state, 'bpc'), metadata, features: formOf(form, 'features') }
    state.configurations.push(configuration)
    return { ...configuration, object: 'billing_portal.configuration', active: true }
  }),
  route('POST', 'billing_portal/sessions', ({ state, now }, form) => {
    const { id: customer } = found(state.customers, textOf(form, 'customer'), 'customer')
    const url = `${state.pagesAt}/_fake/portal/${customer}`
    return { id: newId(state, 'bps'), object: 'billing_portal.session', customer, url, created: now(), livemode: false }
  }),
  route('GET', 'account', () => ({
    id: 'acct_fake',
    object: 'account',
    charges_enabled: true,
    default_currency: 'usd',
  })),
]

const ROUTES: readonly Route[] = [...customers, ...subscriptions, ...invoices, ...others]
