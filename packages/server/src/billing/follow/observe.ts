/**
 * Applies what the provider reports about a subscription: its status, its period, whether it ends.
 *
 * Answers to our own calls, deliveries and comparisons all use this function. So the account ends in the same state,
 * whichever arrives first. What the account holds (plan, add-ons, credit) is decided here and not taken from the
 * provider.
 */
import { type BillingWriting, type Root, writeSubscription } from '../account/writing.js'
import { tellAccount } from '../notice/send.js'
import { endedThere } from '../notice/text.js'
import { updateLink } from '../provider/link.js'
import type { ProviderSubscription } from '../provider/port.js'
import type { LinkRow } from '../provider-tables.js'
import { move } from '../state/move.js'
import type { SubscriptionRow } from '../tables.js'
import { countFailures } from './failures.js'
import { openPeriod } from './period.js'

export interface Account {
  readonly root: Root
  readonly row: SubscriptionRow
  readonly link: LinkRow
}

/**
 * @param seenAt When it was true at the provider. A state that is older than the applied one is ignored. `read`: it was
 * requested after that, so it is the newest whatever the clocks say. A provider has real time, for sandboxes too.
 */
export async function observe(
  context: BillingWriting,
  account: Account,
  seen: ProviderSubscription,
  seenAt: number | 'read',
): Promise<Account> {
  const { root } = account
  let { row, link } = account
  if (link.isEnded) return account
  const seenAtMs = seenAt === 'read' ? Math.max(secondOf(context.runtime.clock.now()), link.seenAtMs) : seenAt
  if (!seen.isEnded && seenAtMs < link.seenAtMs) return account
  link = await updateLink(context, link, {
    externalId: seen.externalId,
    seenAtMs: Math.max(seenAtMs, link.seenAtMs),
    isEnded: seen.isEnded,
    // guard: a-preview-knows-that-the-period-is-held
    isPeriodHeld: seen.isPeriodHeld,
    paymentUrl: paymentUrlOf(seen, link),
    cancelUnconfirmed: link.cancelUnconfirmed && !seen.cancelAtPeriodEnd && !seen.isEnded,
  })
  if (seen.isEnded) {
    // The subscription ended in this period, whether or not the deliveries about its beginning arrived before.
    const { periodStartMs: currentPeriodStartMs, periodEndMs: currentPeriodEndMs } = seen
    const isNewer = currentPeriodStartMs > row.currentPeriodStartMs && currentPeriodEndMs > currentPeriodStartMs
    if (isNewer) row = await writeSubscription(context, row, { currentPeriodStartMs, currentPeriodEndMs })
    return { root, row: await followEnd(context, root, row, await move(context, root, row, { type: 'ended' })), link }
  }
  row = await openPeriod(context, root, row, { startMs: seen.periodStartMs, endMs: seen.periodEndMs })
  row = await followEnd(
    context,
    root,
    row,
    await move(context, root, row, { type: 'provider_status', status: seen.status }),
  )
  row = await countFailures(context, row, link)
  if (row.status !== 'incomplete' && row.status !== 'canceled' && !link.cancelUnconfirmed) {
    const type = seen.cancelAtPeriodEnd ? 'cancel_requested' : 'reactivate_requested'
    row = await move(context, root, row, { type })
  }
  return { root, row, link }
}

/** Notifies the account of an end that it did not ask for. */
async function followEnd(
  context: BillingWriting,
  root: Root,
  before: SubscriptionRow,
  after: SubscriptionRow,
): Promise<SubscriptionRow> {
  const wasLive = before.status !== 'canceled' && before.status !== 'incomplete'
  const isOver = wasLive && after.status === 'canceled' && !before.cancelAtPeriodEnd
  if (isOver) await tellAccount(context, root, endedThere(context.runtime.settings, before))
  return after
}

/** Providers report times in seconds. */
export const secondOf = (ms: number): number => Math.floor(ms / 1000) * 1000

/** A report that does not say where to pay keeps the known page while a payment is due. */
const paymentUrlOf = (seen: ProviderSubscription, known: LinkRow): string | null => {
  if (seen.paymentUrl !== undefined) return seen.paymentUrl
  return seen.status === 'incomplete' || seen.status === 'past_due' ? known.paymentUrl : null
}
