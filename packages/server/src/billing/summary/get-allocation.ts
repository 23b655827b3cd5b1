/** `GET /billing/summary/allocation`: the bill, divided among the organizations of the account. */
import { cents, quotaTypes, showback } from '@plumbline/billing-core'
import Type from 'typebox'
import { usageByTeam } from '../../quota/index.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, granted, requireBilling } from '../account/gate.js'
import { MoneyCents } from '../account/subscription.js'
import { ofAccount, SummaryRange, summaryOf } from './invoices.js'

const Driver = Type.Enum(['seats', ...quotaTypes])

export const getAllocation = query({
  name: 'billing.summary.get-allocation',
  summary: 'Split the bill of the account over its teams',
  description:
    'By what each organization uses now of the driver: members for `seats`, else the usage of that limit. The shares sum to the bill; when nobody uses anything, the whole bill is unallocated.',
  http: { method: 'get', path: '/billing/summary/allocation' },
  access: permission('billing:read'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  snapshot: true,
  input: { query: strictObject({ ...SummaryRange, driver: Type.Optional(Driver) }) },
  output: strictObject({
    driver: Driver,
    netBilledCents: MoneyCents,
    shares: Type.Array(
      strictObject({
        orgId: Uuid,
        name: Type.String(),
        weight: Type.Integer({ minimum: 0 }),
        cents: MoneyCents,
      }),
    ),
    unallocatedCents: MoneyCents,
    currency: Type.Literal('usd'),
  }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { query: { driver = 'seats', ...range } }) {
    const { runtime, db, nowMs } = context
    requireBilling(runtime)
    const orgId = tenantId(context)
    const { totals } = await summaryOf(db, range, ofAccount(db, orgId))
    const { teams } = await usageByTeam(runtime, db, orgId, nowMs)
    const users = teams.map((team) => ({
      name: team.orgId,
      weight: driver === 'seats' ? team.members : team.used[driver],
    }))
    const { shares, unallocatedCents } = granted(showback(cents(totals.netBilledCents), users))
    return {
      driver,
      netBilledCents: totals.netBilledCents,
      shares: shares.map(({ name: id, weight, cents: part }, index) => ({
        orgId: id,
        name: teams[index]?.name ?? id,
        weight,
        cents: part,
      })),
      unallocatedCents,
      currency: 'usd' as const,
    }
  },
})
