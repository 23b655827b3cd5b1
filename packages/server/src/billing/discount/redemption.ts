/**
 * One redemption, by the account or by an operator: the ten checks, then everything in one transaction. The counter
 * changes by one conditional UPDATE. The unique keys of account and discount resolve races between processes.
 */

import {
  cents,
  checkRedemption,
  creditBreakdown,
  findPlan,
  grant,
  matchesDiscount,
  openToken,
  quote,
  type Redemption,
  readRedemptionCode,
  standingRule,
} from '@plumbline/billing-core'
import { nodeCrypto } from '@plumbline/billing-core/node'
import { and, eq, gt, gte, isNull, lt, or, type Placeholder, sql } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { choice, strictObject } from '../../runtime/operation/schema.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { insertRows, prepared } from '../../runtime/store/prepared.js'
import { creditAnnounced, type Queuing } from '../account/announced.js'
import { supportsCredit } from '../account/credit.js'
import { toRefusal } from '../account/gate.js'
import { at, IntervalName, MoneyCents, toCore } from '../account/subscription.js'
import { type BillingBase, bumpVersion, type Recording, writeSubscription } from '../account/writing.js'
import { creditTables, type DiscountRow } from '../credit-tables.js'
import { recordEvent } from '../event/record.js'
import { postEntry } from '../ledger/store.js'
import { billingTables, type SubscriptionRow } from '../tables.js'
import { factsOf, OwnDiscountView, presentOwnDiscount, toDiscount } from './record.js'

export const REDEMPTION_ERRORS = [
  'ALREADY_REDEEMED',
  'DISCOUNTS_UNSUPPORTED',
  'DISCOUNT_EXHAUSTED',
  'DISCOUNT_EXPIRED',
  'DISCOUNT_INACTIVE',
  'DISCOUNT_NOT_FOR_ORG',
  'DISCOUNT_TIER_MISMATCH',
  'DISCOUNT_ZERO_VALUE',
  'RECURRING_ALREADY_PRESENT',
  'SUBSCRIPTION_NOT_REDEEMABLE',
] as const

export const RedemptionView = strictObject({
  discount: OwnDiscountView,
  applied: choice(['onetime', 'recurring', 'credit']),
  cents: MoneyCents,
  priceBreakdown: strictObject({
    interval: IntervalName,
    items: Type.Array(strictObject({ label: Type.String(), cents: Type.Integer() })),
    subtotalCents: MoneyCents,
    totalCents: MoneyCents,
    creditRemainingCents: MoneyCents,
  }),
})

export const RedeemBody = strictObject({
  code: Type.String({ minLength: 1, maxLength: 1024, description: 'A token or an alias' }),
})

const UNKNOWN = 'unknown discount: check the code'

/** @throws Refusal 404 `DISCOUNT_NOT_FOUND`, whatever is wrong with the code. */
export async function findByCode(db: Db, { settings }: Pick<Runtime, 'settings'>, code: string): Promise<DiscountRow> {
  const read = readRedemptionCode(code.trim())
  if (read?.kind === 'alias') {
    const [row] = await byAlias(db, { alias: read.alias })
    if (row !== undefined) return row
  }
  if (read?.kind === 'token') {
    const opened = openToken(nodeCrypto, settings.BILLING_DISCOUNT_KEYS, read.token)
    const [row] = opened.ok ? await byId(db, { id: opened.value.id }) : []
    // guard: token-matches-its-record
    if (opened.ok && row !== undefined && matchesDiscount(opened.value, toDiscount(row))) return row
  }
  throw new Refusal('DISCOUNT_NOT_FOUND', UNKNOWN)
}

const byAlias = prepared((db, value: (name: 'alias') => Placeholder) => {
  const { billingDiscounts: t } = creditTables(db)
  return db
    .select()
    .from(t)
    .where(eq(t.alias, value('alias')))
})

const byId = prepared((db, value: (name: 'id') => Placeholder) => {
  const { billingDiscounts: t } = creditTables(db)
  return db
    .select()
    .from(t)
    .where(eq(t.id, value('id')))
})

const redeemedBy = prepared((db, value: (name: 'discountId' | 'orgId') => Placeholder) => {
  const { billingRedemptions: t } = creditTables(db)
  return db
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.discountId, value('discountId')), eq(t.orgId, value('orgId'))))
})

export interface Checked {
  readonly discount: DiscountRow
  readonly redemption: Redemption
}

/** @throws Refusal with the code of the first of the ten checks that fails. */
export async function checkDiscount(
  db: Db,
  { settings }: Pick<Runtime, 'settings'>,
  { discount, row, sandbox, nowMs }: { discount: DiscountRow; row: SubscriptionRow; sandbox: boolean; nowMs: number },
): Promise<Checked> {
  if (discount.sandbox !== sandbox) {
    const whose = discount.sandbox ? 'accounts with a test clock' : 'accounts without a test clock'
    throw new Refusal('DISCOUNT_NOT_FOR_ORG', `the discount is only for ${whose}`)
  }
  const subscription = toCore(row)
  const plan = findPlan(settings.tiers, subscription.planId)
  const redeemed = await redeemedBy(db, { discountId: discount.id, orgId: row.orgId })
  const checked = checkRedemption(toDiscount(discount), {
    now: at(nowMs),
    orgId: row.orgId,
    creditSupported: supportsCredit({ settings }),
    subscription: {
      status: subscription.status,
      tier: subscription.planId,
      interval: subscription.interval,
      planPriceCents: plan?.prices[subscription.interval] ?? cents(0),
      currentPeriodStart: subscription.currentPeriodStart,
      hasRecurringDiscount: subscription.recurringDiscount !== null,
    },
    hasRedeemed: redeemed.length > 0,
  })
  if (!checked.ok) throw toRefusal(checked.refusal)
  return { discount, redemption: checked.value }
}

