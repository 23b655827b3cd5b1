/** Pins a subscription to the newest version of its rule. */
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { lockRules } from '../rule-stamp.js'
import { checkSubscriber, publishedRules } from './gate.js'
import { findSubscription, SubscriptionRecord, subscriptionRecord } from './record.js'
import { changeSubscription } from './write.js'

export const shared = {
  access: permission('compliance:write'),
  tenant: fromHeader,
  input: { path: Type.Object({ ruleId: Uuid }) },
  output: strictObject({ subscription: SubscriptionRecord }),
} as const

export const pinSubscription = command({
  ...shared,
  name: 'compliance.subscription.pin',
  summary: 'Pin a subscription to the current version of its rule',
  description: 'If it is pinned already: to the newest version.',
  http: { method: 'post', path: '/compliance/subscriptions/:ruleId/pin' },
  audit: ['compliance.subscription.pin'],
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  async run(context, { path: { ruleId } }) {
    const { tx, nowMs, actor } = context
    const orgId = tenantId(context)
    checkSubscriber(context)
    await lockRules(tx, orgId)
    const row = await findSubscription(tx, orgId, ruleId)
    const [rule] = await publishedRules(tx, [ruleId])
    if (rule === undefined) throw notFound('Rule')
    if (row.pinnedVersion === rule.version) return unchanged({ subscription: subscriptionRecord(row) })
    const pin = { pinnedVersion: rule.version, pinnedAtMs: nowMs, pinnedBy: actor.id }
    const next = await changeSubscription(context, row, pin)
    await context.audit('compliance.subscription.pin', {
      targetType: 'rule',
      targetId: ruleId,
      details: { id: row.id, name: rule.name },
    })
    return changed({ subscription: subscriptionRecord(next) })
  },
})
