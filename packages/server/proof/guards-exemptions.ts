/** Lines by which nobody waives a rule for themselves, and an exemption ends when it should. */
import { cut, drop, type Guard, guard, swap, value } from './guard.js'

const EXEMPTIONS = 'exemption'
const EXEMPTION_STATES = 'exemption-model'
const SELF_APPROVAL = 'self-approval'
const ONE_VERDICT = 'one-verdict'
const PAST = 'past'

export const EXEMPTION_GUARDS: readonly Guard[] = [
  guard('nobody-decides-about-an-exemption-of-their-own', value('row.createdBy === null'), EXEMPTIONS),
  guard('who-asked-while-acting-as-somebody-else-does-not-decide', value('null'), SELF_APPROVAL),
  guard('who-asked-does-not-decide-while-acting-as-somebody-else', cut(', impersonatorId'), SELF_APPROVAL),
  guard(
    'what-is-decided-or-over-by-the-clock-is-not-decided-again',
    swap("!== 'pending'", "=== 'revoked'"),
    EXEMPTION_STATES,
  ),
  guard('one-open-exemption-for-a-rule-and-an-entity', value('null'), EXEMPTION_STATES),
  guard('what-a-parent-hands-down-the-parent-waives', swap('!== orgId', '=== ""'), EXEMPTIONS),
  guard('an-exemption-of-another-organization', cut(', or(eq(t.orgId, orgId), eq(t.reviewOrgId, orgId))'), EXEMPTIONS),
  guard('others-that-the-organization-asked-for-or-decides-about', drop, 'reads-by-id'),
  guard('who-loses-a-rule-loses-its-name', cut(', isVisible(t, held)'), EXEMPTIONS),
  guard('only-who-decides-revokes', value('withdraws === null'), EXEMPTIONS),
  guard('an-exemption-ends-by-the-clock-before-it-is-decided', drop, EXEMPTIONS),
  guard('an-exemption-that-was-revoked-waives-until-then', drop, PAST),
  guard(
    'an-exemption-names-one-record',
    swap('issues = namingIssues(request, at)', 'issues: FieldIssue[] = namingIssues(request, at).slice(0, 0)'),
    EXEMPTIONS,
  ),
  guard('a-record-is-found-by-its-key-and-not-by-its-name', value('subject'), EXEMPTIONS),
  guard('an-exemption-by-key-is-of-its-organization', drop, EXEMPTIONS),
  guard(
    'rules-read-what-a-token-stands-for',
    value('{ ...effectiveAttributes(target, written), attributes: written }'),
    ONE_VERDICT,
  ),
  guard('rules-about-an-image-wait-for-it', value('{ ruleSet, waiting: [] }'), 'build/image-rules'),
  guard(
    'a-verdict-names-the-rules-that-read-an-unresolved-token',
    cut('...(reads.length === 0 ? {} : { unresolved: reads }),'),
    ONE_VERDICT,
  ),
  guard(
    'a-count-of-the-inventory-reads-what-a-token-stands-for',
    cut(': effectiveAttributes(target, attributes).attributes'),
    ONE_VERDICT,
  ),
]
