/**
 * How the fake card provider handles money: invoices, attempts to charge, prorations, periods. Every change creates its
 * events.
 */
import { addMonths, instant } from '@plumbline/billing-core'
import type { Charge, Customer, Invoice, Item, Line, Price, State, Subscription } from './state.js'
import { balanceWire, chargeWire, invoiceWire, type Shape, subscriptionWire } from './wire.js'

const DAY = 86_400
/** Days after the first attempt. */
const RETRIES = [3, 8, 15]
const REMINDED = 7 * DAY
const INCOMPLETE = 23 * 3600

export class Declined extends Error {}

export interface Ledger {
  readonly state: State
  /** Seconds. */
  now(): number
  readonly shape: Shape
  tell(type: string, object: object): void
}

export const newId = (state: State, prefix: string): string =>
  `${prefix}_fake${String(state.nextId++).padStart(6, '0')}`

const tellSubscription = (ledger: Ledger, sub: Subscription, what: 'created' | 'updated' | 'deleted'): void =>
  ledger.tell(`customer.subscription.${what}`, subscriptionWire(ledger.state, sub, ledger.shape))
const tellInvoice = (ledger: Ledger, invoice: Invoice, what: string): void =>
  ledger.tell(`invoice.${what}`, invoiceWire(ledger.state, invoice, ledger.shape))

const priceOf = (state: State, id: string): Price => state.prices.get(id) as Price
const customerOf = (state: State, id: string): Customer => state.customers.get(id) as Customer

/** One interval later, counted from the anchor, so that the 31st is used again after a short month. */
function boundary(sub: Subscription, state: State): number {
  const interval = priceOf(state, sub.items[0]?.price ?? '').interval
  const step = interval === 'annual' ? 12 : 1
  const anchor = instant(new Date(sub.anchor * 1000).toISOString())
  for (let n = step; ; n += step) {
    const at = Math.floor(Date.parse(addMonths(anchor, n)) / 1000)
    if (at > sub.periodStart) return at
  }
}

const wholeLines = (state: State, sub: Subscription): Line[] =>
  sub.items.map(({ price, quantity }) => {
    const { cents, label } = priceOf(state, price)
    const period = { start: sub.periodStart, end: sub.periodEnd }
    return { id: newId(state, 'il'), cents: cents * quantity, label, quantity, price, ...period, isProration: false }
  })

export function createSubscription(
  ledger: Ledger,
  wanted: {
    customer: string
    items: readonly Omit<Item, 'id'>[]
    metadata: Record<string, string>
    strict: boolean
    trial?: { readonly end: number; readonly endsWithoutCard: boolean }
  },
): Subscription {
  const { state } = ledger
  const at = ledger.now()
  const sub: Subscription = {
    id: newId(state, 'sub'),
    customer: wanted.customer,
    status: 'incomplete',
    items: wanted.items.map((item) => ({ ...item, id: newId(state, 'si') })),
    metadata: wanted.metadata,
    cancelAtPeriodEnd: false,
    anchor: at,
    periodStart: at,
    periodEnd: at,
    endedAt: null,
    latestInvoice: null,
    remindedFor: 0,
    endsWithoutCard: wanted.trial?.endsWithoutCard === true,
    created: at,
  }
  if (wanted.trial !== undefined) return beginTrial(ledger, sub, wanted.trial.end)
  sub.periodEnd = boundary(sub, state)
  const invoice = draw(ledger, sub, 'subscription_create', wholeLines(state, sub))
  if (!attempt(ledger, invoice) && wanted.strict) throw new Declined()
  state.subscriptions.set(sub.id, sub)
  tellSubscription(ledger, sub, 'created')
  settleStatus(ledger, sub, invoice)
  return sub
}

/** Nothing is due before the end of the trial, which becomes the anchor of the periods. */
function beginTrial(ledger: Ledger, sub: Subscription, end: number): Subscription {
  Object.assign(sub, { status: 'trialing', periodEnd: end, anchor: end })
  ledger.state.subscriptions.set(sub.id, sub)
  tellSubscription(ledger, sub, 'created')
  return sub
}

