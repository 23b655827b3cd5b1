/** End the subscription to a rule. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { Done } from '../rule/delete.js'
import { lockRules } from '../rule-stamp.js'
import { checkSubscriber, everPublishedRules, featureOf } from './gate.js'
import { findSubscription } from './record.js'
import { changeSubscription } from './write.js'

export const deleteSubscription = command({
  name: 'compliance.subscription.delete',
  summary: 'End the subscription to a rule',
  http: { method: 'delete', path: '/compliance/subscriptions/:ruleId' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.subscription.delete'],
  input: { path: Type.Object({ ruleId: Uuid }) },
  output: Done,
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  async run(context, { path: { ruleId } }) {
    const { tx, nowMs, actor } = context
    const orgId = tenantId(context)
    checkSubscriber(context)
    await lockRules(tx, orgId)
    const row = await findSubscription(tx, orgId, ruleId)
    const [rule] = await everPublishedRules(tx, [ruleId])
    const ended = {
      isActive: false,
      pinnedVersion: null,
      pinnedAtMs: null,
      pinnedBy: null,
      unsubscribedAtMs: nowMs,
      unsubscribedBy: actor.id,
      optedOut: rule !== undefined && featureOf(rule) !== null,
    }
    await changeSubscription(context, row, ended)
    await context.audit('compliance.subscription.delete', {
      targetType: 'rule',
      targetId: ruleId,
      details: { id: row.id },
    })
    return changed({ message: 'the subscription has ended' })
  },
})
