/** Which accounts would get a promotion, in the API. */
import Type from 'typebox'
import { choice, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { MoneyCents } from '../account/subscription.js'
import { REASONS } from './grant.js'

export const ProjectionView = strictObject({
  eligibleOrgs: Type.Integer({ minimum: 0 }),
  projectedCents: Type.Integer({ minimum: 0, description: 'US cents for all eligible accounts, without the budget' }),
  grantedOrgs: Type.Integer({ minimum: 0, description: 'Accounts that the budget covers' }),
  grantedCents: MoneyCents,
  remainingBudgetCents: MoneyCents,
  accounts: Type.Array(
    strictObject({ orgId: Uuid, cents: MoneyCents, granted: Type.Boolean(), reason: choice(REASONS) }),
    { description: 'In the order in which the budget is spent; the first 1000' },
  ),
})
