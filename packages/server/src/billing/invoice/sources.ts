/** What an invoice depends on in addition to the subscription's row: the standing discount, and recurring promotions. */
import { intervals, ledgerKey, periodKey } from '@plumbline/billing-core'
import { and, eq, inArray, type Placeholder } from 'drizzle-orm'
import type { Maybe } from '../../runtime/maybe.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { supportsCredit } from '../account/credit.js'
import { at } from '../account/subscription.js'
import { findDiscount, toDiscount } from '../discount/record.js'
import { promotionsAreOn } from '../promotion/record.js'
import { recurringPromotions } from '../promotion/recurring.js'
import { billingTables, type SubscriptionRow } from '../tables.js'
import type { InvoiceSources } from './account.js'

export async function sourcesOf(
  runtime: Pick<Runtime, 'settings'>,
  db: Db,
  row: SubscriptionRow,
): Promise<InvoiceSources> {
  const rule = row.recurringDiscount
  const discount = rule === null ? null : await findDiscount(db, rule.discountId)
  const promotions = promotionsAreOn(runtime) ? await recurringPromotions(db, row) : []
  const sources = [
    ...(rule === null ? [] : [(period: string) => ledgerKey.discount(rule.discountId, period)]),
    ...runtime.settings.tiers.combos.map(
      ({ id }) =>
        (period: string) =>
          ledgerKey.combo(id, period),
    ),
    ...promotions.map(
      ({ id }) =>
        (period: string) =>
          ledgerKey.promotion(id, row.orgId, period),
    ),
  ]
  return {
    discount: discount === null ? null : toDiscount(discount),
    promotions,
    creditSupported: supportsCredit(runtime),
    grantedKeys: await grantedAmong(db, row, sources),
  }
}

/** A period that begins in the same month or year as the one before, as after a trial, has the same keys. */
async function grantedAmong(
  db: Db,
  { orgId, currentPeriodEndMs }: SubscriptionRow,
  sources: readonly ((period: string) => string)[],
): Promise<ReadonlySet<string>> {
  const periods = intervals.map((interval) => periodKey(at(currentPeriodEndMs), interval))
  const keys = sources.flatMap((keyOf) => periods.map(keyOf))
  if (keys.length === 0) return new Set()
  const rows = await grantedOf(keys.length)(db, { orgId, ...Object.fromEntries(keys.entries()) })
  return new Set(rows.map(({ key }) => key))
}

type Granted = (db: Db, values: Readonly<Record<string, unknown>>) => Maybe<{ key: string }[]>
const grantedByCount = new Map<number, Granted>()

/** A statement for each number of keys. The number follows from how many combos and promotions there are. */
function grantedOf(count: number): Granted {
  let granted = grantedByCount.get(count)
  if (granted === undefined) {
    granted = prepared((db, value: (name: string) => Placeholder) => {
      const { billingCreditEntries: t } = billingTables(db)
      const keys = Array.from({ length: count }, (_, n) => value(String(n)))
      // guard: what-was-granted-is-not-counted-again
      return db
        .select({ key: t.dedupeKey })
        .from(t)
        .where(and(eq(t.orgId, value('orgId')), inArray(t.dedupeKey, keys)))
    })
    grantedByCount.set(count, granted)
  }
  return granted
}
