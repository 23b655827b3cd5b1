/**
 * Through which provider a subscription was sold. After a change of BILLING_PROVIDER that may be another one than that
 * of this server, which goes on to charge it.
 */
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { findPurchaseOf } from '../buyer/record.js'
import { findLink } from '../provider/link.js'
import type { SubscriptionRow } from '../tables.js'

/** Returns null for a subscription that this server charges itself. */
export async function sellerOf(db: Db, { id }: Pick<SubscriptionRow, 'id'>): Promise<string | null> {
  const link = await findLink(db, id)
  if (link !== null) return link.provider
  return (await findPurchaseOf(db, id)) === null ? null : 'marketplace'
}

/** @throws Refusal 409 for a change that the provider of the subscription would never learn of. */
export async function requireOwnSeller(
  { settings }: Pick<Runtime, 'settings'>,
  db: Db,
  row: Pick<SubscriptionRow, 'id'>,
): Promise<void> {
  const seller = await sellerOf(db, row)
  // guard: what-another-provider-charges-is-not-changed
  if (seller === null || seller === settings.BILLING_PROVIDER) return
  throw new Refusal(
    'CONFLICT',
    'the subscription is charged by a provider that this server no longer has: ask its operator to end it, then subscribe again',
    { details: { provider: seller, reason: 'other_provider' } },
  )
}