/** Draws an invoice against the balance. A negative total becomes credit. */
function draw(ledger: Ledger, sub: Subscription, reason: Invoice['reason'], lines: readonly Line[]): Invoice {
  const { state } = ledger
  const customer = customerOf(state, sub.customer)
  const subtotal = lines.reduce((sum, { cents }) => sum + cents, 0)
  const startingBalance = customer.balance
  const due = Math.max(0, subtotal + startingBalance)
  const endingBalance = subtotal + startingBalance - due
  const invoice: Invoice = {
    id: newId(state, 'in'),
    customer: sub.customer,
    subscription: sub.id,
    status: 'open',
    reason,
    lines,
    subtotal,
    startingBalance,
    endingBalance,
    amountDue: due,
    amountPaid: 0,
    attempts: 0,
    nextAttempt: null,
    charge: null,
    created: ledger.now(),
  }
  customer.balance = endingBalance
  state.invoices.set(invoice.id, invoice)
  sub.latestInvoice = invoice.id
  return invoice
}

/** @returns whether it is paid. */
function attempt(ledger: Ledger, invoice: Invoice): boolean {
  const { state } = ledger
  const { card } = customerOf(state, invoice.customer)
  if (invoice.amountDue > 0 && card !== 'none') invoice.attempts += 1
  if (invoice.amountDue > 0 && card !== 'good') return false
  invoice.status = 'paid'
  invoice.amountPaid = invoice.amountDue
  invoice.nextAttempt = null
  if (invoice.amountDue === 0) return true
  const charge: Charge = {
    id: newId(state, 'ch'),
    invoice: invoice.id,
    paymentIntent: newId(state, 'pi'),
    customer: invoice.customer,
    cents: invoice.amountDue,
    refunded: 0,
    disputed: false,
    created: ledger.now(),
  }
  state.charges.set(charge.id, charge)
  invoice.charge = charge.id
  return true
}

/** Applies the result of an attempt to the subscription. Events are created in the provider's order. */
function settleStatus(ledger: Ledger, sub: Subscription, invoice: Invoice): void {
  const before = sub.status
  if (invoice.status === 'paid') {
    tellInvoice(ledger, invoice, 'paid')
    tellInvoice(ledger, invoice, 'payment_succeeded')
    if (sub.status === 'incomplete' || sub.status === 'past_due') sub.status = 'active'
  } else {
    if (invoice.attempts > 0) tellInvoice(ledger, invoice, 'payment_failed')
    if (sub.status === 'active') sub.status = 'past_due'
    const days = RETRIES[invoice.attempts - 1]
    invoice.nextAttempt = days === undefined || sub.status === 'incomplete' ? null : invoice.created + days * DAY
  }
  if (sub.status !== before) tellSubscription(ledger, sub, 'updated')
}

/** @throws Declined when what is due now is not paid. Nothing may change then. */
export function changeItems(
  ledger: Ledger,
  sub: Subscription,
  change: {
    items: readonly { id?: string; price?: string; quantity?: number; deleted?: boolean }[]
    proration: 'always_invoice' | 'none' | 'create_prorations'
    strict: boolean
    trialEnd?: number
    /** Seconds; the present when it is not given. */
    proratedAt?: number
    metadata: Record<string, string>
  },
): void {
  const { state } = ledger
  const before = structuredClone(sub)
  const balance = customerOf(state, sub.customer).balance
  const next = applyItems(state, sub.items, change.items)
  const lines = change.proration === 'none' ? [] : prorations(ledger, sub, sub.items, next, change.proratedAt)
  const isOtherInterval = intervalOf(state, next) !== intervalOf(state, sub.items)
  sub.items = next
  sub.metadata = change.metadata
  if (change.trialEnd !== undefined)
    Object.assign(sub, { status: 'trialing', periodEnd: change.trialEnd, anchor: change.trialEnd })
  else if (isOtherInterval) {
    Object.assign(sub, { anchor: ledger.now(), periodStart: ledger.now() })
    sub.periodEnd = boundary(sub, state)
  }
  if (lines.some(({ cents }) => cents !== 0)) {
    const invoice = draw(ledger, sub, 'subscription_update', lines)
    if (!attempt(ledger, invoice) && change.strict) {
      state.invoices.delete(invoice.id)
      Object.assign(sub, before)
      customerOf(state, sub.customer).balance = balance
      throw new Declined()
    }
    tellSubscription(ledger, sub, 'updated')
    settleStatus(ledger, sub, invoice)
    return
  }
  tellSubscription(ledger, sub, 'updated')
}

