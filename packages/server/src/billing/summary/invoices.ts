/** The invoices of an account that a summary is about. */

import { type BillingSummary, cents, summarizeDays } from '@plumbline/billing-core'
import { and, type Column, count, eq, gte, isNotNull, lte, ne, notExists, type SQL, sql } from 'drizzle-orm'
import Type from 'typebox'
import { DAY_MS } from '../../runtime/clock.js'
import { Begin, End, periodOf } from '../../runtime/operation/period.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { at, MoneyCents } from '../account/subscription.js'
import { billingTables } from '../tables.js'

export const SummaryRange = { from: Type.Optional(Begin), to: Type.Optional(End) }

export interface AskedRange {
  readonly from?: string
  readonly to?: string
}

export const TotalsView = strictObject({
  grossBilledCents: MoneyCents,
  discountsCents: Type.Integer({ minimum: 0, description: 'US cents that the provider deducted on its own' }),
  creditsCents: Type.Integer({ minimum: 0, description: 'US cents of credit: discounts, combos and promotions' }),
  taxCents: MoneyCents,
  netBilledCents: MoneyCents,
  amountPaidCents: MoneyCents,
})

export const TimelineView = Type.Array(
  strictObject({
    periodStart: Instant,
    grossCents: MoneyCents,
    discountCents: MoneyCents,
    creditCents: MoneyCents,
    taxCents: MoneyCents,
    netCents: MoneyCents,
    paidCents: MoneyCents,
  }),
  { description: 'By month, in UTC; a change within a period counts in the month in which it was invoiced' },
)

/**
 * Summed by the database, so that the invoices of all accounts need no memory here.
 *
 * @throws Refusal 400 for a range that ends before it begins.
 */
export async function summaryOf(db: Db, asked: AskedRange, where: SQL | undefined): Promise<BillingSummary> {
  const { from, to } = periodOf(asked, 'from', 'to')
  const { billingInvoices: t } = billingTables(db)
  const startMs = sql<number>`coalesce(${t.periodStartMs}, ${t.createdAtMs})`.mapWith(Number)
  // Integers: both databases divide them without a fraction.
  const day = sql<number>`coalesce(${t.periodStartMs}, ${t.createdAtMs}) / 86400000`.mapWith(Number)
  const given = sql`${t.subtotalCents} + ${t.taxCents}`
  const counted = sql`${t.creditCents} + ${t.totalCents}`
  const summed = (amount: SQL | Column) => sql<number>`sum(${amount})`.mapWith(Number)
  const rows = await db
    .select({
      day,
      invoices: count(),
      subtotalCents: summed(t.subtotalCents),
      discountCents: summed(sql`case when ${given} > ${counted} then ${given} - (${counted}) else 0 end`),
      creditCents: summed(t.creditCents),
      taxCents: summed(t.taxCents),
      totalCents: summed(t.totalCents),
      amountPaidCents: summed(t.amountPaidCents),
    })
    .from(t)
    .where(
      and(
        where,
        ne(t.status, 'void'),
        from === undefined ? undefined : gte(startMs, from),
        to === undefined ? undefined : lte(startMs, to),
      ),
    )
    .groupBy(day)
  return summarizeDays(
    rows.map((row) => ({
      at: at(row.day * DAY_MS),
      invoices: row.invoices,
      subtotalCents: cents(row.subtotalCents),
      discountCents: cents(row.discountCents),
      creditCents: cents(row.creditCents),
      taxCents: cents(row.taxCents),
      totalCents: cents(row.totalCents),
      amountPaidCents: cents(row.amountPaidCents),
    })),
  )
}

export const ofAccount = (db: Db, orgId: string): SQL => eq(billingTables(db).billingInvoices.orgId, orgId)

/** Invoices of a test clock are not real money. */
export const ofAllThatPay = (db: Db, orgId: Column): SQL => {
  const { billingAccounts: a } = billingTables(db)
  const clocked = db
    .select({ orgId: a.orgId })
    .from(a)
    .where(and(eq(a.orgId, orgId), isNotNull(a.clockId)))
  return notExists(clocked)
}

export const presentSummary = ({ totals, timeline, invoiceCount }: BillingSummary) => ({
  totals: { ...totals },
  timeline: timeline.map((month) => ({ ...month })),
  invoiceCount,
})
