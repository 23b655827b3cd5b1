/**
 * Lines that hold accounts to their limits. Each was taken out in a copy, and its test failed there.
 */
import { always, cut, drop, type Guard, guard, never, swap, value } from './guard.js'

export const QUOTA_GUARDS: readonly Guard[] = [
  guard('the-limit-of-places', never, 'take'),
  guard('places-are-counted-under-the-lock-of-the-root', drop, 'take'),
  guard('places-are-counted-over-the-whole-account', swap('await accountOrgIds(db, rootOrgId)', '[orgId]'), 'take'),
  guard('a-teams-own-limit-of-places', never, 'take'),
  guard('a-deleted-team-holds-no-places', cut(', isNull(organizations.deletedAtMs)'), 'take'),
  guard('places-are-not-counted-through-row-security', never, 'take'),
  guard('a-counter-stays-within-its-limit', swap('limit === UNLIMITED', 'true'), 'counters'),
  guard('the-first-use-of-a-period-stays-within-the-limit', drop, 'counters'),
  guard('a-teams-own-limit-of-use', never, 'counters'),
  guard('the-limit-of-api-calls', never, 'api-calls'),
  guard('administrators-use-up-no-api-calls', cut('|| isSuperAdmin'), 'api-calls'),
  guard('a-request-without-an-answer-is-no-api-call', never, 'api-calls'),
  guard('limits-are-set-on-the-root-alone', never, 'quotas'),
  guard('limits-of-teams-are-those-of-the-accounts-teams', always, 'quotas'),
  guard('limits-raise-the-revision', never, 'quotas'),
  guard('a-limit-below-the-use', never, 'quotas'),
  guard('an-idempotencykey-is-for-one-increment', never, 'quotas'),
  guard('a-reset-is-confirmed', value("either(systemAdmin(), scope('quota:reset'))"), 'quotas'),
  guard('a-threshold-is-told-of-once', drop, 'quotas'),
  guard('a-team-that-comes-back-takes-places', cut('if (used + held <= pool.limit)'), 'quotas'),
]
