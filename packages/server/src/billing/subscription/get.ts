/** `GET /billing/subscription`: the live subscription of the account. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { isSandbox } from '../account/open.js'
import { findLive, findReserved, SubscriptionView } from '../account/subscription.js'
import { showSubscription } from '../call/answer.js'

export const getSubscription = query({
  name: 'billing.subscription.get',
  summary: 'Read the subscription of the account',
  description:
    'Null for an account without an active, trialing or past due subscription. An `incomplete` one waits for the provider, or for the payment at `paymentUrl`, and grants nothing.',
  http: { method: 'get', path: '/billing/subscription', aliases: ['/billing/subscriptions'] },
  access: permission('billing:read'),
  tenant: fromAccount,
  input: {},
  output: strictObject({
    subscription: nullable(SubscriptionView),
    sandbox: Type.Optional(Type.Literal(true, { description: 'Whether the account uses a test clock' })),
  }),
  errors: BILLING_ERRORS,
  async run(context) {
    requireBilling(context.runtime)
    const rootOrgId = tenantId(context)
    const row = (await findLive(context.db, rootOrgId)) ?? (await findReserved(context.db, rootOrgId))
    const sandbox = (await isSandbox(context.db, rootOrgId)) ? { sandbox: true as const } : {}
    const subscription = row === null ? null : await showSubscription(context.db, context.runtime, row)
    return { ...sandbox, subscription }
  },
})
