/** `POST /billing/admin/calls/:id/retry`: continues an open call at once instead of waiting for the job. */
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed, type SettleContext } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { SUBSCRIPTION_ACTIONS, type SubscriptionAction } from '../account/writing.js'
import { CallView, presentCall } from './record.js'
import { runCall } from './run.js'
import { settlingOf } from './settle.js'
import { findCall } from './wish.js'

export const retryCall = command({
  name: 'billing.call.retry',
  summary: 'Continue a call to the provider now',
  description:
    'The server first reads whether the call already took effect. A call that is done or refused cannot be sent again.',
  http: { method: 'post', path: '/billing/admin/calls/:id/retry' },
  access: systemAdmin(),
  tenant: noTenant,
  acrossOrganizations: ACCOUNT_WIDE,
  audit: [...SUBSCRIPTION_ACTIONS, 'billing.call.retry'],
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ call: CallView }),
  errors: [...BILLING_ERRORS, 'CONFLICT', 'NOT_FOUND'],
  async run(context, { path: { id } }) {
    requireBilling(context.runtime)
    const call = await findCall(context.tx, id)
    if (call === null) throw notFound('Call')
    if (call.state === 'done' || call.state === 'refused') {
      throw new Refusal('CONFLICT', `the call is ${call.state}: only an open one is sent again`)
    }
    await context.audit('billing.call.retry', {
      targetType: 'provider-call',
      targetId: id,
      affectedOrgId: call.orgId,
      details: { callId: id, kind: call.kind, state: call.state, subscriptionId: call.subscriptionId },
    })
    return changed({ call: presentCall(call) })
  },
  async settle(context, data) {
    await runCall(settlingOf(context as unknown as SettleContext<SubscriptionAction>), data.call.id)
    const call = await context.read((db) => findCall(db, data.call.id))
    return call === null ? data : { call: presentCall(call) }
  },
})
