/**
 * One grant of a promotion to an account whose lock is held. One conditional UPDATE reserves the budget before the
 * ledger row is written, and both are committed or neither.
 */

import {
  type Cents,
  clawback,
  clawbackCandidates,
  grantPromotion,
  type Interval,
  type LedgerState,
  ledgerKey,
  type Promotion,
  type PromotionGrant,
  type PromotionGrantCommand,
  type PromotionGrantReason,
  periodKey,
} from '@plumbline/billing-core'
import { and, eq, gte, isNull, like, or, type Placeholder, sql } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { supportsCredit } from '../account/credit.js'
import { isSandbox } from '../account/open.js'
import { at } from '../account/subscription.js'
import type { Recording } from '../account/writing.js'
import { creditTables, type PromotionRow } from '../credit-tables.js'
import { type NewEvent, recordEvent } from '../event/record.js'
import { type LedgerWriting, openStored, toLedgerRow, writeOutcome } from '../ledger/store.js'
import { billingTables, type SubscriptionRow } from '../tables.js'
import { activePromotions, promotionAccount, promotionsAreOn, toPromotion } from './record.js'

export interface Given {
  readonly row: SubscriptionRow
  readonly granted: boolean
  readonly cents: Cents | null
  readonly reason: PromotionGrantReason
}

/** @returns The reason when nothing is granted. Nothing is written then. */
export async function givePromotion(
  context: LedgerWriting,
  row: SubscriptionRow,
  promotion: PromotionRow,
  cause: PromotionGrantCommand['cause'],
): Promise<Given> {
  const { tx } = context
  if (promotion.sandbox !== (await isSandbox(tx, row.orgId))) {
    return { row, granted: false, cents: null, reason: 'ineligible' }
  }
  const ledger = await openStored(context, row, [grantKey(row, promotion)])
  const given = planGrant(context, row, { promotion: toPromotion(promotion), cause, ledger })
  const { granted, cents: amount, reason, outcome } = given
  if (outcome === null || amount === null) return { row, granted, cents: amount, reason }
  if (!(await reserve(tx, promotion.id, amount))) {
    return { row, granted: false, cents: amount, reason: 'budget_exhausted' }
  }
  const next = await writeOutcome(context, row, outcome)
  await recordGrant(context, row, promotion.id, amount)
  return { row: next, granted, cents: amount, reason }
}

/**
 * A recurring promotion that an operator grants is granted for the current period. The roll of each later period renews
 * it.
 */
const periodOf = (row: SubscriptionRow, { kind }: Pick<Promotion, 'kind'>): string | undefined =>
  kind === 'recurring' ? periodKey(at(row.currentPeriodStartMs), row.interval as Interval) : undefined

/** The key of the row that the grant would write. */
export const grantKey = (row: SubscriptionRow, promotion: Pick<PromotionRow, 'id' | 'kind'>): string =>
  ledgerKey.promotion(promotion.id, row.orgId, periodOf(row, promotion as Pick<Promotion, 'kind'>))

/** What would be granted. Nothing is written. */
export function planGrant(
  { runtime, nowMs, actor }: Pick<LedgerWriting, 'runtime' | 'nowMs' | 'actor'>,
  row: SubscriptionRow,
  asked: Pick<PromotionGrantCommand, 'promotion' | 'cause'> & { readonly ledger: LedgerState },
): PromotionGrant {
  const { promotion, cause, ledger } = asked
  const period = periodOf(row, promotion)
  return grantPromotion(ledger, {
    rowId: runtime.ids.next(),
    promotion,
    account: promotionAccount(runtime, row),
    cause,
    ...(period === undefined ? {} : { period }),
    creditSupported: supportsCredit(runtime),
    now: at(nowMs),
    ...(actor.id === 'system' ? {} : { actorId: actor.id }),
  })
}

/** Grants all promotions that this event earns the account, oldest promotion first. */
export async function givePromotions(
  context: LedgerWriting,
  row: SubscriptionRow,
  trigger: 'subscription_created' | 'plan_change',
): Promise<SubscriptionRow> {
  if (!promotionsAreOn(context.runtime)) return row
  let next = row
  for (const promotion of await activePromotions(context.tx)) {
    if (promotion.triggerType !== trigger) continue
    next = (await givePromotion(context, next, promotion, trigger)).row
  }
  return next
}

export async function recordGrant(
  context: LedgerWriting,
  row: SubscriptionRow,
  promotionId: string,
  amount: number,
): Promise<void> {
  await recordEvent(context, grantEvent(row, promotionId, amount))
}

