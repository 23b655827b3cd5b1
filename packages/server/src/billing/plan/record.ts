/** A plan as answers show it. */
import type { Plan } from '@plumbline/billing-core'
import Type from 'typebox'
import { strictObject } from '../../runtime/operation/schema.js'
import { MoneyCents, PlanId } from '../account/subscription.js'

export const PlanView = strictObject({
  id: PlanId,
  name: Type.String(),
  description: Type.String(),
  tier: PlanId,
  prices: strictObject({ monthly: MoneyCents, annual: MoneyCents }),
  features: Type.Array(Type.String()),
  isDefault: Type.Boolean(),
  sortOrder: Type.Integer(),
  trialDays: Type.Integer({ minimum: 0, description: 'How long the first subscription of an account costs nothing' }),
})

export const present = ({ id, name, description, tier, prices, features, isDefault, sortOrder, trialDays }: Plan) => ({
  id,
  name,
  description,
  tier,
  prices: { monthly: prices.monthly, annual: prices.annual },
  features: [...features],
  isDefault,
  sortOrder,
  trialDays,
})
