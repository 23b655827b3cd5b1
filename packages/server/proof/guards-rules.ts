/** Lines that decide whose rules count, who may write them, and what a policy does to them. */
import { cut, drop, each, type Guard, guard, never, swap, value } from './guard.js'

const RULES = 'rule'
const CHECKS = 'check'
const EXEMPTIONS = 'exemption'
const POLICIES = 'policy'
const SUBSCRIPTIONS = 'compliance/subscription/subscription'
const RULE_SETS = 'cache'
const PROPAGATION = 'propagation'
const DIFFS = 'diff'
const BUNDLES = 'bundle'

export const RULE_GUARDS: readonly Guard[] = [
  guard('a-page-of-the-inventory-ends', never, 'compliance/inventory/list'),
  guard('a-policy-to-be-compared-is-a-visible-one', swap('isVisible(t, orgId)', 'isNull(t.deletedAtMs)'), DIFFS),
  guard('a-diff-of-policies-needs-a-permission', value("permission('plugins:read')"), DIFFS),
  guard('the-rules-of-a-set-are-tried-with-its-feature', swap('!== orgId', '=== ""'), DIFFS),
  guard('other-versions-of-the-name-are-the-organizations-own', cut('eq(t.orgId, orgId), '), DIFFS),
  guard('few-questions-of-an-account-about-the-whole-inventory-at-once', swap('OF_ACCOUNT_MAX', '1000'), DIFFS),
  guard('few-questions-of-a-process-about-whole-inventories-at-once', swap('OF_PROCESS_MAX', '1000'), DIFFS),
  guard('the-teams-of-an-account-ask-in-its-place', swap('rootOrgId', 'id'), DIFFS),
  guard('a-question-that-nobody-waits-for-ends', cut('sent?.signal ??'), DIFFS),
  guard('a-rule-to-be-changed-is-an-own-one', cut(', eq(t.orgId, orgId)'), RULES),
  guard('a-team-reads-what-its-parent-hands-down-not-the-rest', cut(', eq(t.propagateToChildren, true)'), RULES),
  guard('the-history-of-an-own-rule', cut(', or(eq(rules.orgId, orgId), isOffered)'), RULES),
  guard('the-list-of-own-rules', swap('eq(t.orgId, orgId)', 'undefined'), RULES),
  guard('only-the-system-organization-publishes', swap('=== SYSTEM_ORG_ID', '!== ""'), RULES),
  guard('leaving-enforce-needs-a-reason', never, RULES),
  guard('a-rule-that-others-depend-on-stays', swap('0', '1000'), RULES),
  guard('a-team-is-held-to-what-its-parent-hands-down', value('[] as typeof own'), CHECKS),
  guard('a-rule-set-is-compared-with-the-stamps-before-its-use', value('found !== undefined'), CHECKS),
  guard('a-change-of-rules-counts-the-stamp-up', drop, CHECKS),
  guard('an-inactive-subscription-holds-nobody', drop, SUBSCRIPTIONS),
  guard('the-subscriptions-of-the-own-organization', drop, SUBSCRIPTIONS),
  guard('a-pinned-version-is-what-is-enforced', cut('bodies.get(row.id) ??'), SUBSCRIPTIONS),
  guard(
    'a-rule-that-is-handed-down-looks-at-what-is-handed-down',
    value('handedDown.has(rule.name) ? handedDown : all'),
    PROPAGATION,
  ),
  guard('of-first-checks-at-once-one-reads-the-rules', drop, RULE_SETS),
  guard('a-rule-set-of-two-moments-is-read-again', swap('=== before', "!== ''"), RULE_SETS),
  guard('the-time-to-live-of-a-rule-set', swap('= 0 && ageMs <', '-'), RULE_SETS),
  guard('an-exemption-ends-with-its-rule', value('void endExemptions'), EXEMPTIONS),
  guard('an-inactive-policy-holds-its-rules-back', swap(', ruleIds', ': true, ruleIds: isActive ? [ruleId]'), POLICIES),
  guard('a-policy-lists-rules-of-its-own-organization', cut('eq(t.orgId, orgId), '), POLICIES),
  guard('only-templates-are-copied', drop, POLICIES),
  guard('the-versions-of-a-policy-are-of-its-organization', cut('eq(t.orgId, of.orgId), '), POLICIES),
  guard(
    'a-rule-is-taken-out-of-the-policies-of-its-own-organization',
    each(cut('await stampRules(tx, orgId)'), swap('return gone.length > 0', 'return gone.length > 1000')),
    POLICIES,
  ),
  guard('a-bundle-of-rules-needs-a-permission', value("permission('plugins:read')"), BUNDLES),
  guard('a-bundle-holds-the-exemptions-of-its-own-organization', cut('eq(t.orgId, tenantId(context)), '), BUNDLES),
  guard('a-bundle-holds-exemptions-that-were-approved', cut("eq(t.status, 'approved'), "), BUNDLES),
  guard('a-bundle-holds-exemptions-that-last', swap('nowMs', '0'), BUNDLES),
]
