/**
 * The violations that exist without the exemptions, so that a report can show what was exempted.
 *
 * INVARIANT: only rules that the evaluation skipped as exempt are listed, each with the exemption that was applied.
 */
import type { Attributes, Evaluation, EvaluationContext, RuleSet, Violation } from '../types.js'

export interface ExemptedViolation {
  readonly exemptionId: string
  readonly violation: Violation
}

/**
 * Returns the violations that the exemptions of the context cover.
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
  const { exemptions = [], ...without } = context
  const applied = new Set(evaluation.exemptionsApplied)
  const idByRule = new Map<string, string>()
  for (const { id, ruleId } of exemptions) if (applied.has(id) && !idByRule.has(ruleId)) idByRule.set(ruleId, id)
  const exempt = new Set(evaluation.skipped.filter(({ reason }) => reason === 'exempt').map(({ ruleId }) => ruleId))
  return ruleSet.evaluate(attributes, without).violations.flatMap((violation) => {
    const exemptionId = idByRule.get(violation.ruleId)
    return exemptionId === undefined || !exempt.has(violation.ruleId) ? [] : [{ exemptionId, violation }]
  })
}
