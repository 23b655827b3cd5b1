/** What an account is entitled to, compared with what is in force. */

import { entitle, type QuotaType, quotaTypes } from '@plumbline/billing-core'
import Type from 'typebox'
import { readGrants } from '../../quota/index.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { accountTime } from '../account/open.js'
import { at, findLive, toCore } from '../account/subscription.js'
import type { Root } from '../account/writing.js'
import { findPurchaseOfAccount, PurchaseView } from '../buyer/record.js'
import { presentPurchase } from '../purchase/follow.js'

const Leg = strictObject({
  tier: Type.String(),
  seats: nullable(Type.Integer({ minimum: 0, description: 'Null for the limits of the tier' })),
  features: Type.Array(Type.String()),
  grants: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description: 'What add-ons grant, by limit' }),
})

export const EntitlementView = strictObject({
  orgId: Uuid,
  subscriptionId: nullable(Uuid),
  expected: nullable(Leg),
  inForce: Leg,
  marketplace: nullable(PurchaseView),
  differs: Type.Array(Type.Enum(['tier', 'seats', 'features', 'grants']), {
    description: 'Empty when everything matches the subscription; always empty for an account without a subscription',
  }),
})

const LEGS = ['tier', 'seats', 'features', 'grants'] as const

/**
 * Compares the two. The expected side is null for an account without a live subscription, because an operator sets its
 * tier.
 */
export async function compareEntitlement(runtime: Pick<Runtime, 'settings'>, db: Db, root: Root, realMs: number) {
  const row = await findLive(db, root.id)
  const inForce = {
    tier: root.tier,
    seats: root.seatLimit,
    features: [...root.addonFeatures].sort(),
    grants: positive(await readGrants(db, root.id)),
  }
  const purchase = await findPurchaseOfAccount(db, root.id)
  const marketplace = purchase === null ? null : presentPurchase(runtime, purchase, at(realMs))
  const about = { orgId: root.id, subscriptionId: row?.id ?? null, inForce, marketplace }
  if (row === null) return { ...about, expected: null, differs: [] }
  const { tiers, BILLING_ENABLED } = runtime.settings
  const { nowMs } = await accountTime(db, root.id, realMs)
  const subscription = toCore(row)
  const asked = { subscription, now: at(nowMs), billingEnabled: BILLING_ENABLED, isSystemOrg: root.isSystem }
  const { tier, limits, addonFeatures } = entitle(tiers, asked)
  const baseline = tiers.tiers[tier].limits
  const expected = {
    tier: tier as string,
    seats: limits.seats === baseline.seats ? null : limits.seats,
    features: [...addonFeatures].sort() as string[],
    grants: positive(
      Object.fromEntries(
        quotaTypes.map((type): [QuotaType, number] => [type, Math.max(0, limits[type] - baseline[type])]),
      ),
    ),
  }
  const differs = LEGS.filter((leg) => JSON.stringify(expected[leg]) !== JSON.stringify(inForce[leg]))
  return { ...about, expected, differs }
}

/** Those that grant something, in the order of the limits. */
function positive(grants: Readonly<Partial<Record<QuotaType, number>>>): Record<string, number> {
  const given = quotaTypes.map((type): [QuotaType, number] => [type, grants[type] ?? 0])
  return Object.fromEntries(given.filter(([, amount]) => amount > 0))
}