const intervalOf = (state: State, items: readonly Item[]) => priceOf(state, items[0]?.price ?? '').interval

function applyItems(
  state: State,
  items: readonly Item[],
  changes: readonly { id?: string; price?: string; quantity?: number; deleted?: boolean }[],
): Item[] {
  let next = items.map((item) => ({ ...item }))
  for (const { id, price, quantity = 1, deleted } of changes) {
    const known = next.find((item) => item.id === id)
    if (known === undefined) next.push({ id: newId(state, 'si'), price: price ?? '', quantity })
    else if (deleted) next = next.filter((item) => item !== known)
    else Object.assign(known, { quantity, ...(price === undefined ? {} : { price }) })
  }
  return next
}

/** By the second: the rest of the period is credited at the old price and charged at the new price. */
function prorations(
  { state, now }: Ledger,
  sub: Subscription,
  before: readonly Item[],
  after: readonly Item[],
  at = now(),
): Line[] {
  const left = Math.max(0, sub.periodEnd - at)
  const whole = sub.periodEnd - sub.periodStart
  const changed = (from: readonly Item[], to: readonly Item[]) =>
    from.filter(
      (item) =>
        !to.some((other) => other.id === item.id && other.price === item.price && other.quantity === item.quantity),
    )
  const line = ({ price, quantity }: Item, sign: 1 | -1): Line => {
    const { cents, label } = priceOf(state, price)
    return {
      id: newId(state, 'il'),
      cents: sign * Math.round((cents * quantity * left) / whole),
      label: `${sign === 1 ? 'Remaining' : 'Unused'} time on ${label}`,
      quantity,
      price,
      start: at,
      end: sub.periodEnd,
      isProration: true,
    }
  }
  if (sub.status === 'trialing') return []
  return [
    ...changed(before, after).map((item) => line(item, -1)),
    ...changed(after, before).map((item) => line(item, 1)),
  ]
}

export const previewLines = (ledger: Ledger, sub: Subscription, changes: Parameters<typeof applyItems>[2]): Line[] =>
  prorations(ledger, sub, sub.items, applyItems({ ...ledger.state }, sub.items, changes))

export function setEnd(ledger: Ledger, sub: Subscription, isEnding: boolean): void {
  sub.cancelAtPeriodEnd = isEnding
  tellSubscription(ledger, sub, 'updated')
}

export function end(ledger: Ledger, sub: Subscription): void {
  sub.status = 'canceled'
  sub.endedAt = ledger.now()
  tellSubscription(ledger, sub, 'deleted')
}

/** The customer pays on the provider's page, or with another card. */
export function payInvoice(ledger: Ledger, invoice: Invoice): boolean {
  const sub = ledger.state.subscriptions.get(invoice.subscription)
  if (invoice.status !== 'open' || sub === undefined) return invoice.status === 'paid'
  attempt(ledger, invoice)
  settleStatus(ledger, sub, invoice)
  return (invoice.status as Invoice['status']) === 'paid'
}

export function refund(ledger: Ledger, charge: Charge, cents: number): void {
  charge.refunded = Math.min(charge.cents, charge.refunded + cents)
  ledger.tell('charge.refunded', chargeWire(charge, ledger.shape))
}

