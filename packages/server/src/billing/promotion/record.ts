/** A promotion as it is stored, as the rules see it, and as the API returns it. */
import {
  type Cents,
  cents,
  findPlan,
  type Interval,
  intervals,
  type Promotion,
  type PromotionAccount,
  percent,
  soldTiers,
  type Tier,
  type TriggerType,
  triggerTypes,
} from '@plumbline/billing-core'
import { asc, eq, type Placeholder } from 'drizzle-orm'
import Type from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { notFound, Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { choice, Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { at, MoneyCents, toCore } from '../account/subscription.js'
import { creditTables, type PromotionRow } from '../credit-tables.js'
import { discountValue, UNITS } from '../discount/record.js'
import type { SubscriptionRow } from '../tables.js'

export const KINDS = ['onetime', 'recurring'] as const

export function toPromotion(row: PromotionRow): Promotion {
  const { conditions, triggerType, referrerValue } = row
  return {
    ...discountValue(row),
    id: row.id,
    kind: row.kind as Promotion['kind'],
    trigger: {
      type: triggerType as TriggerType,
      conditions: {
        ...(conditions.tiers === undefined ? {} : { tiers: conditions.tiers as readonly Tier[] }),
        ...(conditions.intervals === undefined ? {} : { intervals: conditions.intervals as readonly Interval[] }),
        ...(conditions.firstSubscriptionOnly === undefined
          ? {}
          : { firstSubscriptionOnly: conditions.firstSubscriptionOnly }),
      },
    },
    ...(referrerValue === null
      ? {}
      : { referrerValue: row.unit === 'percent' ? percent(referrerValue) : cents(referrerValue) }),
    ...(row.startsAtMs === null ? {} : { startsAt: at(row.startsAtMs) }),
    ...(row.endsAtMs === null ? {} : { endsAt: at(row.endsAtMs) }),
    budgetCents: cents(row.budgetCents),
    ...(row.perOrgCapCents === null ? {} : { perOrgCapCents: cents(row.perOrgCapCents) }),
    ...(row.maxGrants === null ? {} : { maxGrants: row.maxGrants }),
    isActive: row.isActive,
    ...(row.activatedAtMs === null ? {} : { activatedAt: at(row.activatedAtMs) }),
    createdAt: at(row.createdAtMs),
    spentCents: cents(row.spentCents),
    grantsCount: row.grantsCount,
  }
}

/** What a percentage is of. */
export const planPrice = (
  { settings }: Pick<Runtime, 'settings'>,
  { planId, interval }: Pick<SubscriptionRow, 'planId' | 'interval'>,
): Cents => findPlan(settings.tiers, planId as Tier)?.prices[interval as Interval] ?? cents(0)

/** The account as promotions see it. */
export function promotionAccount(runtime: Pick<Runtime, 'settings'>, row: SubscriptionRow): PromotionAccount {
  const { planId, interval, status } = toCore(row)
  return {
    orgId: row.orgId,
    subscriptionId: row.id,
    tier: planId,
    interval,
    planPriceCents: planPrice(runtime, row),
    isFirstSubscription: row.isFirst,
    isEntitled: status === 'active' || status === 'trialing',
    subscriptionStartedAt: at(row.createdAtMs),
  }
}

export const Trigger = strictObject({
  type: choice(triggerTypes),
  conditions: Type.Optional(
    strictObject({
      tiers: Type.Optional(Type.Array(choice(soldTiers), { maxItems: 10, uniqueItems: true })),
      intervals: Type.Optional(Type.Array(choice(intervals), { maxItems: 2, uniqueItems: true })),
      firstSubscriptionOnly: Type.Optional(Type.Boolean()),
    }),
  ),
})

export const FAILED =
  'Accounts that the newest activation or backfill could not work on; the next backfill tries them again'

export const PromotionView = strictObject({
  id: Uuid,
  name: Type.String(),
  campaign: nullable(Type.String()),
  trigger: Trigger,
  value: Type.Integer({ minimum: 1, description: 'US cents, or percent points of the price of the plan' }),
  unit: choice(UNITS),
  kind: choice(KINDS),
  referrerValue: nullable(Type.Integer()),
  startsAt: nullable(Instant),
  endsAt: nullable(Instant),
  budgetCents: MoneyCents,
  spentCents: MoneyCents,
  grantsCount: Type.Integer({ minimum: 0 }),
  perOrgCapCents: nullable(MoneyCents),
  maxGrants: nullable(Type.Integer({ minimum: 1 })),
  isActive: Type.Boolean(),
  activatedAt: nullable(Instant),
  failedAccounts: Type.Integer({ minimum: 0, description: FAILED }),
  sandbox: Type.Boolean(),
  createdBy: nullable(Type.String()),
  createdAt: Instant,
  updatedAt: Instant,
})

export const presentPromotion = (row: PromotionRow) => ({
  id: row.id,
  name: row.name,
  campaign: row.campaign,
  trigger: {
    type: row.triggerType as TriggerType,
    conditions: row.conditions as { tiers?: 'pro'[]; intervals?: Interval[]; firstSubscriptionOnly?: boolean },
  },
  value: row.value,
  unit: row.unit as (typeof UNITS)[number],
  kind: row.kind as (typeof KINDS)[number],
  referrerValue: row.referrerValue,
  startsAt: toIsoOrNull(row.startsAtMs),
  endsAt: toIsoOrNull(row.endsAtMs),
  budgetCents: row.budgetCents,
  spentCents: row.spentCents,
  grantsCount: row.grantsCount,
  perOrgCapCents: row.perOrgCapCents,
  maxGrants: row.maxGrants,
  isActive: row.isActive,
  activatedAt: toIsoOrNull(row.activatedAtMs),
  failedAccounts: row.failedAccounts,
  sandbox: row.sandbox,
  createdBy: row.createdBy,
  createdAt: toIso(row.createdAtMs),
  updatedAt: toIso(row.updatedAtMs),
})

export const promotionsAreOn = ({ settings }: Pick<Runtime, 'settings'>): boolean =>
  settings.BILLING_DISCOUNTS_ENABLED && settings.BILLING_PROMOTIONS_ENABLED

/** @throws Refusal 404 while promotions or discounts are off. */
export function requirePromotions(runtime: Pick<Runtime, 'settings'>): void {
  if (promotionsAreOn(runtime)) return
  throw new Refusal(
    'NOT_FOUND',
    'promotions are off: BILLING_PROMOTIONS_ENABLED or BILLING_DISCOUNTS_ENABLED is `false`',
  )
}

/** @throws Refusal 404 */
export async function findPromotion(db: Db, id: string): Promise<PromotionRow | null> {
  const [row] = await byId(db, { id })
  return row ?? null
}

const byId = prepared((db, value: (name: 'id') => Placeholder) => {
  const { billingPromotions: t } = creditTables(db)
  return db
    .select()
    .from(t)
    .where(eq(t.id, value('id')))
})

export async function requirePromotion(db: Db, id: string): Promise<PromotionRow> {
  const row = await findPromotion(db, id)
  if (row === null) throw notFound('Promotion')
  return row
}

/** All active promotions, in the order in which they grant. */
export async function activePromotions(db: Db): Promise<PromotionRow[]> {
  return active(db, {})
}

const active = prepared((db) => {
  const { billingPromotions: t } = creditTables(db)
  return db.select().from(t).where(eq(t.isActive, true)).orderBy(asc(t.createdAtMs), asc(t.id))
})
