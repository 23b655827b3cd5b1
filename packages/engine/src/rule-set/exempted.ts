/**
 * The violations that exemptions cover, so that a report can show what was exempted.
 *
 * INVARIANT: only rules that the evaluation skipped as exempt are listed, each with the exemption that was applied.
 */

import type { Attributes, Evaluation, EvaluationContext, ExemptedViolation, RuleSet } from '../types.js'
import { compilationOf } from './compile-rules.js'

/**
 * Returns the violations that the exemptions of the context cover: for each exempt rule, the violation that there would
 * be without its exemption and with all others. A rule whose gate is exempt as well is judged as behind an open gate.
 *
 * @param evaluation The result of `ruleSet.evaluate` for these attributes in this context.
 */
export const exemptedViolations = (
  ruleSet: RuleSet,
  attributes: Attributes,
  context: EvaluationContext,
  evaluation: Evaluation,
): readonly ExemptedViolation[] => {
  if (evaluation.exemptionsApplied.length === 0) return []
  const covered: ExemptedViolation[] = []
  compilationOf(ruleSet).evaluate(attributes, context, (exemptionId, violation) => {
    if (violation !== null) covered.push({ exemptionId, violation })
  })
  return covered
}
