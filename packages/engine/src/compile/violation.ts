/** Builds the violation of one rule, always with the same keys in the same order. */
import type { BriefViolation, JsonValue, RuleIssueCode, Violation } from '../types.js'
import { alternativesMessage, type FailedEntry } from './alternatives.js'
import { misconfiguredMessage } from './message.js'
import type { CompiledRule, Entry } from './rule.js'

/** What a violation shows of the check that failed. */
type Shown = Pick<Violation, 'field' | 'operator' | 'message'> & Pick<Entry, 'expected'>

/** The part that all violations of an entry have in common. */
export const violationOf = (rule: CompiledRule, entry: Shown): Violation => ({
  ruleId: rule.id,
  ruleName: rule.name,
  description: rule.description,
  policyId: rule.policyId,
  policyIds: rule.policyIds,
  field: entry.field,
  operator: entry.operator,
  expectedValue: entry.expected,
  actualValue: null,
  severity: rule.severity,
  message: entry.message,
  source: rule.source,
  suppressNotification: rule.suppressNotification,
  issue: null,
})

export const briefOf = ({ ruleId, severity, field }: Violation): BriefViolation => ({ ruleId, severity, field })

/** Adds the value that was found at the field. Every key is written out, because that is faster than a spread. */
export const withActual = (fixed: Violation, actualValue: JsonValue): Violation => ({
  ruleId: fixed.ruleId,
  ruleName: fixed.ruleName,
  description: fixed.description,
  policyId: fixed.policyId,
  policyIds: fixed.policyIds,
  field: fixed.field,
  operator: fixed.operator,
  expectedValue: fixed.expectedValue,
  actualValue,
  severity: fixed.severity,
  message: fixed.message,
  source: fixed.source,
  suppressNotification: fixed.suppressNotification,
  issue: null,
})

/** The violation of a rule with alternatives, none of which holds. `violation` is that of the first entry that failed. */
export const withFailures = (violation: Violation, failed: readonly FailedEntry[], count: number): Violation => ({
  ruleId: violation.ruleId,
  ruleName: violation.ruleName,
  description: violation.description,
  policyId: violation.policyId,
  policyIds: violation.policyIds,
  field: violation.field,
  operator: violation.operator,
  expectedValue: violation.expectedValue,
  actualValue: violation.actualValue,
  severity: violation.severity,
  message: alternativesMessage(failed, count),
  source: violation.source,
  suppressNotification: violation.suppressNotification,
  issue: null,
  failures: failed.map(({ field, operator, expected, actual }) => ({ field, operator, expected, actual })),
})

/** The violation of a rule that cannot be evaluated. It shows the rule's own operator and value. */
export const misconfigured = (rule: CompiledRule, issue: RuleIssueCode, field: string): Violation => {
  const { operator, expected } = rule
  return { ...violationOf(rule, { field, operator, expected, message: misconfiguredMessage(issue) }), issue }
}
