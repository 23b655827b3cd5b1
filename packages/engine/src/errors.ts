/** The one error of the engine that carries rule issues. */
import type { RuleIssue } from './types.js'

/** Thrown in `strict` mode and by functions that refuse a rule. `issues` is complete. */
export class RuleError extends Error {
  readonly code = 'INVALID_RULES'
  readonly issues: readonly RuleIssue[]

  constructor(issues: readonly RuleIssue[]) {
    super(issues.map(describeIssue).join('\n'))
    this.name = 'RuleError'
    this.issues = issues
  }
}

/** One line: rule, place, what is wrong, what to do. */
export const describeIssue = (issue: RuleIssue): string => {
  const rule = issue.ruleName ?? issue.ruleId ?? 'rule without a name'
  const place = issue.pointer === '' ? '' : ` ${issue.pointer}`
  return `${rule}${place}: ${issue.message}; ${issue.fix} (${issue.code})`
}
