/**
 * The promotions that a beginning or a change of plan would grant at once. A preview counts their credit into the
 * invoice that comes after it.
 */
import {
  type Cents,
  cents,
  ledgerKey,
  matchPromotion,
  type Promotion,
  promotionValue,
  reserveGrant,
} from '@plumbline/billing-core'
import { and, eq, inArray } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { supportsCredit } from '../account/credit.js'
import { isSandbox } from '../account/open.js'
import { at } from '../account/subscription.js'
import { billingTables, type SubscriptionRow } from '../tables.js'
import { activePromotions, promotionAccount, promotionsAreOn, toPromotion } from './record.js'

export type Trigger = 'subscription_created' | 'plan_change'

/** Those of this trigger that the account never got. */
export async function promisedPromotions(
  runtime: Pick<Runtime, 'settings'>,
  db: Db,
  { orgId }: Pick<SubscriptionRow, 'orgId'>,
  trigger: Trigger,
): Promise<readonly Promotion[]> {
  if (!promotionsAreOn(runtime) || !supportsCredit(runtime)) return []
  const active = (await activePromotions(db)).filter((each) => each.triggerType === trigger && each.kind === 'onetime')
  if (active.length === 0) return []
  const sandbox = await isSandbox(db, orgId)
  const wanted = active.filter((each) => each.sandbox === sandbox)
  const { billingCreditEntries: t } = billingTables(db)
  const keys = wanted.map(({ id }) => ledgerKey.promotion(id, orgId))
  const isGranted = and(eq(t.orgId, orgId), inArray(t.dedupeKey, keys))
  const granted = await db.select({ key: t.dedupeKey }).from(t).where(isGranted)
  const had = new Set(granted.map(({ key }) => key))
  return wanted.filter(({ id }) => !had.has(ledgerKey.promotion(id, orgId))).map(toPromotion)
}

/** What they would grant to the account as it is afterwards. */
export function promisedCents(
  runtime: Pick<Runtime, 'settings'>,
  promotions: readonly Promotion[],
  after: SubscriptionRow,
  { trigger, atMs }: { readonly trigger: Trigger; readonly atMs: number },
): Cents {
  const account = promotionAccount(runtime, after)
  let sum = 0
  for (const promotion of promotions) {
    if (!matchPromotion(promotion, trigger, account, at(atMs)).matches) continue
    const { cents: value } = promotionValue(promotion, account.planPriceCents)
    if (value > 0 && reserveGrant(promotion, value) !== null) sum += value
  }
  return cents(sum)
}
