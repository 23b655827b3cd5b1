/**
 * What a person or a test can do to the fake provider: its clock, its cards, its faults, and the pages that customers
 * see.
 */
import { dispute, type Ledger, mark, payInvoice, refund } from './billing.js'
import { FAULT_KINDS, type Fault, type Faults } from './faults.js'
import type { Customer, State, StoredEvent } from './state.js'
import type { Shape } from './wire.js'

/** How deliveries are sent. */
export interface Deliveries {
  /** The address of deliveries; null sends none. */
  url: string | null
  mode: 'send' | 'drop' | 'double' | 'hold'
}

/** What can be done to the provider. */
export interface Controlled {
  readonly state: State
  readonly faults: Faults
  readonly deliveries: Deliveries
  readonly ledger: Ledger
  shape: Shape
  nowMs(): number
  advance(ms: number): void
  release(order?: (events: readonly StoredEvent[]) => readonly StoredEvent[]): void
  resend(event: StoredEvent): void
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

const json = (value: object, status = 200): Answer => ({
  status,
  type: 'application/json',
  text: `${JSON.stringify(value, null, 2)}\n`,
})
const page = (title: string, text: string): Answer => ({
  status: 200,
  type: 'text/html; charset=utf-8',
  text: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1>${text}</body></html>`,
})

type Control = (fake: Controlled, id: string, given: Readonly<Record<string, unknown>>) => Answer

const whole = (value: unknown, fallback = 0): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : fallback

const CONTROLS: Readonly<Record<string, Control>> = {
  'GET state': (fake) =>
    json({
      now: new Date(fake.nowMs()).toISOString(),
      deliveries: fake.deliveries,
      customers: [...fake.state.customers.values()],
      subscriptions: [...fake.state.subscriptions.values()],
      invoices: [...fake.state.invoices.values()],
      charges: [...fake.state.charges.values()],
      events: fake.state.events.map(({ id, type, created }) => ({ id, type, created })),
    }),
  'POST clock': (fake, _id, given) => {
    const days = whole(given.days)
    const hours = whole(given.hours)
    fake.advance(days * 86_400_000 + hours * 3_600_000 + whole(given.ms))
    return json({ now: new Date(fake.nowMs()).toISOString() })
  },
  'POST faults': (fake, _id, given) => {
    if (given.clear === true) fake.faults.clear()
    const { kind } = given
    if (kind === undefined) return json({ faults: 'none' })
    if (!FAULT_KINDS.some((each) => each === kind))
      return json({ error: `kind is one of ${FAULT_KINDS.join(', ')}` }, 400)
    fake.faults.add(given as unknown as Fault)
    return json({ added: given })
  },
  'POST deliveries': (fake, _id, given) => {
    const { mode, url, shape } = given
    if (mode === 'send' || mode === 'drop' || mode === 'double' || mode === 'hold') fake.deliveries.mode = mode
    if (typeof url === 'string') fake.deliveries.url = url
    if (shape === 'new' || shape === 'old') fake.shape = shape
    if (mode === 'send') fake.release(given.reorder === true ? (held) => held.toReversed() : undefined)
    return json({ deliveries: fake.deliveries, shape: fake.shape })
  },
  'POST card': (fake, id, given) => {
    const customer = fake.state.customers.get(id)
    const { card } = given
    if (customer === undefined) return json({ error: 'there is no such customer' }, 404)
    if (card !== 'good' && card !== 'declines' && card !== 'none')
      return json({ error: 'card is good, declines or none' }, 400)
    customer.card = card
    return json({ customer })
  },
  'GET pay': (fake, id) => {
    const invoice = fake.state.invoices.get(id)
    if (invoice === undefined) return page('No such invoice', '')
    const button = (card: string, text: string) =>
      `<form method="post" action="/_fake/pay/${id}?card=${card}"><button>${text}</button></form>`
    const due = `<p>Due: ${(invoice.amountDue / 100).toFixed(2)} USD. It is ${invoice.status}.</p>`
    return page(
      'Pay this invoice',
      invoice.status === 'open'
        ? `${due}${button('good', 'Pay')}${button('declines', 'Pay with a card that is declined')}`
        : due,
    )
  },
  'POST pay': (fake, id, given) => {
    const invoice = fake.state.invoices.get(id)
    const customer = fake.state.customers.get(invoice?.customer ?? '')
    if (invoice === undefined || customer === undefined) return json({ error: 'there is no such invoice' }, 404)
    customer.card = (given.card ?? 'good') as Customer['card']
    return json({ paid: payInvoice(fake.ledger, invoice), status: invoice.status })
  },
  'GET portal': (_fake, id) =>
    page('Billing portal', `<p>Payment method and invoices of ${id.replace(/[^A-Za-z0-9_]/g, '')}.</p>`),
  'POST refund': (fake, id, given) => {
    const charge = fake.state.charges.get(id)
    if (charge === undefined) return json({ error: 'there is no such charge' }, 404)
    refund(fake.ledger, charge, whole(given.cents, charge.cents))
    return json({ charge })
  },
  'POST dispute': (fake, id) => {
    const charge = fake.state.charges.get(id)
    if (charge === undefined) return json({ error: 'there is no such charge' }, 404)
    dispute(fake.ledger, charge)
    return json({ charge })
  },
  'POST mark': (fake, id, given) => {
    const invoice = fake.state.invoices.get(id)
    if (invoice === undefined) return json({ error: 'there is no such invoice' }, 404)
    mark(fake.ledger, invoice, given.status === 'void' ? 'void' : 'uncollectible')
    return json({ invoice })
  },
  'POST resend': (fake, id) => {
    const event = fake.state.events.find((each) => each.id === id)
    if (event === undefined) return json({ error: 'there is no such event' }, 404)
    fake.resend(event)
    return json({ sent: id })
  },
}

export function answerControl(fake: Controlled, method: string, url: URL, body: string): Answer {
  const [, , name = '', id = ''] = url.pathname.split('/')
  const control = CONTROLS[`${method} ${name}`]
  if (control === undefined) return json({ error: `ask ${Object.keys(CONTROLS).join(', ')} below /_fake` }, 404)
  let given: unknown = Object.fromEntries(url.searchParams)
  try {
    if (body.startsWith('{')) given = { ...(given as object), ...JSON.parse(body) }
  } catch {
    return json({ error: 'the body is not JSON' }, 400)
  }
  return control(fake, id, given as Readonly<Record<string, unknown>>)
}
