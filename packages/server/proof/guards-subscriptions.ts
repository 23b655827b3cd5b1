/** Lines that hold a subscription to its organization and its plan. */
import type { Guard } from './guard.js'

const ENTITLEMENTS = 'src/compliance/entitlement/sync.test.ts'
const SUBSCRIPTIONS = 'src/compliance/subscription/subscription.test.ts'
const SUBSCRIPTION_STATES = 'src/compliance/subscription/subscription-model.test.ts'

export const SUBSCRIPTION_GUARDS: readonly Guard[] = [
  {
    name: 'a set needs the feature of the plan',
    file: 'compliance/subscription/gate.ts',
    find: '  if (feature === null || authority.isSuperAdmin',
    replace: '  if (feature !== undefined || authority.isSuperAdmin',
    test: SUBSCRIPTIONS,
  },
  {
    name: 'a set is switched on with its feature, many at once',
    file: 'compliance/subscription/activate.ts',
    find: '    if (isActive) for (const rule of rules.values()) checkFeature(context, rule)\n',
    replace: '',
    test: SUBSCRIPTIONS,
  },
  {
    name: 'a subscription is to a published rule',
    file: 'compliance/subscription/gate.ts',
    find: "and(eq(t.orgId, SYSTEM_ORG_ID), eq(t.scope, 'published'), isNull",
    replace: 'and(isNull',
    test: SUBSCRIPTIONS,
  },
  {
    name: 'a subscription that ended is none in the catalogue',
    file: 'compliance/subscription/list.ts',
    find: '(unsubscribedAtMs === null ? [[',
    replace: '(unsubscribedAtMs !== undefined ? [[',
    test: SUBSCRIPTIONS,
  },
  {
    name: 'a push that is repeated writes nothing',
    file: 'compliance/entitlement/sync.ts',
    find: 'if (!isKnown || known.join() !== state.sets.join()) {',
    replace: 'if (isKnown || known.length >= 0) {',
    test: ENTITLEMENTS,
  },
  {
    name: 'pushes at once take turns',
    file: 'compliance/entitlement/sync.ts',
    find: '    await lockRules(tx, orgId)\n',
    replace: '',
    test: ENTITLEMENTS,
  },
  {
    name: 'the plan is asked for a rule that is deleted too',
    file: 'compliance/subscription/gate.ts',
    find: "eq(t.scope, 'published'), inArray(t.id, [...ruleIds])))",
    replace: "eq(t.scope, 'published'), isNull(t.deletedAtMs), inArray(t.id, [...ruleIds])))",
    test: SUBSCRIPTION_STATES,
  },
  {
    name: 'a push that is not newer is skipped',
    file: 'compliance/entitlement/sync.ts',
    find: 'occurredMs <= held.watermarkMs',
    replace: 'occurredMs < 0',
    test: ENTITLEMENTS,
  },
  {
    name: 'a push leaves off what somebody switched off',
    file: 'compliance/entitlement/sync.ts',
    find: '  if (row.optedOut && wasEntitled) return null\n',
    replace: '',
    test: ENTITLEMENTS,
  },
]
