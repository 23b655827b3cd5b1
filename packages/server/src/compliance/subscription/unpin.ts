/** Let a subscription follow its rule again. */
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { lockRules } from '../rule-stamp.js'
import { checkSubscriber } from './gate.js'
import { shared } from './pin.js'
import { findSubscription, subscriptionRecord } from './record.js'
import { changeSubscription } from './write.js'

export const unpinSubscription = command({
  ...shared,
  name: 'compliance.subscription.unpin',
  summary: 'Unpin a subscription: it follows its rule again',
  http: { method: 'delete', path: '/compliance/subscriptions/:ruleId/pin' },
  audit: ['compliance.subscription.unpin'],
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  async run(context, { path: { ruleId } }) {
    const { tx } = context
    const orgId = tenantId(context)
    checkSubscriber(context)
    await lockRules(tx, orgId)
    const row = await findSubscription(tx, orgId, ruleId)
    if (row.pinnedVersion === null) return unchanged({ subscription: subscriptionRecord(row) })
    const next = await changeSubscription(context, row, { pinnedVersion: null, pinnedAtMs: null, pinnedBy: null })
    await context.audit('compliance.subscription.unpin', {
      targetType: 'rule',
      targetId: ruleId,
      details: { id: row.id },
    })
    return changed({ subscription: subscriptionRecord(next) })
  },
})
