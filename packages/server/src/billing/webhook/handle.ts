/**
 * Handles a delivery. What must be read from the provider is read before the transaction. The effect, and the record
 * that it was done, are in one transaction under the fence of the delivery.
 */

import type { Db } from '../../runtime/store/db.js'
import { openAccount } from '../account/open.js'
import { StaleRead } from '../account/stale-read.js'
import { inTurn } from '../account/turn.js'
import type { BillingWriting } from '../account/writing.js'
import { checkAlerts } from '../alert/check.js'
import { findSubscription } from '../call/apply.js'
import type { Settling } from '../call/said.js'
import { chargeOf, readInvoice, readSubscription, Unreadable } from '../card/read.js'
import { cardSettingsOf } from '../card/settings.js'
import { providerOf } from '../charge/open.js'
import { readBalance } from '../charge/read-balance.js'
import { type Telling, takeInvoice } from '../follow/invoice.js'
import { type Account, observe } from '../follow/observe.js'
import { grantPeriod } from '../follow/period.js'
import { findLink, findLinkByExternal, keepCustomer, updateLink } from '../provider/link.js'
import type { ProviderEvent, ProviderInvoice, ProviderSubscription } from '../provider/port.js'
import type { DeliveryRow, LinkRow } from '../provider-tables.js'
import { endDelivery, openEvent } from './delivery.js'
import { applyNotice, learnNotice, type NoticeFacts } from './notice.js'

/** What was learned before the transaction. */
type Facts =
  | { readonly kind: 'nothing'; readonly effect: string }
  | {
      readonly kind: 'subscription'
      readonly link: LinkRow
      readonly seen: ProviderSubscription
      readonly at: number | 'read'
    }
  | { readonly kind: 'invoice'; readonly link: LinkRow; readonly telling: Telling }
  | { readonly kind: 'upcoming'; readonly link: LinkRow; readonly startMs: number }

const TRIES = 5

export interface Handled {
  /** A word for what was done. */
  readonly effect: string
  /** The subscription that the delivery is about; null when it was ignored. */
  readonly about: { readonly orgId: string; readonly subscriptionId: string } | null
}

/** @throws Any error that prevented the effect. The delivery is then retried. */
export async function handleDelivery(settling: Settling, row: DeliveryRow): Promise<Handled> {
  for (let attempt = 1; ; attempt++) {
    const facts = await learnDelivery(settling, row)
    try {
      return await writeInTurn(settling, facts, async (writing, current) => {
        const effect = await applyFacts(writing, current)
        await endDelivery(writing, row, facts.kind === 'nothing' ? 'ignored' : 'done', effect)
        return { effect, about: aboutOf(current) }
      })
    } catch (error) {
      if (!(error instanceof StaleRead) || attempt === TRIES) throw error
    }
  }
}

/** Runs in the turn of its account, so that no other delivery in this process makes the balance that was read stale. */
function writeInTurn<T>(
  settling: Settling,
  facts: Facts | NoticeFacts,
  run: (writing: BillingWriting, current: Facts | NoticeFacts) => Promise<T>,
): Promise<T> {
  if (!('link' in facts)) return settling.write((writing) => run(writing, facts))
  return inTurn(settling.runtime, facts.link.orgId, async () => {
    const current = facts.kind === 'invoice' ? await withBalance(settling, facts) : facts
    return settling.write((writing) => run(writing, current))
  })
}

async function withBalance(settling: Settling, facts: Facts & { kind: 'invoice' }): Promise<Facts> {
  const { customerId } = facts.telling.invoice
  const balance = await readBalance(settling, { subscriptionId: facts.link.id, customerId })
  return { ...facts, telling: { ...facts.telling, balance } }
}

type Around = (writing: BillingWriting, subscriptionId: string, apply: () => Promise<string>) => Promise<unknown>

