/** Subscribe to a published rule. */
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { lockRules } from '../rule-stamp.js'
import { checkFeature, checkSubscriber, publishedRule } from './gate.js'
import { anySubscription, SubscriptionRecord, subscriptionRecord } from './record.js'
import { changeSubscription, insertSubscriptions, newSubscription } from './write.js'

export const createSubscription = command({
  name: 'compliance.subscription.create',
  summary: 'Subscribe to a published rule',
  description: 'The subscription is inactive at first. If it exists, the answer is 200 with the subscription as it is.',
  http: { method: 'post', path: '/compliance/subscriptions', status: 201 },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.subscription.create'],
  idempotent: true,
  input: { body: strictObject({ ruleId: Uuid }) },
  output: strictObject({ subscription: SubscriptionRecord }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { body: { ruleId } }) {
    const { tx, runtime, nowMs, actor } = context
    const orgId = tenantId(context)
    checkSubscriber(context)
    await lockRules(tx, orgId)
    const rule = await publishedRule(tx, context, ruleId)
    checkFeature(context, rule)
    const known = await anySubscription(tx, orgId, ruleId)
    if (known !== null && known.unsubscribedAtMs === null) {
      return unchanged({ subscription: subscriptionRecord(known) }, { status: 200 })
    }
    const fresh = { orgId, ruleId, source: 'manual', isActive: false, by: actor.id } as const
    const begun = newSubscription(runtime, fresh, nowMs)
    const row = known === null ? begun : await changeSubscription(context, known, { ...begun, id: known.id })
    if (known === null) await insertSubscriptions(context, [row])
    await context.audit('compliance.subscription.create', {
      targetType: 'rule',
      targetId: ruleId,
      details: { id: row.id, name: rule.name },
    })
    return changed({ subscription: subscriptionRecord(row) })
  },
})
