/** A discount as it is stored, as the rules see it, and as the API returns it. */
import {
  cents,
  type Discount,
  type DiscountKind,
  type DiscountValue,
  discountKinds,
  percent,
  type Tier,
} from '@plumbline/billing-core'
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { notFound, Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { choice, Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { at, PlanId } from '../account/subscription.js'
import { creditTables, type DiscountRow } from '../credit-tables.js'

export const UNITS = ['dollar', 'percent'] as const

export const discountValue = ({ unit, value }: { readonly unit: string; readonly value: number }): DiscountValue =>
  unit === 'percent' ? { unit, value: percent(value) } : { unit: 'dollar', value: cents(value) }

export function toDiscount(row: DiscountRow): Discount {
  return {
    ...discountValue(row),
    id: row.id,
    kind: row.kind as DiscountKind,
    timesRedeemed: row.timesRedeemed,
    isActive: row.isActive,
    ...(row.campaign === null ? {} : { campaign: row.campaign }),
    ...(row.alias === null ? {} : { alias: row.alias }),
    ...(row.targetOrgId === null ? {} : { targetOrgId: row.targetOrgId }),
    ...(row.maxRedemptions === null ? {} : { maxRedemptions: row.maxRedemptions }),
    ...(row.redeemByMs === null ? {} : { redeemBy: at(row.redeemByMs) }),
    ...(row.appliesToTiers === null ? {} : { appliesToTiers: row.appliesToTiers as readonly Tier[] }),
  }
}

/** What an account sees of a discount: neither which other accounts may redeem it, nor how often it was redeemed. */
const OwnFields = {
  id: Uuid,
  value: Type.Integer({ minimum: 1, description: 'US cents, or percent points' }),
  unit: choice(UNITS),
  kind: choice(discountKinds),
  campaign: nullable(Type.String()),
  redeemBy: nullable(Instant),
  appliesToTiers: nullable(Type.Array(PlanId)),
  isActive: Type.Boolean(),
}
export const OwnDiscountView = strictObject(OwnFields)

export const DiscountView = strictObject({
  ...OwnFields,
  hasAlias: Type.Boolean({ description: 'The alias is shown only when the discount is created' }),
  targetOrgId: nullable(Uuid),
  maxRedemptions: nullable(Type.Integer({ minimum: 1 })),
  timesRedeemed: Type.Integer({ minimum: 0 }),
  sandbox: Type.Boolean(),
  createdBy: nullable(Type.String()),
  createdAt: Instant,
  updatedAt: Instant,
})

export const presentOwnDiscount = (row: DiscountRow) => ({
  id: row.id,
  value: row.value,
  unit: row.unit as (typeof UNITS)[number],
  kind: row.kind as DiscountKind,
  campaign: row.campaign,
  redeemBy: toIsoOrNull(row.redeemByMs),
  appliesToTiers: row.appliesToTiers === null ? null : ([...row.appliesToTiers] as 'pro'[]),
  isActive: row.isActive,
})

export const presentDiscount = (row: DiscountRow) => ({
  ...presentOwnDiscount(row),
  hasAlias: row.alias !== null,
  targetOrgId: row.targetOrgId,
  maxRedemptions: row.maxRedemptions,
  timesRedeemed: row.timesRedeemed,
  sandbox: row.sandbox,
  createdBy: row.createdBy,
  createdAt: toIso(row.createdAtMs),
  updatedAt: toIso(row.updatedAtMs),
})

/** @throws Refusal 404 while discounts are off, as for a path that does not exist. */
export function requireDiscounts({ settings }: Pick<Runtime, 'settings'>): void {
  if (!settings.BILLING_DISCOUNTS_ENABLED)
    throw new Refusal('NOT_FOUND', 'discounts are off: BILLING_DISCOUNTS_ENABLED is `false`')
}

export async function findDiscount(db: Db, id: string): Promise<DiscountRow | null> {
  const { billingDiscounts: t } = creditTables(db)
  const [row] = await db.select().from(t).where(eq(t.id, id))
  return row ?? null
}

/** @throws Refusal 404 */
export async function requireDiscount(db: Db, id: string): Promise<DiscountRow> {
  const row = await findDiscount(db, id)
  if (row === null) throw notFound('Discount')
  return row
}

/** What evidence and events may contain of a discount: nothing that could redeem it. */
export const factsOf = ({ id, kind, unit, value }: Pick<DiscountRow, 'id' | 'kind' | 'unit' | 'value'>) => ({
  discountId: id,
  kind,
  unit,
  value,
})