/** The effect of the delivery, in a transaction of the caller; nothing when it has none. */
export async function effectOf(settling: Settling, row: DeliveryRow, around: Around): Promise<void> {
  const facts = await learnDelivery(settling, row)
  const about = aboutOf(facts)
  if (about === null) return
  await writeInTurn(settling, facts, (writing, current) =>
    around(writing, about.subscriptionId, () => applyFacts(writing, current)),
  )
}

function aboutOf(facts: Facts | NoticeFacts): Handled['about'] {
  if (facts.kind === 'nothing' || facts.kind === 'read-all') return null
  if (facts.kind === 'purchase') {
    const { orgId, subscriptionId } = facts.purchase
    return subscriptionId === null ? null : { orgId, subscriptionId }
  }
  return { orgId: facts.link.orgId, subscriptionId: facts.link.id }
}

async function learnDelivery(settling: Settling, row: DeliveryRow): Promise<Facts | NoticeFacts> {
  if (row.source === 'marketplace') return learnNotice(settling, row)
  const event = openEvent(settling.runtime, row)
  if (event === null) throw new Error('the text of the delivery was erased')
  return learn(settling, event).catch((error: unknown): Facts => {
    // A retry would not change the result.
    if (error instanceof Unreadable) return { kind: 'nothing', effect: `unreadable: ${error.message}` }
    throw error
  })
}

const applyFacts = (writing: BillingWriting, facts: Facts | NoticeFacts): Promise<string> =>
  facts.kind === 'purchase' || facts.kind === 'read-all' ? applyNotice(writing, facts) : apply(writing, facts)

async function learn(settling: Settling, event: ProviderEvent): Promise<Facts> {
  const { type } = event
  if (type.startsWith('customer.subscription.')) return learnSubscription(settling, event)
  switch (type) {
    case 'invoice.paid':
    case 'invoice.payment_succeeded':
    case 'invoice.voided':
    case 'invoice.marked_uncollectible':
    case 'invoice.payment_failed':
      return learnInvoice(settling, readInvoiceOf(settling, event), { isFailure: type === 'invoice.payment_failed' })
    case 'invoice.upcoming':
      return learnUpcoming(settling, event)
    case 'charge.refunded':
    case 'charge.dispute.created':
      return learnCharge(settling, event)
    default:
      return { kind: 'nothing', effect: `unknown type ${type}` }
  }
}

const pricesOf = ({ runtime }: Settling) => cardSettingsOf(runtime).prices
const readInvoiceOf = (settling: Settling, { object }: ProviderEvent): ProviderInvoice =>
  readInvoice(object, pricesOf(settling))

async function learnSubscription(settling: Settling, event: ProviderEvent): Promise<Facts> {
  const told = readSubscription(event.object, pricesOf(settling))
  const link = await settling.read((db) => linkOf(db, told))
  if (link === null) return { kind: 'nothing', effect: 'unbound' }
  const isDeletion = event.type === 'customer.subscription.deleted'
  // guard: nothing-revives-what-ended
  if (link.isEnded) return { kind: 'nothing', effect: 'ignored: ended' }
  if (isDeletion) return { kind: 'subscription', link, seen: { ...told, isEnded: true }, at: event.createdAtMs }
  // guard: an-older-state-is-not-applied
  if (event.createdAtMs < link.seenAtMs) return { kind: 'nothing', effect: 'ignored: older' }
  // Two states of the same second cannot be ordered.
  // guard: the-same-second-is-read-again
  if (event.createdAtMs > link.seenAtMs) return { kind: 'subscription', link, seen: told, at: event.createdAtMs }
  const { externalId, customerId } = told
  const seen = await providerOf(settling.runtime).readSubscription({ externalId, customerId, subscriptionId: link.id })
  return seen === null
    ? { kind: 'nothing', effect: 'gone' }
    : { kind: 'subscription', link, seen, at: event.createdAtMs }
}

/** Finds the link by the provider's id, or, before our own call returned, by our id in the metadata. */
async function linkOf(db: Db, told: ProviderSubscription): Promise<LinkRow | null> {
  const known = await findLinkByExternal(db, 'card_provider', told.externalId)
  if (known !== null || told.subscriptionId === null) return known
  const link = await findLink(db, told.subscriptionId)
  return link !== null && link.externalId === null && link.orgId === told.orgId ? link : null
}

