/** A subscription as it is stored, as the rules see it, and as the API returns it. */
import {
  findPlan,
  type Holding,
  type Instant,
  type Interval,
  instant,
  quantityOf,
  type SoldTier,
  type Subscription,
  type SubscriptionStatus,
} from '@plumbline/billing-core'
import { and, eq, inArray, type Placeholder } from 'drizzle-orm'
import Type from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { Instant as InstantText, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { billingTables, type PendingChange as StoredChange, type SubscriptionRow } from '../tables.js'

/** The statuses of a live subscription. An account has at most one. */
export const LIVE = ['active', 'trialing', 'past_due'] as const

export const at = (ms: number): Instant => instant(toIso(ms))
const atOrNull = (ms: number | null): Instant | null => (ms === null ? null : at(ms))
export const toMs = (value: string): number => Date.parse(value)
const toMsOrNull = (value: string | null): number | null => (value === null ? null : toMs(value))

/** The account's live subscription; null when it has none. */
export async function findLive(db: Db, rootOrgId: string): Promise<SubscriptionRow | null> {
  const [row] = await liveOf(db, { rootOrgId })
  return row ?? null
}

const liveOf = prepared((db, value: (name: 'rootOrgId') => Placeholder) => {
  const { billingSubscriptions: t } = billingTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.orgId, value('rootOrgId')), inArray(t.status, [...LIVE])))
})

/** The subscription that waits for its provider or for its first payment. */
export async function findReserved(db: Db, rootOrgId: string): Promise<SubscriptionRow | null> {
  const { billingSubscriptions: t } = billingTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.orgId, rootOrgId), eq(t.status, 'incomplete')))
  return row ?? null
}

/** @throws Refusal 404 unless the id is that of the account's live subscription. */
export async function requireLive(db: Db, rootOrgId: string, id: string): Promise<SubscriptionRow> {
  const row = await findLive(db, rootOrgId)
  if (row === null || row.id !== id) throw notFound('Subscription')
  return row
}

export function toCore(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    orgId: row.orgId,
    planId: row.planId as SoldTier,
    interval: row.interval as Interval,
    status: row.status as SubscriptionStatus,
    periodAnchor: at(row.periodAnchorMs),
    currentPeriodStart: at(row.currentPeriodStartMs),
    currentPeriodEnd: at(row.currentPeriodEndMs),
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
    canceledAt: atOrNull(row.canceledAtMs),
    addons: row.addons,
    recurringDiscount: row.recurringDiscount,
    failedPaymentAttempts: row.failedPaymentAttempts,
    countedFailures: row.countedFailures,
    firstFailedAt: atOrNull(row.firstFailedAtMs),
    graceEndsAt: atOrNull(row.graceEndsAtMs),
    graceDowngradedAt: atOrNull(row.graceDowngradedAtMs),
    reversal: row.reversal,
  }
}

/** True when both are the same plan, interval and add-ons. */
export const isSameHolding = (held: Pick<SubscriptionRow, 'planId' | 'interval' | 'addons'>, after: Holding): boolean =>
  after.planId === held.planId &&
  after.interval === held.interval &&
  after.addons.length === held.addons.length &&
  after.addons.every(({ bundleId, quantity }) => quantityOf(held.addons, bundleId) === quantity)

/** The columns that the state machine sets. */
export function columnsOf(state: Subscription) {
  return {
    planId: state.planId,
    interval: state.interval,
    status: state.status,
    periodAnchorMs: toMs(state.periodAnchor),
    currentPeriodStartMs: toMs(state.currentPeriodStart),
    currentPeriodEndMs: toMs(state.currentPeriodEnd),
    cancelAtPeriodEnd: state.cancelAtPeriodEnd,
    canceledAtMs: toMsOrNull(state.canceledAt),
    addons: state.addons,
    recurringDiscount: state.recurringDiscount,
    failedPaymentAttempts: state.failedPaymentAttempts,
    countedFailures: state.countedFailures,
    firstFailedAtMs: toMsOrNull(state.firstFailedAt),
    graceEndsAtMs: toMsOrNull(state.graceEndsAt),
    graceDowngradedAtMs: toMsOrNull(state.graceDowngradedAt),
    reversal: state.reversal,
  }
}

const Addon = strictObject({ bundleId: Type.String(), quantity: Type.Integer({ minimum: 1 }) })
const PlanId = Type.Enum(['developer', 'pro', 'team', 'enterprise'])
const IntervalName = Type.Enum(['monthly', 'annual'])
const StatusName = Type.Enum([...LIVE, 'canceled', 'incomplete'])
const Money = Type.Integer({ minimum: 0, description: 'US cents' })

const PendingChange = strictObject({
  planId: PlanId,
  interval: IntervalName,
  addons: Type.Array(Addon),
  effectiveAt: InstantText,
  waitsFor: Type.Enum(['period_end', 'provider'], {
    description:
      'Whether the change waits for the next period, or for the provider: nothing is granted before the provider accepts it',
  }),
})

export const SubscriptionView = strictObject({
  id: Uuid,
  orgId: Uuid,
  planId: PlanId,
  planName: Type.String(),
  tier: PlanId,
  status: StatusName,
  interval: IntervalName,
  currentPeriodStart: InstantText,
  currentPeriodEnd: InstantText,
  cancelAtPeriodEnd: Type.Boolean({ description: 'It ends with the period' }),
  addons: Type.Array(Addon),
  pendingChange: nullable(PendingChange),
  creditBalanceCents: Money,
  graceEndsAt: nullable(InstantText),
  paymentUrl: nullable(Type.String({ description: "The provider's page on which a due payment is made" })),
  createdAt: InstantText,
  updatedAt: InstantText,
})

export const MoneyCents = Money
export { Addon, IntervalName, PlanId, StatusName }

/** What is known of the subscription at its provider. */
export interface AtProvider {
  readonly paymentUrl: string | null
  /** The change that the provider was asked for and has not confirmed. */
  readonly wanted: StoredChange | null
}

const ALONE: AtProvider = { paymentUrl: null, wanted: null }

export function presentSubscription(
  { settings }: Pick<Runtime, 'settings'>,
  row: SubscriptionRow,
  { paymentUrl, wanted }: AtProvider = ALONE,
) {
  const { planId, interval, status, addons } = toCore(row)
  const plan = findPlan(settings.tiers, planId)
  const pending = wanted ?? row.pendingChange
  return {
    id: row.id,
    orgId: row.orgId,
    planId,
    planName: plan?.name ?? planId,
    tier: planId,
    status,
    interval,
    currentPeriodStart: toIso(row.currentPeriodStartMs),
    currentPeriodEnd: toIso(row.currentPeriodEndMs),
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
    addons: [...addons],
    pendingChange:
      pending === null
        ? null
        : {
            planId: pending.planId as SoldTier,
            interval: pending.interval as Interval,
            addons: [...pending.addons],
            effectiveAt: toIso(wanted === null ? row.currentPeriodEndMs : row.updatedAtMs),
            waitsFor: wanted === null ? ('period_end' as const) : ('provider' as const),
          },
    creditBalanceCents: row.balanceCents,
    graceEndsAt: toIsoOrNull(row.graceEndsAtMs),
    paymentUrl,
    createdAt: toIso(row.createdAtMs),
    updatedAt: toIso(row.updatedAtMs),
  }
}
