/** Switches subscribed rules on and off, one or many, and sets their rollout. */
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { Modes } from '../rule/schema.js'
import { lockRules } from '../rule-stamp.js'
import type { RuleRow, SubscriptionRow } from '../tables.js'
import { checkFeature, checkSubscriber, everPublishedRules, featureOf } from './gate.js'
import { findSubscription, SubscriptionRecord, subscriptionRecord } from './record.js'
import { changeSubscription } from './write.js'

/** Stores that a member switched off a rule of a set, so that the next sync does not switch it on again. */
export const switched = (rule: RuleRow | undefined, isActive: boolean): Partial<SubscriptionRow> => ({
  isActive,
  optedOut: !isActive && rule !== undefined && featureOf(rule) !== null,
})

export const activateSubscription = command({
  name: 'compliance.subscription.activate',
  summary: 'Switch a subscribed rule on or off, or set its rollout',
  description: 'Changing `mode` from `enforce` needs a `reason`, which is kept in the audit trail.',
  http: { method: 'patch', path: '/compliance/subscriptions/:ruleId' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.rule.toggle'],
  input: {
    path: Type.Object({ ruleId: Uuid }),
    body: strictObject(
      {
        isActive: Type.Optional(Type.Boolean()),
        mode: Type.Optional(Modes),
        reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
      },
      { minProperties: 1 },
    ),
  },
  output: strictObject({ subscription: SubscriptionRecord }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path: { ruleId }, body }) {
    const { tx } = context
    const orgId = tenantId(context)
    checkSubscriber(context)
    await lockRules(tx, orgId)
    const row = await findSubscription(tx, orgId, ruleId)
    const [rule] = await everPublishedRules(tx, [ruleId])
    const isActive = body.isActive ?? row.isActive
    const mode = body.mode ?? row.mode
    if (row.mode === 'enforce' && mode !== 'enforce' && body.reason === undefined) {
      throw invalidField('/body/reason', 'is required when `mode` leaves `enforce`', 'required')
    }
    if (isActive && !row.isActive && rule !== undefined) checkFeature(context, rule)
    if (isActive === row.isActive && mode === row.mode) return unchanged({ subscription: subscriptionRecord(row) })
    const change = { mode, ...(isActive === row.isActive ? {} : switched(rule, isActive)) }
    const next = await changeSubscription(context, row, change)
    const fields = [...(isActive === row.isActive ? [] : ['isActive']), ...(mode === row.mode ? [] : ['mode'])]
    await context.audit('compliance.rule.toggle', {
      targetType: 'rule',
      targetId: ruleId,
      details: {
        ...(rule === undefined ? {} : { name: rule.name }),
        isActive,
        source: 'subscription',
        changed: fields,
        ...(body.reason === undefined ? {} : { reason: body.reason }),
      },
    })
    return changed({ subscription: subscriptionRecord(next) })
  },
})
