/** The violation of one rule, always with the same keys in the same order. */

import { misconfiguredMessage } from '../compile/message.js'
import type { CompiledRule, Entry } from '../compile/rule.js'
import type { JsonValue, RuleIssueCode, Violation } from '../types.js'

/** An entry that does not hold, with what was found at its field. */
export const failedEntry = (rule: CompiledRule, entry: Entry, actual: JsonValue): Violation => ({
  ruleId: rule.id,
  ruleName: rule.name,
  description: rule.description,
  policyId: rule.policyId,
  policyIds: rule.policyIds,
  field: entry.field,
  operator: entry.operator,
  expectedValue: entry.expected,
  actualValue: actual,
  severity: rule.severity,
  message: entry.message,
  source: rule.source,
  suppressNotification: rule.suppressNotification,
  issue: null,
})

/** A rule that can not be evaluated: it shows the rule's own operator and value. */
export const misconfigured = (rule: CompiledRule, issue: RuleIssueCode, field: string): Violation => ({
  ruleId: rule.id,
  ruleName: rule.name,
  description: rule.description,
  policyId: rule.policyId,
  policyIds: rule.policyIds,
  field,
  operator: rule.operator,
  expectedValue: rule.expected,
  actualValue: null,
  severity: rule.severity,
  message: misconfiguredMessage(issue),
  source: rule.source,
  suppressNotification: rule.suppressNotification,
  issue,
})