export function presentRedemption(
  { settings }: Pick<Runtime, 'settings'>,
  row: SubscriptionRow,
  { discount, redemption }: Checked,
  balanceCents: number,
) {
  const { planId, interval } = toCore(row)
  // Only the plan: a discount is a percentage of its price, without add-ons.
  const priced = quote(settings.tiers, { planId, interval, addons: [], creditBalanceCents: cents(balanceCents) })
  const { items, ...breakdown } = creditBreakdown(priced)
  return {
    discount: presentOwnDiscount(discount),
    applied: redemption.applied,
    cents: redemption.cents,
    priceBreakdown: { ...breakdown, items: [...items] },
  }
}

/**
 * Grants a redemption. The caller holds the account's lock.
 *
 * @returns The subscription with its new balance.
 */
export async function grantRedemption(
  context: Recording<'billing.discount.apply' | 'billing.credit.consumed' | 'billing.credit.exhausted'> & Queuing,
  row: SubscriptionRow,
  { discount, redemption }: Checked,
  via: 'token' | 'alias' | 'operator',
): Promise<SubscriptionRow> {
  const { tx, runtime, nowMs, actor } = context
  const { billingRedemptions } = creditTables(tx)
  const owner = { orgId: row.orgId, subscriptionId: row.id }
  const { sourceId, cents: amount } = redemption
  const dedupeKey = await unusedKey(tx, row.orgId, redemption)
  const actorId = actor.id === 'system' ? null : actor.id
  const credit = { ...owner, id: runtime.ids.next(), sourceId, dedupeKey, cents: amount, at: at(nowMs), actorId }
  let next = await postEntry(context, row, dedupeKey, (ledger) => grant(ledger, credit))
  if (redemption.setsStandingRule) {
    next = await writeSubscription(context, next, { recurringDiscount: standingRule(toDiscount(discount), at(nowMs)) })
    // guard: a-standing-discount-counts-for-an-announced-invoice
    await creditAnnounced(context, row.orgId)
  }
  const once = { ...owner, id: runtime.ids.next(), discountId: discount.id, createdAtMs: nowMs }
  await insertRows(tx, billingRedemptions, [once])
  await countRedemption(context, discount.id)
  await bumpVersion(context, row.orgId)
  const facts = factsOf(discount)
  await recordEvent(context, { ...owner, type: 'discount_applied', details: { ...facts, cents: amount, via } })
  await context.audit('billing.discount.apply', {
    targetType: 'discount',
    targetId: discount.id,
    affectedOrgId: row.orgId,
    details: { ...facts, subscriptionId: row.id, via },
  })
  return next
}

/**
 * Credit that the provider refused keeps its key for ever. Its redemption was released, so the next one has another
 * key: with the same one it would give nothing. A standing discount has a key for each period, and is not released.
 */
async function unusedKey(tx: Tx, orgId: string, { dedupeKey, setsStandingRule }: Redemption): Promise<string> {
  if (setsStandingRule) return dedupeKey
  for (let n = 1; ; n++) {
    const key = n === 1 ? dedupeKey : `${dedupeKey}:${n}`
    // guard: a-redemption-after-a-refusal-gives-credit
    if ((await entryOf(tx, { orgId, key })).length === 0) return key
  }
}

const entryOf = prepared((db, value: (name: 'orgId' | 'key') => Placeholder) => {
  const { billingCreditEntries: t } = billingTables(db)
  return db
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.orgId, value('orgId')), eq(t.dedupeKey, value('key'))))
})

/** @throws Refusal when another account took the last redemption meanwhile, or an operator revoked the discount. */
export async function countRedemption(
  { tx, nowMs }: Pick<BillingBase, 'tx' | 'nowMs'>,
  discountId: string,
): Promise<void> {
  const counted = await countOne(tx, { id: discountId, nowMs })
  if (counted.length > 0) return
  const [now] = await byId(tx, { id: discountId })
  if (now?.isActive === false) throw new Refusal('DISCOUNT_INACTIVE', 'the discount was revoked')
  throw new Refusal('DISCOUNT_EXHAUSTED', 'the discount cannot be redeemed any more: its limit is reached')
}

const countOne = prepared((db, value: (name: 'id' | 'nowMs') => Placeholder) => {
  const { billingDiscounts: t } = creditTables(db)
  // guard: redemptions-are-counted-conditionally
  return db
    .update(t)
    .set({ timesRedeemed: sql`${t.timesRedeemed} + 1` })
    .where(
      and(
        eq(t.id, value('id')),
        eq(t.isActive, true),
        or(isNull(t.redeemByMs), gte(t.redeemByMs, value('nowMs'))),
        or(isNull(t.maxRedemptions), lt(t.timesRedeemed, t.maxRedemptions)),
      ),
    )
    .returning({ id: t.id })
})

/** The account may redeem the discount again, because the provider refused the credit for good. A standing one goes on. */
export async function releaseRedemption(tx: Tx, discountId: string, orgId: string): Promise<void> {
  const { billingDiscounts: d, billingRedemptions: t } = creditTables(tx)
  const [discount] = await byId(tx, { id: discountId })
  if (discount === undefined || discount.kind === 'recurring') return
  const gone = await tx
    .delete(t)
    .where(and(eq(t.discountId, discountId), eq(t.orgId, orgId)))
    .returning({ id: t.id })
  if (gone.length === 0) return
  await tx
    .update(d)
    .set({ timesRedeemed: sql`${d.timesRedeemed} - 1` })
    .where(and(eq(d.id, discountId), gt(d.timesRedeemed, 0)))
}
