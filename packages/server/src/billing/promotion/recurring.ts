/** The promotions that a roll of the account's period may grant. */
import type { Promotion } from '@plumbline/billing-core'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { isSandbox } from '../account/open.js'
import { billingTables, type SubscriptionRow } from '../tables.js'
import { activePromotions, toPromotion } from './record.js'

/** A promotion that is granted by hand recurs only for accounts that an operator granted it to. */
export async function recurringPromotions(db: Db, row: SubscriptionRow): Promise<Promotion[]> {
  const recurring = (await activePromotions(db)).filter(({ kind }) => kind === 'recurring')
  if (recurring.length === 0) return []
  const sandbox = await isSandbox(db, row.orgId)
  const wanted = recurring.filter((each) => each.sandbox === sandbox)
  const byHand = wanted.filter(({ triggerType }) => triggerType === 'manual').map(({ id }) => `promo:${id}`)
  const { billingCreditEntries: t } = billingTables(db)
  const given =
    byHand.length === 0
      ? []
      : await db
          .selectDistinct({ sourceId: t.sourceId })
          .from(t)
          .where(and(eq(t.subscriptionId, row.id), eq(t.type, 'grant'), inArray(t.sourceId, byHand)))
  const had = new Set(given.map(({ sourceId }) => sourceId))
  return wanted.filter(({ id, triggerType }) => triggerType !== 'manual' || had.has(`promo:${id}`)).map(toPromotion)
}
