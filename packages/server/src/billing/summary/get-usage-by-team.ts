/** `GET /billing/summary/usage-by-team`: the usage of each organization of the account. */
import { type QuotaType, quotaTypes } from '@plumbline/billing-core'
import Type, { type TInteger } from 'typebox'
import { usageByTeam } from '../../quota/index.js'
import { permission, withFeature } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'

const Count = Type.Integer({ minimum: 0 })
const Used = strictObject(Object.fromEntries(quotaTypes.map((type) => [type, Count])) as Record<QuotaType, TInteger>)

export const getUsageByTeam = query({
  name: 'billing.summary.get-usage-by-team',
  summary: 'Read what each team of the account uses',
  description: 'Metered limits for the current period, all others as of now. The usages of the teams sum to the total.',
  http: { method: 'get', path: '/billing/summary/usage-by-team' },
  access: withFeature('team_usage_analytics', permission('billing:read')),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  snapshot: true,
  input: {},
  output: strictObject({
    periodStart: Instant,
    periodEnd: Instant,
    teams: Type.Array(
      strictObject({
        orgId: Uuid,
        name: Type.String(),
        isRoot: Type.Boolean({ description: 'The account itself: usage of no team' }),
        members: Count,
        used: Used,
      }),
    ),
    total: Used,
  }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run(context) {
    const { runtime, db, nowMs } = context
    requireBilling(runtime)
    const { periodStart, periodEnd, teams, total } = await usageByTeam(runtime, db, tenantId(context), nowMs)
    return { periodStart, periodEnd, teams: teams.map((team) => ({ ...team, used: { ...team.used } })), total }
  },
})
