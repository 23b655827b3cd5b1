/** `POST /compliance/subscriptions/bulk`. The answer has a result for each rule. */
import Type, { type Static } from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { attempt, bulkItem, bulkList, ITEM_FAILURE, itemFailure, refuseRepeated } from '../../runtime/records/bulk.js'
import { lockRules } from '../rule-stamp.js'
import { switched } from './activate.js'
import { checkFeature, checkSubscriber, everPublishedRules } from './gate.js'
import { noSubscription, subscriptionsTo } from './record.js'
import { changeSubscription } from './write.js'

const BULK_MAX = 100

const Item = strictObject({
  index: Type.Integer({ minimum: 0 }),
  ruleId: Type.Optional(Uuid),
  status: Type.Enum(['updated', 'unchanged', 'failed']),
  ...ITEM_FAILURE,
})

export const bulkActivateSubscriptions = command({
  name: 'compliance.subscription.bulk-activate',
  summary: 'Switch up to 100 subscribed rules on or off',
  description:
    'Each rule has its own result: a rule without a subscription, or an unknown id, fails, and the others are switched. One rule that the plan does not unlock refuses the whole request.',
  http: { method: 'post', path: '/compliance/subscriptions/bulk' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.rule.toggle'],
  input: { body: strictObject({ ruleIds: bulkList(Uuid, BULK_MAX), isActive: Type.Boolean() }) },
  output: strictObject({
    requested: Type.Integer(),
    updated: Type.Integer({ description: 'Those whose state changed' }),
    notFound: Type.Array(Uuid),
    failed: Type.Integer(),
    items: Type.Array(Item),
  }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'VALIDATION_ERROR'],
  async run(context, { body: { ruleIds: sent, isActive } }) {
    const { tx } = context
    const orgId = tenantId(context)
    checkSubscriber(context)
    await lockRules(tx, orgId)
    const keys = sent.map((each) => (typeof each === 'string' ? each : null))
    const read = sent.map((each, index) =>
      attempt(() => {
        const ruleId = bulkItem(Uuid, each, `/body/ruleIds/${index}`)
        refuseRepeated(keys, index, 'the rule is listed twice', 'ruleIds')
        return ruleId
      }),
    )
    const ruleIds = read.flatMap((each) => ('value' in each ? [each.value] : []))
    const subscribed = new Map((await subscriptionsTo(tx, orgId, ruleIds)).map((row) => [row.ruleId, row]))
    const rules = new Map((await everPublishedRules(tx, ruleIds)).map((rule) => [rule.id, rule]))
    // guard: a-set-is-switched-on-with-its-feature-many-at-once
    if (isActive) for (const rule of rules.values()) checkFeature(context, rule)
    const items: Static<typeof Item>[] = []
    const notFound: string[] = []
    for (const [index, each] of read.entries()) {
      if ('refusal' in each) {
        items.push(itemFailure(index, each.refusal))
        continue
      }
      const ruleId = each.value
      const row = subscribed.get(ruleId)
      if (row === undefined || row.unsubscribedAtMs !== null) {
        notFound.push(ruleId)
        items.push({ ...itemFailure(index, noSubscription()), ruleId })
      } else if (row.isActive === isActive) items.push({ index, ruleId, status: 'unchanged' })
      else {
        const rule = rules.get(ruleId)
        await changeSubscription(context, row, switched(rule, isActive))
        await context.audit('compliance.rule.toggle', {
          targetType: 'rule',
          targetId: ruleId,
          details: { ...(rule === undefined ? {} : { name: rule.name }), isActive, source: 'bulk' },
        })
        items.push({ index, ruleId, status: 'updated' })
      }
    }
    const count = (status: string) => items.filter((item) => item.status === status).length
    const updated = count('updated')
    const data = { requested: sent.length, updated, notFound, failed: count('failed'), items }
    return updated === 0 ? unchanged(data) : changed(data)
  },
})
