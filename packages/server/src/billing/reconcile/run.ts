/**
 * Compares accounts with the provider. First, events since the last time are processed like deliveries; then 100
 * accounts are read completely. A difference is corrected from its owner: status, period and payments belong to the
 * provider; plan, add-ons and credit belong to us.
 */
import { bundlePrice, type Interval, type PriceMap } from '@plumbline/billing-core'
import { and, asc, eq, gt } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { apart } from '../account/apart.js'
import { openAccount } from '../account/open.js'
import { isSameHolding } from '../account/subscription.js'
import type { BillingWriting } from '../account/writing.js'
import { checkAlerts } from '../alert/check.js'
import { findSubscription } from '../call/apply.js'
import { runCall } from '../call/run.js'
import type { Settling } from '../call/said.js'
import { findOpenCall, writeWish } from '../call/wish.js'
import { cardSettingsOf } from '../card/settings.js'
import { providerOf } from '../charge/open.js'
import { readBalance } from '../charge/read-balance.js'
import { balance, takeInvoice } from '../follow/invoice.js'
import { observe } from '../follow/observe.js'
import { findLink } from '../provider/link.js'
import type { ProviderEvent, ProviderSubscription } from '../provider/port.js'
import { type Drift, type LinkRow, providerTables } from '../provider-tables.js'
import type { SubscriptionRow } from '../tables.js'
import { claimNew, failDelivery, KEPT_MS } from '../webhook/delivery.js'
import { type Handled, handleDelivery } from '../webhook/handle.js'

const OVERLAP_MS = 3_600_000
const ACCOUNTS_AT_ONCE = 100
/** The list is one row of the database; a long outage of deliveries has no end. */
const LATE_LISTED_MAX = 500

export interface Reconciled {
  /** The number of deliveries that had not arrived. */
  readonly events: number
  readonly accounts: number
  readonly drift: readonly Drift[]
}

export async function reconcile(settling: Settling): Promise<Reconciled> {
  const { runtime } = settling
  const { kind } = providerOf(runtime)
  const startedAtMs = runtime.clock.now()
  const cursor = await settling.read((db) => findCursor(db, kind))
  const sinceMs = Math.max(cursor.eventsUntilMs - OVERLAP_MS, startedAtMs - KEPT_MS)
  const drift: Drift[] = []
  const events = await takeEvents(settling, sinceMs, drift)
  const links = await settling.read((db) => nextLinks(db, kind, cursor.comparedId))
  for (const link of links) {
    // An account that cannot be compared does not keep the others from it. It is compared again in the next round.
    let found = [driftOf(link, 'it could not be compared', false)]
    await apart(runtime, link.orgId, async () => {
      found = await compareAccount(settling, link)
    })
    drift.push(...found)
  }
  const comparedId = links.length < ACCOUNTS_AT_ONCE ? '' : (links.at(-1)?.id ?? '')
  await settling.write(({ tx, nowMs }) => {
    const { billingProviderCursors: t } = providerTables(tx)
    const row = { eventsUntilMs: startedAtMs, comparedId, drift, finishedAtMs: nowMs }
    return tx
      .insert(t)
      .values({ provider: kind, ...row })
      .onConflictDoUpdate({ target: t.provider, set: row })
  })
  if (drift.length > 0) {
    const repaired = drift.filter((each) => each.repaired).length
    runtime.log?.write('billing.provider_drift', { found: drift.length, repaired })
  }
  return { events, accounts: links.length, drift }
}

export async function findCursor(db: Db, provider: string) {
  const { billingProviderCursors: t } = providerTables(db)
  const [row] = await db.select().from(t).where(eq(t.provider, provider))
  return row ?? { eventsUntilMs: 0, comparedId: '', drift: [], finishedAtMs: 0 }
}

/** Adds each event that had an effect to the differences. All of them are among the deliveries. */
async function takeEvents(settling: Settling, sinceMs: number, drift: Drift[]): Promise<number> {
  let taken = 0
  for await (const event of providerOf(settling.runtime).listEvents(sinceMs)) {
    const handled = await takeEvent(settling, event)
    if (handled === null) continue
    taken += 1
    // guard: a-delivery-that-never-came-is-listed
    if (handled.about !== null && drift.length < LATE_LISTED_MAX) {
      drift.push({ ...handled.about, what: `${event.type} had not arrived: ${handled.effect}`, repaired: true })
    }
  }
  return taken
}

/**
 * Processes an event like a delivery. One that arrived before is recognized by its id.
 *
 * @returns null when the event arrived before, or is of another mode.
 */
async function takeEvent(settling: Settling, event: ProviderEvent): Promise<Handled | null> {
  const { isLive } = cardSettingsOf(settling.runtime)
  if (event.livemode !== isLive) return null
  const text = JSON.stringify({
    id: event.id,
    type: event.type,
    created: event.createdAtMs / 1000,
    livemode: event.livemode,
    account: event.account,
    data: { object: event.object },
  })
  const claimed = await settling.write((writing) => claimNew(writing, { ...event, source: 'card_provider' }, text))
  if (claimed.kind !== 'mine') return null
  try {
    return await handleDelivery(settling, claimed.row)
  } catch (error) {
    await settling.write((writing) => failDelivery(writing, claimed.row, error))
    return { effect: 'failed', about: null }
  }
}

