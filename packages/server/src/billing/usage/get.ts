/** `GET /billing/usage`: what the account uses of what it pays for, and which add-on would raise each limit. */
import { bundlesFor, isSoldTier, quotaTypes } from '@plumbline/billing-core'
import Type from 'typebox'
import { readQuotaView } from '../../quota/index.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { findLive, PlanId } from '../account/subscription.js'

const TYPES = ['seats', ...quotaTypes] as const

export const getUsage = query({
  name: 'billing.usage.get',
  summary: 'Read what the account uses of what it pays for',
  description:
    'Metered limits for the current period, all others as of now. `raisedBy` names the add-ons that would raise a limit.',
  http: { method: 'get', path: '/billing/usage' },
  access: permission('billing:read'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  snapshot: true,
  input: {},
  output: strictObject({
    planId: nullable(PlanId),
    tier: Type.String(),
    periodStart: Instant,
    periodEnd: Instant,
    usage: Type.Array(
      strictObject({
        type: Type.Enum([...TYPES]),
        used: Type.Integer({ minimum: 0 }),
        limit: Type.Integer({ minimum: -1, description: '−1 is unlimited' }),
        remaining: Type.Integer({ minimum: -1 }),
        percent: nullable(Type.Integer({ minimum: 0, description: 'Of the limit, rounded down' })),
        raisedBy: Type.Array(Type.String()),
      }),
    ),
  }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run(context) {
    const { runtime, db, nowMs } = context
    requireBilling(runtime)
    const orgId = tenantId(context)
    const { tiers, BILLING_BUNDLES_ENABLED } = runtime.settings
    const view = await readQuotaView(runtime, db, orgId, nowMs)
    const row = await findLive(db, orgId)
    const tier = row?.planId ?? view.tier
    const bundles = BILLING_BUNDLES_ENABLED && isSoldTier(tier) ? bundlesFor(tiers, tier) : []
    return {
      planId: row === null ? null : (row.planId as 'pro'),
      tier: view.tier,
      periodStart: view.periodStart,
      periodEnd: view.periodEnd,
      usage: TYPES.map((type) => {
        const { limit, used, remaining } = type === 'seats' ? view.seats : view.quotas[type]
        return {
          type,
          used,
          limit,
          remaining,
          percent: limit < 1 ? null : Math.floor((used * 100) / limit),
          raisedBy: limit === -1 ? [] : bundles.filter(({ grants }) => Object.hasOwn(grants, type)).map(({ id }) => id),
        }
      }),
    }
  },
})
