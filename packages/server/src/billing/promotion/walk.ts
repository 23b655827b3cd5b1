/**
 * The accounts that get a promotion, in the order in which the budget is spent: by the age of the subscription. A dry
 * run and an activation use the same order and the same rules; the dry run counts the budget down in memory.
 */
import {
  isBackfillEligible,
  ledgerKey,
  type Promotion,
  type PromotionGrantReason,
  promotionValue,
  reserveGrant,
} from '@plumbline/billing-core'
import { and, asc, eq, gt, inArray, or } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { isSandbox } from '../account/open.js'
import { at } from '../account/subscription.js'
import { billingTables, type SubscriptionRow } from '../tables.js'
import { promotionAccount } from './record.js'

const ACCOUNTS_AT_ONCE = 50
const LISTED_MAX = 1000

export interface Place {
  readonly createdAtMs: number
  readonly id: string
}

/** The next entitled subscriptions after a position, oldest first. */
export async function accountsAfter(db: Db, after: Place | null): Promise<SubscriptionRow[]> {
  const { billingSubscriptions: t } = billingTables(db)
  const behind =
    after === null
      ? undefined
      : or(gt(t.createdAtMs, after.createdAtMs), and(eq(t.createdAtMs, after.createdAtMs), gt(t.id, after.id)))
  return db
    .select()
    .from(t)
    .where(and(inArray(t.status, ['active', 'trialing']), behind))
    .orderBy(asc(t.createdAtMs), asc(t.id))
    .limit(ACCOUNTS_AT_ONCE)
}

export interface DryRun {
  readonly eligibleOrgs: number
  readonly projectedCents: number
  readonly remainingBudgetCents: number
  readonly grantedOrgs: number
  readonly grantedCents: number
  readonly accounts: { orgId: string; cents: number; granted: boolean; reason: PromotionGrantReason }[]
}

/** Returns which accounts would get what if the promotion were activated now. It lists at most 1000 accounts. */
export async function dryRun(
  db: Db,
  runtime: Pick<Runtime, 'settings'>,
  { promotion, sandbox, nowMs }: { promotion: Promotion; sandbox: boolean; nowMs: number },
): Promise<DryRun> {
  const activated: Promotion = { ...promotion, isActive: true, activatedAt: at(nowMs) }
  let left = activated
  const total = { eligibleOrgs: 0, projectedCents: 0, grantedOrgs: 0, grantedCents: 0 }
  const accounts: DryRun['accounts'] = []
  let after: Place | null = null
  for (;;) {
    const rows: SubscriptionRow[] = await accountsAfter(db, after)
    for (const row of rows) {
      if ((await isSandbox(db, row.orgId)) !== sandbox) continue
      const account = promotionAccount(runtime, row)
      if (!isBackfillEligible(activated, account, at(nowMs))) continue
      const value = promotionValue(activated, account.planPriceCents).cents
      const has = await hasGrant(db, row, promotion.id)
      const reserved = value === 0 || has ? null : reserveGrant(left, value)
      const reason: PromotionGrantReason =
        value === 0 ? 'zero' : has ? 'already_granted' : reserved === null ? 'budget_exhausted' : 'granted'
      total.eligibleOrgs++
      total.projectedCents += value
      if (reserved !== null) {
        left = reserved
        total.grantedOrgs++
        total.grantedCents += value
      }
      if (accounts.length < LISTED_MAX) {
        accounts.push({ orgId: row.orgId, cents: value, granted: reserved !== null, reason })
      }
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < ACCOUNTS_AT_ONCE) break
    after = last
  }
  return { ...total, remainingBudgetCents: left.budgetCents - left.spentCents, accounts }
}

async function hasGrant(db: Db, { orgId }: SubscriptionRow, promotionId: string): Promise<boolean> {
  const { billingCreditEntries: t } = billingTables(db)
  const rows = await db
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.dedupeKey, ledgerKey.promotion(promotionId, orgId))))
  return rows.length > 0
}
