/** Lines that hold a subscription to its organization and its plan. */
import { cut, drop, type Guard, guard, swap, value } from './guard.js'

const ENTITLEMENTS = 'sync'
const SUBSCRIPTIONS = 'compliance/subscription/subscription'
const SUBSCRIPTION_STATES = 'subscription-model'

export const SUBSCRIPTION_GUARDS: readonly Guard[] = [
  guard('a-set-needs-the-feature-of-the-plan', drop, SUBSCRIPTIONS),
  guard('a-set-is-switched-on-with-its-feature-many-at-once', drop, SUBSCRIPTIONS),
  guard(
    'a-subscription-is-to-a-published-rule',
    cut("eq(t.orgId, SYSTEM_ORG_ID), eq(t.scope, 'published'),"),
    SUBSCRIPTIONS,
  ),
  guard('a-subscription-that-ended-is-none-in-the-catalogue', swap('=== null', '!== undefined'), SUBSCRIPTIONS),
  guard('a-push-that-is-repeated-writes-nothing', value('isKnown || known.length >= 0'), ENTITLEMENTS),
  guard('pushes-at-once-take-turns', drop, ENTITLEMENTS),
  guard(
    'the-plan-is-asked-for-a-rule-that-is-deleted-too',
    swap('inArray', 'isNull(t.deletedAtMs), inArray'),
    SUBSCRIPTION_STATES,
  ),
  guard('a-push-that-is-not-newer-is-skipped', value('occurredMs < 0'), ENTITLEMENTS),
  guard('a-push-leaves-off-what-somebody-switched-off', drop, ENTITLEMENTS),
]
