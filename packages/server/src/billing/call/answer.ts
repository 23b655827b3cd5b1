/** What operations share whose change a provider may have to confirm. */

import { eq } from 'drizzle-orm'
import type { Runtime, SettleContext } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { type AtProvider, presentSubscription } from '../account/subscription.js'
import { SUBSCRIPTION_ACTIONS, type SubscriptionAction } from '../account/writing.js'
import { providerOf } from '../charge/open.js'
import { findLink } from '../provider/link.js'
import { billingTables, type SubscriptionRow } from '../tables.js'
import { settleCall } from './settle.js'
import { findOpenCall } from './wish.js'

type View = ReturnType<typeof presentSubscription>

const isWaiting = ({ subscription }: { readonly subscription: View }): boolean =>
  subscription.pendingChange?.waitsFor === 'provider' ||
  (subscription.status === 'incomplete' && subscription.paymentUrl === null)

/** For the definition of such an operation: 202 while the provider has not answered. */
export const agreedElsewhere = {
  audit: SUBSCRIPTION_ACTIONS,
  silentWhen: 'the provider has not answered yet: its answer writes the event',
  otherStatuses: [202],
  statusOf: (data: { readonly subscription: View }) => (isWaiting(data) ? 202 : undefined),
} as const

/** The additional codes of such an operation. */
export const AGREED_ERRORS = [
  'CHANGE_IN_PROGRESS',
  'CONFLICT',
  'MANAGED_BY_MARKETPLACE',
  'SELF_SERVICE_DISABLED',
  'PAYMENT_FAILED',
  'PRICE_NOT_CONFIGURED',
] as const

/** Returns the subscription with its state at the provider and the open call. */
export async function showSubscription(db: Db, runtime: Runtime, row: SubscriptionRow): Promise<View> {
  if (providerOf(runtime).isLocal) return presentSubscription(runtime, row)
  const link = await findLink(db, row.id)
  const call = await findOpenCall(db, row.id)
  const at: AtProvider = { paymentUrl: link?.paymentUrl ?? null, wanted: call?.wish.state ?? null }
  return presentSubscription(runtime, row, at)
}

/**
 * Returns the answer after the provider was asked.
 *
 * @throws Refusal when the provider refused.
 */
export async function settleSubscription<T extends { readonly subscription: View }>(
  context: SettleContext<SubscriptionAction>,
  data: T,
): Promise<T> {
  const { runtime } = context
  if ((await settleCall(context, data)) === null) return data
  const subscription = await context.read(async (db) => {
    const { billingSubscriptions: t } = billingTables(db)
    const [row] = await db.select().from(t).where(eq(t.id, data.subscription.id))
    return row === undefined ? data.subscription : showSubscription(db, runtime, row)
  })
  return { ...data, subscription }
}
