import { didYouMean, findPlan, soldTiers } from '@plumbline/billing-core'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { PlanView, present } from './record.js'

const unknownPlan = (planId: string): Refusal =>
  new Refusal('NOT_FOUND', `Plan not found${didYouMean(planId, soldTiers)}`)

export const getPlan = query({
  name: 'billing.plan.get',
  summary: 'Read one plan',
  http: { method: 'get', path: '/billing/plans/:planId' },
  access: anyone(),
  tenant: noTenant,
  input: { path: Type.Object({ planId: Type.String({ maxLength: 100 }) }) },
  output: strictObject({ plan: PlanView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run({ runtime }, { path: { planId } }) {
    requireBilling(runtime)
    const plan = findPlan(runtime.settings.tiers, planId)
    if (plan === undefined) throw unknownPlan(planId)
    return { plan: present(plan) }
  },
})
