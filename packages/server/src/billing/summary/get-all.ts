/** `GET /billing/admin/summary`: what all accounts were billed, and what they have now. */
import { and, asc, count, inArray, sql } from 'drizzle-orm'
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { choice, strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { IntervalName, LIVE, MoneyCents, PlanId } from '../account/subscription.js'
import { billingTables } from '../tables.js'
import { ofAllThatPay, presentSummary, SummaryRange, summaryOf, TimelineView, TotalsView } from './invoices.js'

const Subscribed = strictObject({
  planId: PlanId,
  interval: IntervalName,
  status: choice(LIVE),
  count: Type.Integer({ minimum: 1 }),
  creditBalanceCents: MoneyCents,
})

export const getAllSummary = query({
  name: 'billing.summary.get-all',
  summary: 'Read what all accounts were billed, in total and by month',
  description:
    'Includes the live subscriptions by plan, interval and status. Accounts with a test clock are not counted: their invoices are not money.',
  http: { method: 'get', path: '/billing/admin/summary' },
  access: systemAdmin(),
  tenant: noTenant,
  snapshot: true,
  input: { query: strictObject(SummaryRange) },
  output: strictObject({
    scope: Type.Literal('all'),
    totals: TotalsView,
    timeline: TimelineView,
    invoiceCount: Type.Integer({ minimum: 0 }),
    subscriptions: Type.Array(Subscribed),
    creditBalanceCents: MoneyCents,
    currency: Type.Literal('usd'),
  }),
  errors: [...BILLING_ERRORS, 'VALIDATION_ERROR'],
  async run({ runtime, db }, { query: asked }) {
    requireBilling(runtime)
    const { billingInvoices: invoices } = billingTables(db)
    const summary = await summaryOf(db, asked, ofAllThatPay(db, invoices.orgId))
    const subscriptions = await subscribed(db)
    return {
      scope: 'all' as const,
      ...presentSummary(summary),
      subscriptions,
      creditBalanceCents: subscriptions.reduce((sum, { creditBalanceCents }) => sum + creditBalanceCents, 0),
      currency: 'usd' as const,
    }
  },
})

async function subscribed(db: Db) {
  const { billingSubscriptions: t } = billingTables(db)
  const rows = await db
    .select({
      planId: t.planId,
      interval: t.interval,
      status: t.status,
      count: count(),
      creditBalanceCents: sql<number>`sum(${t.balanceCents})`.mapWith(Number),
    })
    .from(t)
    .where(and(inArray(t.status, [...LIVE]), ofAllThatPay(db, t.orgId)))
    .groupBy(t.planId, t.interval, t.status)
    .orderBy(asc(t.planId), asc(t.interval), asc(t.status))
  return rows.map((row) => ({
    ...row,
    planId: row.planId as 'pro',
    interval: row.interval as 'monthly',
    status: row.status as 'active',
  }))
}
