/**
 * Turns the issues that the engine finds in a rule into a refusal that lists each problem with its place in the body.
 */
import type { RuleIssue } from '@plumbline/engine'
import { type FieldIssue, Refusal } from '../../runtime/errors.js'

const REGEX = /^regex_(.+)$/

export const fieldIssue = ({ pointer, code, message, fix }: RuleIssue, at = '/body'): FieldIssue => ({
  path: `${at}${pointer}`,
  message: `${message}: ${fix}`,
  code,
})

/**
 * 400 with all issues; for a pattern also `path` and `reason`, for a cycle the ids on it (spec compliance 1.3, 2.3). A
 * duplicate name alone is 409; with other issues the answer is 400.
 */
export function refuseRule(issues: readonly RuleIssue[], more: readonly FieldIssue[] = [], at = '/body'): Refusal {
  const others = issues.filter(({ code }) => code !== 'duplicate_name')
  if (others.length === 0 && more.length === 0) return nameTaken()
  const found = [...others.map((issue) => fieldIssue(issue, at)), ...more]
  const pattern = others.find(({ code }) => REGEX.test(code))
  const cycle = others.find((issue) => issue.cycle !== undefined)?.cycle
  const [first] = found
  const rest = found.length > 1 ? ` (and ${found.length - 1} more)` : ''
  return new Refusal('VALIDATION_ERROR', `${first?.path}: ${first?.message}${rest}`, {
    details: {
      issues: found,
      ...(pattern === undefined
        ? {}
        : { path: `${at}${pattern.pointer}`, reason: REGEX.exec(pattern.code)?.[1] ?? pattern.code }),
      ...(cycle === undefined ? {} : { cycle }),
    },
  })
}

export const nameTaken = (cause?: unknown): Refusal =>
  new Refusal('DUPLICATE_ENTRY', 'the organization has a rule of this name', { details: { field: 'name' }, cause })
