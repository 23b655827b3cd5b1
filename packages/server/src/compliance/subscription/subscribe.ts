/** Begins and ends subscriptions (compliance decisions 6). They begin inactive. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { Done } from '../rule/delete.js'
import { lockRules } from '../rule-set/stamp.js'
import { checkFeature, checkSubscriber, everPublishedRules, featureOf, publishedRule } from './gate.js'
import { anySubscription, findSubscription, SubscriptionRecord, subscriptionRecord } from './record.js'
import { changeSubscription, insertSubscriptions, newSubscription } from './write.js'

export const subscribe = command({
  name: 'compliance.subscription.create',
  summary: 'Subscribe to a published rule',
  description: 'The subscription begins inactive. 200 with the subscription as it is, where there is one.',
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

export const unsubscribe = command({
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
