/** What is sold: `GET /billing/config`, `/plans`, `/plans/:planId`. Open to everybody. */
import Type from 'typebox'
import { anyone } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { PlanView, present } from './record.js'

export const listPlans = query({
  name: 'billing.plan.list',
  summary: 'List the plans that are sold',
  http: { method: 'get', path: '/billing/plans' },
  access: anyone(),
  tenant: noTenant,
  input: {},
  output: strictObject({ plans: Type.Array(PlanView), total: Type.Integer({ minimum: 0 }) }),
  errors: BILLING_ERRORS,
  async run({ runtime }) {
    requireBilling(runtime)
    const plans = [...runtime.settings.tiers.plans].sort((a, b) => a.sortOrder - b.sortOrder).map(present)
    return { plans, total: plans.length }
  },
})
