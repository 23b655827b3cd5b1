/** Gives an organization an inactive subscription to every published rule, as part of its onboarding. */
import { and, eq, isNull, notInArray } from 'drizzle-orm'
import Type from 'typebox'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { either, scope, systemAdmin } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lockRules } from '../rule-stamp.js'
import { complianceTables } from '../tables.js'
import { checkSubscriber } from './gate.js'
import { insertSubscriptions, newSubscription } from './write.js'

export const autoCreateSubscriptions = command({
  name: 'compliance.subscription.auto-create',
  summary: 'Subscribe the organization to every published rule, inactive',
  description:
    'Existing subscriptions are not changed. Rules of a set can be activated only when the plan has the set.',
  http: { method: 'post', path: '/compliance/subscriptions/auto-subscribe' },
  access: either(systemAdmin(), scope('entitlements:sync')),
  tenant: fromHeader,
  audit: ['compliance.subscription.create'],
  input: {},
  output: strictObject({ subscribed: Type.Integer(), skipped: Type.Integer() }),
  errors: ['INSUFFICIENT_PERMISSIONS'],
  async run(context) {
    const { tx, runtime, nowMs, actor } = context
    const orgId = tenantId(context)
    checkSubscriber(context)
    await lockRules(tx, orgId)
    const { rules, subscriptions } = complianceTables(tx)
    const known = tx.select({ id: subscriptions.ruleId }).from(subscriptions).where(eq(subscriptions.orgId, orgId))
    const live = and(eq(rules.orgId, SYSTEM_ORG_ID), eq(rules.scope, 'published'), isNull(rules.deletedAtMs))
    const fresh = await tx
      .select({ id: rules.id })
      .from(rules)
      .where(and(live, notInArray(rules.id, known)))
    const total = await tx.$count(rules, live)
    const data = { subscribed: fresh.length, skipped: total - fresh.length }
    if (fresh.length === 0) return unchanged(data)
    const each = { orgId, source: 'auto', isActive: false, by: actor.id } as const
    await insertSubscriptions(
      context,
      fresh.map(({ id }) => newSubscription(runtime, { ...each, ruleId: id }, nowMs)),
    )
    await context.audit('compliance.subscription.create', {
      targetType: 'organization',
      targetId: orgId,
      details: { reason: `${fresh.length} published rules at once` },
    })
    return changed(data)
  },
})
