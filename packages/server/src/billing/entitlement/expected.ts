/** What an account is entitled to, compared with what is in force. */

import { entitle, type QuotaType, quotaTypes } from '@plumbline/billing-core'
import Type from 'typebox'
import { readGrants } from '../../quota/index.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { choice, Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { findPort } from '../../runtime/port.js'
import { type BoughtRetention, reportRetentionPort } from '../../runtime/records/report-retention.js'
import type { Db } from '../../runtime/store/db.js'
import { accountTime } from '../account/open.js'
import { at, findLive, toCore } from '../account/subscription.js'
import type { Root } from '../account/writing.js'
import { findPurchaseOfAccount, PurchaseView } from '../buyer/record.js'
import { boughtRetention } from '../entitle/apply.js'
import { presentPurchase } from '../purchase/follow.js'
import { findDrift, LEGS } from './drift.js'

const Days = Type.Integer({ minimum: -1, description: 'Days; -1 keeps everything' })

const Leg = strictObject({
  tier: Type.String(),
  seats: nullable(Type.Integer({ minimum: 0, description: 'Null for the limits of the tier' })),
  features: Type.Array(Type.String()),
  grants: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description: 'What add-ons grant, by limit' }),
  retention: nullable(
    strictObject(
      { eventDays: Days, factDays: Days },
      {
        description:
          'How long reports keep events and facts. A shorter time, which applies after a week, is shown at once',
      },
    ),
  ),
})

export const EntitlementView = strictObject({
  orgId: Uuid,
  subscriptionId: nullable(Uuid),
  expected: nullable(Leg),
  inForce: Leg,
  marketplace: nullable(PurchaseView),
  differs: Type.Array(choice(LEGS), {
    description: 'Empty when everything matches the subscription; always empty for an account without a subscription',
  }),
  lastDrift: nullable(
    strictObject(
      { foundAt: Instant, differs: Type.Array(choice(LEGS)), repaired: Type.Boolean() },
      { description: 'The newest difference that a comparison found; null when none ever did' },
    ),
  ),
})

const NOTHING_BOUGHT: BoughtRetention = { eventDays: 0, factDays: 0, isExtended: false }

/**
 * Compares the two. The expected side is null for an account without a live subscription, because an operator sets its
 * tier.
 */
export async function compareEntitlement(
  runtime: Pick<Runtime, 'settings' | 'ports'>,
  db: Db,
  root: Root,
  realMs: number,
) {
  const row = await findLive(db, root.id)
  const held = {
    tier: root.tier,
    seats: root.seatLimit,
    features: [...root.addonFeatures].sort(),
    grants: positive(await readGrants(db, root.id)),
  }
  const purchase = await findPurchaseOfAccount(db, root.id)
  const marketplace = purchase === null ? null : presentPurchase(runtime, purchase, at(realMs))
  const lastDrift = await findDrift(db, root.id)
  const about = { orgId: root.id, subscriptionId: row?.id ?? null, marketplace, lastDrift }
  const retention = (bought: BoughtRetention) => findPort(runtime, reportRetentionPort)?.compare(db, root.id, bought)
  if (row === null) {
    const days = await retention(NOTHING_BOUGHT)
    return { ...about, inForce: { ...held, retention: days?.inForce ?? null }, expected: null, differs: [] }
  }
  const { tiers, BILLING_ENABLED } = runtime.settings
  const { nowMs } = await accountTime(db, root.id, realMs)
  const subscription = toCore(row)
  const asked = { subscription, now: at(nowMs), billingEnabled: BILLING_ENABLED, isSystemOrg: root.isSystem }
  const entitlement = entitle(tiers, asked)
  const { tier, limits, addonFeatures } = entitlement
  const baseline = tiers.tiers[tier].limits
  const days = await retention(boughtRetention(entitlement, baseline))
  const inForce = { ...held, retention: days?.inForce ?? null }
  const expected = {
    tier: tier as string,
    seats: limits.seats === baseline.seats ? null : limits.seats,
    features: [...addonFeatures].sort() as string[],
    grants: positive(
      Object.fromEntries(
        quotaTypes.map((type): [QuotaType, number] => [type, Math.max(0, limits[type] - baseline[type])]),
      ),
    ),
    retention: days?.expected ?? null,
  }
  const differs = LEGS.filter((leg) => JSON.stringify(expected[leg]) !== JSON.stringify(inForce[leg]))
  return { ...about, inForce, expected, differs }
}

/** Those that grant something, in the order of the limits. */
function positive(grants: Readonly<Partial<Record<QuotaType, number>>>): Record<string, number> {
  const given = quotaTypes.map((type): [QuotaType, number] => [type, grants[type] ?? 0])
  return Object.fromEntries(given.filter(([, amount]) => amount > 0))
}
