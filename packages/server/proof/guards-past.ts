/** Lines by which the past is told as it was, to those who may read it, and never guessed. */
import { cut, drop, type Guard, guard, swap, value } from './guard.js'

const PAST = 'past'

export const PAST_GUARDS: readonly Guard[] = [
  guard('the-past-of-rules-own-ones', value("eq(t.scope, 'org')"), PAST),
  guard('the-past-of-subscriptions', cut('eq(s.orgId, orgId), '), PAST),
  guard('the-past-of-policies', cut('inArray(t.orgId, [...orgIds]), '), PAST),
  guard(
    'the-impact-of-a-rule-of-the-past-one-that-could-be-held-to',
    cut(', or(eq(t.orgId, orgId), isHandedDown, isPublished)'),
    PAST,
  ),
  guard('nothing-is-told-before-the-beginning', value('startMs > 0'), PAST),
  guard('nothing-is-told-from-before-a-purge', value('Math.max(org.createdAtMs, ...moved.map(() => 0))'), PAST),
  guard(
    'nothing-is-told-from-before-a-purge-of-the-parent',
    swap('inArray(t.orgId, [orgId, parentOrgId])', 'eq(t.orgId, orgId)'),
    PAST,
  ),
  guard('a-purge-of-a-published-rule-moves-the-past-of-its-subscribers', value('await movePastStarts(tx, own)'), PAST),
  guard('a-purge-of-a-policy-moves-the-past', drop, PAST),
  guard('the-future-is-not-told', swap('nowMs', 'nowMs * 2'), PAST),
  guard('the-past-needs-the-right-to-read-it', value('authority.permissions === null'), PAST),
  guard('the-interval-of-a-subscription-ends-with-it', swap('?.isActive === true', '=== after'), PAST),
  guard('of-overlapping-intervals-the-later-change-counts', cut('|| end(known) < end(row)'), PAST),
  guard('a-version-of-the-past-is-one-of-then', cut('lte(t.validFromMs, atMs), '), PAST),
]
