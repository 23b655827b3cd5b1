/** `RuleError`, the error that carries rule issues, and how issues are collected and described. */
import type { RuleIssue, RuleIssueCode } from './types.js'

/**
 * Thrown by `compileRules` in `strict` mode and by functions that refuse a rule. `issues` has every issue that was
 * found.
 */
export class RuleError extends Error {
  readonly code = 'INVALID_RULES'
  readonly issues: readonly RuleIssue[]

  constructor(issues: readonly RuleIssue[]) {
    super(issues.map(describeIssue).join('\n'))
    this.name = 'RuleError'
    this.issues = issues
  }
}

export type Report = (
  pointer: string,
  code: RuleIssueCode,
  message: string,
  fix: string,
  more?: Pick<RuleIssue, 'cycle'>,
) => void

/** Returns a function that adds the issues of one rule to a list. */
export const reporter =
  (ruleId: string | null, ruleName: string | null, issues: RuleIssue[]): Report =>
  (pointer, code, message, fix, more) => {
    issues.push({ ruleId, ruleName, pointer, code, message, fix, ...more })
  }

/** Describes an issue in one line: the rule, the place, what is wrong, and what to do. */
export const describeIssue = (issue: RuleIssue): string => {
  const rule = issue.ruleName ?? issue.ruleId ?? 'rule without a name'
  const place = issue.pointer === '' ? '' : ` ${issue.pointer}`
  return `${rule}${place}: ${issue.message}; ${issue.fix} (${issue.code})`
}
