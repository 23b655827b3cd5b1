/**
 * Lines by which no verdict goes unrecorded or is bypassed, the record of them is sealed before it is pruned, and is
 * shown to its own organization.
 */
import { cut, drop, type Guard, guard, swap, value } from './guard.js'

const WALK = 'walk'
const CHECKS = 'check'
const RECHECKS = 'recheck'
const PORT = 'port'
const SEALS = 'seal'
const FINDINGS = 'finding'
const STATES = 'finding/state'
const COVERAGE = 'rule-coverage/coverage'
const SET_IMPACT = 'set-impact'
const BY_ID = 'reads-by-id'

export const CHECK_GUARDS: readonly Guard[] = [
  guard('findings-of-the-own-check-log', cut('eq(t.orgId, orgId), '), FINDINGS),
  guard('findings-of-a-scan-need-a-permission', swap("'compliance:read'", "'plugins:read'"), FINDINGS),
  guard('findings-of-checks-need-a-permission', swap("'compliance:read'", "'plugins:read'"), FINDINGS),
  guard('what-a-dry-run-did-not-keep-is-not-exported-as-nothing', value('orgId === ""'), FINDINGS),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a piece of the source
  guard('a-cell-of-csv-begins-no-formula', swap("`'${text}` : text", 'text : text'), 'csv'),
  guard('the-limits-of-attributes-live', drop, CHECKS),
  guard('a-live-check-has-its-entry', drop, CHECKS),
  guard('a-verdict-on-a-stored-record-needs-the-right-to-read', drop, CHECKS),
  guard('a-completed-record-keeps-what-is-stored', value('completeEntity(target, written)'), CHECKS),
  guard('the-check-log-of-the-own-organization', value('checksWanted({ ...named, ...times })(db)'), CHECKS),
  guard('the-findings-of-the-own-organization', swap('eq(t.orgId, orgId)', 'undefined'), WALK),
  guard('findings-as-states-of-the-own-organization', swap('eq(t.orgId, orgId)', 'undefined'), STATES),
  guard('a-finding-of-the-own-organization', drop, STATES),
  guard('who-loses-a-rule-loses-its-tags', cut(', isVisibleRule(t, held)'), BY_ID),
  guard('who-loses-a-policy-loses-its-name', cut(', isVisiblePolicy(t, orgId)'), BY_ID),
  guard('the-checks-of-a-finding-are-of-its-organization', cut('eq(t.orgId, orgId), '), BY_ID),
  guard('the-coverage-of-the-own-organization', swap('eq(t.orgId, asked.orgId)', 'undefined'), COVERAGE),
  guard('the-coverage-of-own-rules', swap('eq(t.orgId, held.orgId)', 'undefined'), COVERAGE),
  guard('the-impact-of-a-set-needs-a-permission', swap("'compliance:read'", "'plugins:read'"), SET_IMPACT),
  guard('the-impact-of-a-set-is-of-visible-rules', cut(', isVisible(t, heldOf(context))'), SET_IMPACT),
  guard('the-impact-of-a-set-needs-the-features-of-its-rules', drop, SET_IMPACT),
  guard('coverage-needs-a-permission', swap("'compliance:read'", "'plugins:read'"), COVERAGE),
  guard('the-counts-of-the-own-organization', drop, STATES),
  guard('a-look-that-was-overtaken-is-not-kept', value('looks'), STATES),
  guard('a-look-at-what-was-deleted-since-is-not-kept', value('[] as typeof later'), STATES),
  guard('looks-of-one-organization-take-turns', drop, STATES),
  guard('a-check-of-the-own-organization', drop, BY_ID),
  guard('a-schedule-of-the-own-organization', drop, BY_ID),
  guard('a-delivery-of-the-own-organization', drop, BY_ID),
  guard('an-event-works-under-the-organization-of-its-job', swap('!== event.orgId', '=== ""'), RECHECKS),
  guard('an-older-event-after-a-newer-one', cut('|| last.eventAtMs > event.timestampMs'), RECHECKS),
  guard('a-check-in-this-process-has-its-entry', value('void [row, recordCheck]'), PORT),
  guard('the-form-of-a-verdict-from-elsewhere', swap('0', '1000'), PORT),
  guard('a-verdict-from-elsewhere-agrees-with-itself', value('blocks === undefined'), PORT),
  guard('a-process-without-a-way-to-a-verdict-does-not-start', swap('=== 0', '< 1000'), PORT),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a piece of the source
  guard('a-row-is-sealed-once', swap('id))', '`x${id}`))'), SEALS),
  guard('only-sealed-rows-are-pruned', swap('min', 'max'), SEALS),
  guard('pruning-is-said-in-the-chain-before-it-is-done', swap('throughMs', '0 * throughMs'), SEALS),
  guard('the-check-log-as-a-file-is-of-the-own-organization', cut('eq(t.orgId, orgId), '), SEALS),
]
