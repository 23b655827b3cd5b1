/**
 * Takes over what the provider says of a subscription: its status, its period, whether it ends. An answer to our own call, a
 * delivery and a comparison all come through here, so that whichever is first, the account ends in one state. What the account
 * holds (plan, add-ons, credit) is ours and is not taken from there.
 */
import type { BillingWriting, Root } from '../account/writing.js'
import { updateLink } from '../provider/link.js'
import type { ProviderSubscription } from '../provider/port.js'
import type { LinkRow } from '../provider-tables.js'
import { move } from '../state/move.js'
import type { SubscriptionRow } from '../tables.js'
import { openPeriod } from './period.js'

export interface Account {
  readonly root: Root
  readonly row: SubscriptionRow
  readonly link: LinkRow
}

/**
 * @param seenAt when it was true at the provider: older than what was applied, it is left. `read`: it was asked for after that, so
 * it is the newest whatever the clocks say.
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
  const seenAtMs = seenAt === 'read' ? Math.max(secondOf(context.nowMs), link.seenAtMs) : seenAt
  if (!seen.isEnded && seenAtMs < link.seenAtMs) return account
  link = await updateLink(context, link, {
    externalId: seen.externalId,
    seenAtMs: Math.max(seenAtMs, link.seenAtMs),
    isEnded: seen.isEnded,
    paymentUrl: seen.paymentUrl,
    cancelUnconfirmed: link.cancelUnconfirmed && !seen.cancelAtPeriodEnd && !seen.isEnded,
  })
  if (seen.isEnded) return { root, row: await move(context, root, row, { type: 'ended' }), link }
  row = await openPeriod(context, root, row, { startMs: seen.periodStartMs, endMs: seen.periodEndMs })
  row = await move(context, root, row, { type: 'provider_status', status: seen.status })
  if (row.status !== 'incomplete' && row.status !== 'canceled' && !link.cancelUnconfirmed) {
    const type = seen.cancelAtPeriodEnd ? 'cancel_requested' : 'reactivate_requested'
    row = await move(context, root, row, { type })
  }
  return { root, row, link }
}

/** Providers tell seconds. */
export const secondOf = (ms: number): number => Math.floor(ms / 1000) * 1000
