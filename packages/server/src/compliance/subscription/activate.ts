/** Switches subscribed rules on and off, one or many, and sets their rollout. */
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { Modes } from '../rule/schema.js'
import { lockRules } from '../rule-set/stamp.js'
import type { RuleRow, SubscriptionRow } from '../tables.js'
import { checkFeature, checkSubscriber, everPublishedRules, featureOf } from './gate.js'
import { findSubscription, SubscriptionRecord, subscriptionRecord, subscriptionsTo } from './record.js'
import { changeSubscription } from './write.js'

/** That somebody switched a rule of a set off is remembered, so that the next sync does not switch it on again. */
const switched = (rule: RuleRow | undefined, isActive: boolean): Partial<SubscriptionRow> => ({
  isActive,
  optedOut: !isActive && rule !== undefined && featureOf(rule) !== null,
})

export const activateSubscription = command({
  name: 'compliance.subscription.update',
  summary: 'Switch a subscribed rule on or off, or set its rollout',
  description: 'Taking `mode` away from `enforce` needs a `reason`, which stands in the audit trail.',
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

const BULK_MAX = 100

export const bulkActivate = command({
  name: 'compliance.subscription.bulk-update',
  summary: 'Switch up to 100 subscribed rules on or off',
  description: 'One rule that the plan does not unlock refuses the whole call.',
  http: { method: 'post', path: '/compliance/subscriptions/bulk' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.rule.toggle'],
  input: {
    body: strictObject({
      ruleIds: Type.Array(Uuid, { minItems: 1, maxItems: BULK_MAX, uniqueItems: true }),
      isActive: Type.Boolean(),
    }),
  },
  output: strictObject({
    requested: Type.Integer(),
    updated: Type.Integer({ description: 'Those whose state changed' }),
    notFound: Type.Array(Uuid),
  }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'VALIDATION_ERROR'],
  async run(context, { body: { ruleIds, isActive } }) {
    const { tx } = context
    const orgId = tenantId(context)
    checkSubscriber(context)
    await lockRules(tx, orgId)
    const live = (await subscriptionsTo(tx, orgId, ruleIds)).filter(({ unsubscribedAtMs }) => unsubscribedAtMs === null)
    const rules = new Map((await everPublishedRules(tx, ruleIds)).map((rule) => [rule.id, rule]))
    if (isActive) for (const rule of rules.values()) checkFeature(context, rule)
    const due = live.filter((row) => row.isActive !== isActive)
    for (const row of due) {
      const rule = rules.get(row.ruleId)
      await changeSubscription(context, row, switched(rule, isActive))
      await context.audit('compliance.rule.toggle', {
        targetType: 'rule',
        targetId: row.ruleId,
        details: { ...(rule === undefined ? {} : { name: rule.name }), isActive, source: 'bulk' },
      })
    }
    const found = new Set(live.map(({ ruleId }) => ruleId))
    const data = {
      requested: ruleIds.length,
      updated: due.length,
      notFound: ruleIds.filter((id) => !found.has(id)),
    }
    return due.length === 0 ? unchanged(data) : changed(data)
  },
})