async function learnInvoice(settling: Settling, invoice: ProviderInvoice, more: Partial<Telling>): Promise<Facts> {
  const { externalSubscriptionId: id } = invoice
  if (id === null) return { kind: 'nothing', effect: 'unbound' }
  let link = await settling.read((db) => findLinkByExternal(db, 'card_provider', id))
  if (link === null) link = await bind(settling, id, invoice.customerId)
  if (link === null) return { kind: 'nothing', effect: 'unbound' }
  // guard: another-currency-is-not-booked
  if (invoice.currency !== 'usd') return { kind: 'nothing', effect: `other currency ${invoice.currency}` }
  return { kind: 'invoice', link, telling: { invoice, balance: null, ...more } }
}

/** For an invoice that arrives before the delivery of its subscription: reads the subscription. */
async function bind(settling: Settling, externalId: string, customerId: string): Promise<LinkRow | null> {
  const provider = providerOf(settling.runtime)
  const seen = await provider.readSubscription({ externalId, customerId, subscriptionId: '' })
  const link = seen === null ? null : await settling.read((db) => linkOf(db, seen))
  if (seen === null || link === null) return null
  const facts: Facts = { kind: 'subscription', link, seen, at: 'read' }
  await writeInTurn(settling, facts, (writing) => apply(writing, facts))
  return settling.read((db) => findLink(db, link.id))
}

async function learnUpcoming(settling: Settling, event: ProviderEvent): Promise<Facts> {
  const invoice = readInvoice({ ...(event.object as object), id: 'upcoming' }, pricesOf(settling))
  const { externalSubscriptionId: id, period } = invoice
  const link = id === null ? null : await settling.read((db) => findLinkByExternal(db, 'card_provider', id))
  if (link === null || period === null) return { kind: 'nothing', effect: 'unbound' }
  return { kind: 'upcoming', link, startMs: period.startMs }
}

async function learnCharge(settling: Settling, event: ProviderEvent): Promise<Facts> {
  const provider = providerOf(settling.runtime)
  const { invoiceId, paymentIntentId, refundedCents } = chargeOf(event.object)
  const found = invoiceId ?? (paymentIntentId === null ? null : await provider.findInvoiceOfPayment(paymentIntentId))
  const invoice = found === null ? null : await provider.readInvoice(found)
  if (invoice === null) return { kind: 'nothing', effect: 'unbound' }
  const isDisputed = event.type === 'charge.dispute.created'
  return learnInvoice(settling, invoice, isDisputed ? { isDisputed } : { refundedCents })
}

async function apply(writing: BillingWriting, facts: Facts): Promise<string> {
  if (facts.kind === 'nothing') {
    if (facts.effect === 'unbound') writing.runtime.log?.write('billing.delivery_unbound', {})
    return facts.effect
  }
  const { inTime, root } = await openAccount(writing, facts.link.orgId)
  const row = await findSubscription(inTime, facts.link.id)
  const link = await findLink(inTime.tx, facts.link.id)
  if (row === null || link === null) return 'unbound'
  const account: Account = { root, row, link }
  if (facts.kind === 'invoice') return (await takeInvoice(inTime, account, facts.telling)).effect
  if (facts.kind === 'upcoming') {
    await updateLink(inTime, link, { announcedPeriodStartMs: facts.startMs })
    await grantPeriod(inTime, row, facts.startMs)
    await checkAlerts(inTime, root)
    return 'granted for the next period'
  }
  const { seen, at } = facts
  await keepCustomer(inTime, { orgId: root.id, provider: link.provider, customerId: seen.customerId })
  if (at !== 'read' && !seen.isEnded && at < link.seenAtMs) return 'ignored: older'
  const after = await observe(inTime, account, seen, at)
  await checkAlerts(inTime, root)
  return `subscription ${after.row.status}`
}
