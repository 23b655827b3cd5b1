/** `GET /billing/summary`: what the account was billed, in total and by month. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { findLive, MoneyCents } from '../account/subscription.js'
import { ofAccount, presentSummary, SummaryRange, summaryOf, TimelineView, TotalsView } from './invoices.js'

export const getSummary = query({
  name: 'billing.summary.get',
  summary: 'Read what the account was billed, in total and by month',
  description: 'The totals are the sums of the invoices, and of the months. Voided invoices are not counted.',
  http: { method: 'get', path: '/billing/summary' },
  access: permission('billing:read'),
  tenant: fromAccount,
  snapshot: true,
  input: { query: strictObject(SummaryRange) },
  output: strictObject({
    scope: Type.Literal('account'),
    totals: TotalsView,
    timeline: TimelineView,
    invoiceCount: Type.Integer({ minimum: 0 }),
    creditBalanceCents: MoneyCents,
    currency: Type.Literal('usd'),
  }),
  errors: [...BILLING_ERRORS, 'VALIDATION_ERROR'],
  async run(context, { query: asked }) {
    requireBilling(context.runtime)
    const { db } = context
    const orgId = tenantId(context)
    const summary = await summaryOf(db, asked, ofAccount(db, orgId))
    const creditBalanceCents = (await findLive(db, orgId))?.balanceCents ?? 0
    return { scope: 'account' as const, ...presentSummary(summary), creditBalanceCents, currency: 'usd' as const }
  },
})
