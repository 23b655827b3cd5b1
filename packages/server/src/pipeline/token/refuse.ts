/**
 * Turns issues with tokens into one refusal: with the code of a single issue, or `TEMPLATE_VALIDATION_FAILED` with all
 * of them.
 */
import type { TokenIssue } from '@plumbline/engine'
import { Refusal } from '../../runtime/errors.js'

export function tokenRefusal(issues: readonly TokenIssue[]): Refusal {
  const [first] = issues
  if (first === undefined) throw new Error('there is nothing to refuse')
  const code = issues.length === 1 ? first.code : 'TEMPLATE_VALIDATION_FAILED'
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return new Refusal(code, `${first.path}: ${first.message}${more}`, { details: { issues } })
}
