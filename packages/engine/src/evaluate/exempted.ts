/**
 * The violations that exemptions cover, so that a report can show what was exempted.
 *
 * INVARIANT: only rules that the evaluation skipped as exempt are listed, each with the exemption that was applied.
 */
import { compilationOf } from '../rule-set/compile-rules.js'
import type { Attributes, Evaluation, EvaluationContext, ExemptedViolation, RuleSet } from '../types.js'

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
): readonly ExemptedViolation[] =>
  evaluation.exemptionsApplied.length === 0 ? [] : compilationOf(ruleSet).waived(attributes, context)
