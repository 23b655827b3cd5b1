/** `DELETE /billing/clocks/:id`: ends the sandbox and deletes everything that happened by its clock. */
import { transition } from '@plumbline/billing-core'
import Type from 'typebox'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromAccount } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, granted } from '../account/gate.js'
import { at, findLive, toCore } from '../account/subscription.js'
import { lockRoot } from '../account/writing.js'
import { entitleAccount } from '../entitle/apply.js'
import { forgetAccount, forgetCustomer } from '../kept-invoice/purge-account.js'
import { requireClock, requireClocks } from './record.js'

export const deleteClock = command({
  name: 'billing.clock.delete',
  summary: 'Delete a test clock with everything that happened by it',
  description:
    'The account falls to the baseline and is as it was before its first subscription. Refused while a provider charges the account: end the subscription there first. Its customer there is deleted by a job, which tries again while the provider does not answer.',
  http: { method: 'delete', path: '/billing/clocks/:id' },
  access: withStepUp(permission('billing:manage'), 'except-services'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  audit: ['billing.clock.delete', 'admin.org.seatLimit.update', 'compliance.rule.toggle'],
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ deleted: Uuid }),
  errors: [...BILLING_ERRORS, 'CONFLICT', 'NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx, runtime, nowMs } = context
    requireClocks(runtime)
    const root = await lockRoot(context, tenantId(context))
    const clock = await requireClock(tx, root.id, id)
    const row = await findLive(tx, root.id)
    if (row !== null) {
      const { subscription } = granted(transition(toCore(row), { type: 'ended' }, at(clock.nowMs)))
      await entitleAccount(context as Parameters<typeof entitleAccount>[0], root, subscription)
    }
    await forgetAccount(tx, root.id, nowMs)
    await forgetCustomer(tx, root.id, context.enqueue)
    await context.audit('billing.clock.delete', {
      targetType: 'clock',
      targetId: id,
      affectedOrgId: root.id,
      details: { clockId: id, now: at(clock.nowMs) },
    })
    return changed({ deleted: id })
  },
})