export function dispute(ledger: Ledger, charge: Charge): void {
  charge.disputed = true
  const { id, paymentIntent, cents } = charge
  const wire = {
    id: newId(ledger.state, 'dp'),
    object: 'dispute',
    charge: id,
    payment_intent: paymentIntent,
    amount: cents,
  }
  ledger.tell('charge.dispute.created', { ...wire, currency: 'usd', livemode: false, status: 'needs_response' })
}

export function mark(ledger: Ledger, invoice: Invoice, status: 'void' | 'uncollectible'): void {
  invoice.status = status
  tellInvoice(ledger, invoice, status === 'void' ? 'voided' : 'marked_uncollectible')
}

export function changeBalance(
  { state, now }: Ledger,
  customer: Customer,
  cents: number,
  metadata: Record<string, string>,
): object {
  customer.balance += cents
  const row = {
    id: newId(state, 'cbtxn'),
    customer: customer.id,
    cents,
    endingBalance: customer.balance,
    metadata,
    created: now(),
  }
  state.balanceRows.push(row)
  return balanceWire(row)
}

/**
 * Does everything that is due, in order.
 *
 * @returns True when something was due.
 */
export function tick(ledger: Ledger): boolean {
  const { state } = ledger
  const at = ledger.now()
  let happened = false
  for (const sub of state.subscriptions.values()) {
    if (sub.status === 'incomplete' && sub.created + INCOMPLETE <= at) {
      sub.status = 'incomplete_expired'
      tellSubscription(ledger, sub, 'updated')
      happened = true
    }
    if (!['active', 'trialing', 'past_due'].includes(sub.status)) continue
    if (sub.remindedFor !== sub.periodEnd && sub.periodEnd - REMINDED <= at && !sub.cancelAtPeriodEnd) {
      sub.remindedFor = sub.periodEnd
      ledger.tell('invoice.upcoming', upcoming(ledger, sub))
    }
    if (sub.periodEnd <= at) {
      renew(ledger, sub)
      happened = true
    } else happened = retry(ledger, sub, at) || happened
  }
  return happened
}

/** It has no id yet. */
const upcoming = ({ state, shape, now }: Ledger, sub: Subscription): object => {
  const lines = wholeLines({ ...state }, { ...sub, periodStart: sub.periodEnd })
  const none = { status: 'open' as const, attempts: 0, nextAttempt: null, charge: null, amountPaid: 0 }
  const subtotal = lines.reduce((sum, { cents }) => sum + cents, 0)
  const about = { id: 'upcoming', customer: sub.customer, subscription: sub.id, reason: 'subscription_cycle' as const }
  const money = { subtotal, amountDue: subtotal, startingBalance: 0, endingBalance: 0 }
  return { ...invoiceWire(state, { ...about, ...none, ...money, lines, created: now() }, shape), id: null }
}

function renew(ledger: Ledger, sub: Subscription): void {
  const hasNoCard = customerOf(ledger.state, sub.customer).card === 'none'
  if (sub.cancelAtPeriodEnd || (sub.status === 'trialing' && sub.endsWithoutCard && hasNoCard)) {
    end(ledger, sub)
    return
  }
  sub.periodStart = sub.periodEnd
  sub.periodEnd = boundary(sub, ledger.state)
  if (sub.status === 'trialing') sub.status = 'active'
  delete sub.metadata.plumbline_waits
  const invoice = draw(ledger, sub, 'subscription_cycle', wholeLines(ledger.state, sub))
  tellSubscription(ledger, sub, 'updated')
  attempt(ledger, invoice)
  settleStatus(ledger, sub, invoice)
}

function retry(ledger: Ledger, sub: Subscription, at: number): boolean {
  const due = [...ledger.state.invoices.values()].find(
    (each) =>
      each.subscription === sub.id && each.status === 'open' && each.nextAttempt !== null && each.nextAttempt <= at,
  )
  if (due === undefined) return false
  due.nextAttempt = null
  attempt(ledger, due)
  settleStatus(ledger, sub, due)
  // The last attempt failed, and the provider ends the subscription.
  if (due.status === 'open' && due.nextAttempt === null) end(ledger, sub)
  return true
}
