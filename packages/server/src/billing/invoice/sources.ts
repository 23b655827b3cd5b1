/** What an invoice depends on in addition to the subscription's row: the standing discount, and recurring promotions. */
import { type AnnouncedGrant, cents, intervals, isGrantedAgain, ledgerKey, periodKey } from '@plumbline/billing-core'
import { and, eq, inArray, or, type Placeholder } from 'drizzle-orm'
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
    ...(await grantedAlready(db, row, sources)),
  }
}

/**
 * A period that begins in the same month or year as the one before, as after a trial, has the same keys. What the
 * ledger has with the coming period's beginning was granted when its invoice was announced.
 */
async function grantedAlready(
  db: Db,
  { orgId, currentPeriodEndMs }: SubscriptionRow,
  sources: readonly ((period: string) => string)[],
): Promise<Pick<InvoiceSources, 'grantedKeys' | 'announced'>> {
  const periods = intervals.map((interval) => periodKey(at(currentPeriodEndMs), interval))
  const keys = sources.flatMap((keyOf) => periods.map(keyOf))
  const periodKeys = new Set(keys)
  const rows = await grantedOf(keys.length)(db, { orgId, currentPeriodEndMs, ...Object.fromEntries(keys.entries()) })
  // Other credit may have been granted in the moment in which the period begins.
  // guard: credit-of-that-moment-is-not-announced
  const isOfPeriod = (key: string) => periodKeys.has(key) || isGrantedAgain(key)
  const announced = rows
    .filter(({ type, atMs, key }) => type === 'grant' && atMs === currentPeriodEndMs && isOfPeriod(key))
    .map(
      ({ key, sourceId, given, reversed, open }): AnnouncedGrant => ({
        sourceId,
        dedupeKey: key,
        cents: cents(given - reversed),
        openCents: cents(open),
      }),
    )
  return { grantedKeys: new Set(rows.map(({ key }) => key)), announced }
}

interface GrantedRow {
  readonly key: string
  readonly sourceId: string
  readonly type: string
  readonly atMs: number
  readonly given: number
  readonly reversed: number
  readonly open: number
}
type Granted = (db: Db, values: Readonly<Record<string, unknown>>) => Maybe<GrantedRow[]>
const grantedByCount = new Map<number, Granted>()

/** A statement for each number of keys. The number follows from how many combos and promotions there are. */
function grantedOf(count: number): Granted {
  let granted = grantedByCount.get(count)
  if (granted === undefined) {
    granted = prepared((db, value: (name: string) => Placeholder) => {
      const { billingCreditEntries: t } = billingTables(db)
      const keys = Array.from({ length: count }, (_, n) => value(String(n)))
      const { dedupeKey: key, sourceId, type, grantedAtMs: atMs } = t
      const amounts = { given: t.cents, reversed: t.reversedCents, open: t.remainingCents }
      const isAnnounced = eq(t.grantedAtMs, value('currentPeriodEndMs'))
      // guard: what-was-granted-is-not-counted-again
      return db
        .select({ key, sourceId, type, atMs, ...amounts })
        .from(t)
        .where(and(eq(t.orgId, value('orgId')), or(inArray(t.dedupeKey, keys), isAnnounced)))
        .orderBy(t.seq)
    })
    grantedByCount.set(count, granted)
  }
  return granted
}