export const grantEvent = ({ orgId, id }: SubscriptionRow, promotionId: string, amount: number): NewEvent => ({
  orgId,
  subscriptionId: id,
  type: 'promotion_granted',
  details: { promotionId, cents: amount },
})

/** Reserves the cents of so many grants in the budget, completely or not at all. */
export async function reserve(tx: Db, promotionId: string, amount: number, grants = 1): Promise<boolean> {
  return (await reserveIn(tx, { promotionId, amount, grants })).length > 0
}

const reserveIn = prepared((db, value: (name: 'promotionId' | 'amount' | 'grants') => Placeholder) => {
  const { billingPromotions: t } = creditTables(db)
  const spent = sql`${t.spentCents} + ${value('amount')}`
  const grants = sql`${t.grantsCount} + ${value('grants')}`
  // guard: budget-is-reserved-conditionally
  const hasRoom = and(
    eq(t.id, value('promotionId')),
    eq(t.isActive, true),
    gte(t.budgetCents, spent),
    or(isNull(t.maxGrants), gte(t.maxGrants, grants)),
  )
  return db.update(t).set({ spentCents: spent, grantsCount: grants }).where(hasRoom).returning({ id: t.id })
})

/** Takes back grants of promotions that are younger than the window, as far as they are unspent. */
export async function clawBack(
  context: LedgerWriting & Recording<'billing.promotion.clawback'>,
  row: SubscriptionRow,
): Promise<SubscriptionRow> {
  const { tx, runtime, nowMs } = context
  const windowMs = runtime.settings.BILLING_PROMOTION_CLAWBACK_WINDOW_MS
  const young = await promotedSince(tx, { subscriptionId: row.id, sinceMs: nowMs - windowMs })
  let next = row
  for (const { dedupeKey, sourceId } of clawbackCandidates(young.map(toLedgerRow), row.id, at(nowMs), windowMs)) {
    const id = runtime.ids.next()
    const ledger = await openStored(context, next, [dedupeKey, ledgerKey.clawback(dedupeKey)])
    const reversed = clawback(ledger, { id, grantKey: dedupeKey, at: at(nowMs) })
    if (!reversed.ok) continue
    const { recoveredCents, isWhole } = reversed.value
    next = await writeOutcome(context, next, reversed.value)
    const promotionId = promotionOf(sourceId) ?? ''
    await release(tx, promotionId, recoveredCents, isWhole)
    await context.audit('billing.promotion.clawback', {
      targetType: 'promotion',
      targetId: promotionId,
      affectedOrgId: row.orgId,
      details: { promotionId, cents: recoveredCents, subscriptionId: row.id },
    })
  }
  return next
}

const SOURCE = 'promo:'

const promotedSince = prepared((db, value: (name: 'subscriptionId' | 'sinceMs') => Placeholder) => {
  const { billingCreditEntries: t } = billingTables(db)
  return db
    .select()
    .from(t)
    .where(
      and(
        eq(t.subscriptionId, value('subscriptionId')),
        eq(t.type, 'grant'),
        gte(t.grantedAtMs, value('sinceMs')),
        like(t.sourceId, `${SOURCE}%`),
      ),
    )
})

/** The promotion that gave a grant of this source; null when another source did. */
export const promotionOf = (sourceId: string): string | null =>
  sourceId.startsWith(SOURCE) ? sourceId.slice(SOURCE.length) : null

/** Gives back what a grant took from its promotion. */
export async function release(tx: Db, promotionId: string, recovered: Cents, isWhole: boolean): Promise<void> {
  const { billingPromotions: t } = creditTables(tx)
  const [row] = await tx.select({ spent: t.spentCents, grants: t.grantsCount }).from(t).where(eq(t.id, promotionId))
  if (row === undefined) return
  const less = isWhole ? 1 : 0
  await tx
    .update(t)
    .set({
      spentCents: sql`CASE WHEN ${t.spentCents} < ${recovered} THEN 0 ELSE ${t.spentCents} - ${recovered} END`,
      grantsCount: sql`CASE WHEN ${t.grantsCount} < ${less} THEN 0 ELSE ${t.grantsCount} - ${less} END`,
    })
    .where(eq(t.id, promotionId))
}

/** Locks the promotions, so that no other transaction reserves between a roll's calculation and its own reservation. */
export async function lockPromotions(tx: Db, ids: readonly string[]): Promise<void> {
  const { billingPromotions: t } = creditTables(tx)
  for (const id of [...ids].sort()) {
    await tx
      .update(t)
      .set({ spentCents: sql`${t.spentCents}` })
      .where(eq(t.id, id))
  }
}
