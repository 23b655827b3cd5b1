/** The invoices of an account that a summary is about. */
import { type BilledInvoice, type BillingSummary, cents, summarizeInvoices } from '@plumbline/billing-core'
import { and, asc, eq, gte, lte, type SQL, sql } from 'drizzle-orm'
import Type from 'typebox'
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
  discountsCents: Type.Integer({ minimum: 0, description: 'US cents that a provider took off by itself' }),
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
  { description: 'By month, in UTC; a change within a period stands in the month in which it was invoiced' },
)

/** Of one account, or of all that have no test clock. @throws Refusal 400 for a range that ends before it begins */
export async function summaryOf(db: Db, asked: AskedRange, where: SQL | undefined): Promise<BillingSummary> {
  const { from, to } = periodOf(asked, 'from', 'to')
  const { billingInvoices: t } = billingTables(db)
  const startMs = sql<number>`coalesce(${t.periodStartMs}, ${t.createdAtMs})`.mapWith(Number)
  const rows = await db
    .select({
      startMs,
      status: t.status,
      subtotalCents: t.subtotalCents,
      creditCents: t.creditCents,
      taxCents: t.taxCents,
      totalCents: t.totalCents,
      amountPaidCents: t.amountPaidCents,
    })
    .from(t)
    .where(
      and(where, from === undefined ? undefined : gte(startMs, from), to === undefined ? undefined : lte(startMs, to)),
    )
    .orderBy(asc(t.createdAtMs))
  return summarizeInvoices(
    rows.map((row) => ({
      at: at(row.startMs),
      status: row.status as BilledInvoice['status'],
      subtotalCents: cents(row.subtotalCents),
      creditCents: cents(row.creditCents),
      taxCents: cents(row.taxCents),
      totalCents: cents(row.totalCents),
      amountPaidCents: cents(row.amountPaidCents),
    })),
  )
}

export const ofAccount = (db: Db, orgId: string): SQL => eq(billingTables(db).billingInvoices.orgId, orgId)

export const presentSummary = ({ totals, timeline, invoiceCount }: BillingSummary) => ({
  totals: { ...totals },
  timeline: timeline.map((month) => ({ ...month })),
  invoiceCount,
})