async function nextLinks(db: Db, provider: string, after: string): Promise<LinkRow[]> {
  const { billingProviderLinks: t } = providerTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.provider, provider), eq(t.isEnded, false), gt(t.id, after)))
    .orderBy(asc(t.id))
    .limit(ACCOUNTS_AT_ONCE)
}

/** The differences between one account and the provider. */
export async function compareAccount(settling: Settling, known: LinkRow): Promise<Drift[]> {
  const provider = providerOf(settling.runtime)
  // An open call is about to change both sides.
  if (known.externalId === null || (await settling.read((db) => findOpenCall(db, known.id))) !== null) return []
  const seen = await provider.readSubscription({
    externalId: known.externalId,
    customerId: null,
    subscriptionId: known.id,
  })
  if (seen === null) return [driftOf(known, 'the provider does not have it', false)]
  const { customerId } = seen
  const invoices = await provider.readInvoices({ customerId, sinceMs: known.createdAtMs - OVERLAP_MS })
  // Read after the invoices, so that each of them is included.
  const there = await readBalance(settling, { subscriptionId: known.id, customerId })
  const found = await settling.write(async (writing) => {
    const { inTime, root } = await openAccount(writing, known.orgId)
    const link = await findLink(writing.tx, known.id)
    const row = await findSubscription(inTime, known.id)
    if (link === null || row === null || link.seenAtMs !== known.seenAtMs) return { drift: [], wish: null }
    const { prices } = cardSettingsOf(settling.runtime)
    const drift = differences(row, link, seen, prices)
    let account = await observe(inTime, { root, row, link }, seen, 'read')
    for (const invoice of invoices.toReversed()) {
      if (invoice.externalSubscriptionId !== seen.externalId || invoice.status === 'draft') continue
      account = (await takeInvoice(inTime, account, { invoice, balance: null })).account
    }
    // When the ledger has new rows meanwhile, the next comparison adjusts the balance.
    // guard: a-comparison-adjusts-by-the-balance-of-this-ledger
    const current = there?.afterSeq === row.lastSeq ? there : null
    const after = await balance(inTime, account.row, `reconcile-${writing.nowMs}`, current)
    await checkAlerts(inTime, root)
    if (after.balanceCents !== row.balanceCents) drift.push(driftOf(link, 'credit', true))
    return { drift, wish: isOtherHolding(after, seen, prices) ? await wishOurs(writing, after, prices) : null }
  })
  if (found.wish !== null) await runCall(settling, found.wish)
  return found.drift
}

const driftOf = (link: LinkRow, what: string, repaired: boolean): Drift => ({
  orgId: link.orgId,
  subscriptionId: link.id,
  what,
  repaired,
})

function differences(row: SubscriptionRow, link: LinkRow, seen: ProviderSubscription, prices: PriceMap): Drift[] {
  const found: string[] = []
  if (seen.isEnded ? row.status !== 'canceled' : seen.status !== row.status) found.push('status')
  if (!seen.isEnded && seen.periodEndMs !== row.currentPeriodEndMs) found.push('period')
  if (!seen.isEnded && !link.cancelUnconfirmed && seen.cancelAtPeriodEnd !== row.cancelAtPeriodEnd)
    found.push('cancelation')
  if (isOtherHolding(row, seen, prices)) found.push('plan and add-ons')
  const granted = seen.isEnded ? [] : unpriced(row, prices)
  return [
    ...found.map((what) => driftOf(link, what, true)),
    ...granted.map((id) => driftOf(link, `${id} is granted and has no ${row.interval} price`, false)),
  ]
}

function isOtherHolding(row: SubscriptionRow, { state, isEnded }: ProviderSubscription, prices: PriceMap): boolean {
  if (isEnded || state === null) return false
  // The pending change exists at the provider already.
  return ![row, row.pendingChange ?? row].some((held) => isSameHolding(charged(held, prices), state))
}

/** Add-ons that are held and that the provider cannot charge, because a price was taken out of the map. */
const unpriced = ({ interval, addons }: SubscriptionRow, prices: PriceMap): string[] =>
  // guard: what-is-granted-and-not-charged-is-named
  addons.map(({ bundleId }) => bundleId).filter((id) => !bundlePrice(prices, id, interval as Interval).ok)

/** What the provider can have of it. */
const charged = (held: Pick<SubscriptionRow, 'planId' | 'interval' | 'addons'>, prices: PriceMap) => ({
  ...held,
  addons: held.addons.filter(({ bundleId }) => bundlePrice(prices, bundleId, held.interval as Interval).ok),
})

/** Plan and add-ons belong to us, so the provider is told what they are. */
async function wishOurs(writing: BillingWriting, row: SubscriptionRow, prices: PriceMap): Promise<string | null> {
  const isLive = row.status === 'active' || row.status === 'trialing' || row.status === 'past_due'
  if (!isLive || unpriced(row, prices).length > 0) return null
  const { planId, interval, addons } = row
  const wish = { state: { planId, interval, addons }, charge: 'now' as const }
  const ids = { orgId: row.orgId, subscriptionId: row.id, clientKey: null }
  return (await writeWish(writing, { ...ids, kind: 'apply', wish })).id
}
