/**
 * Explains a verdict: every rule, every gate, every condition.
 *
 * The explanation is a tree of plain values, and `renderExplanation` makes a text of it. INVARIANT: values are redacted
 * and bounded as in a violation, and `evaluation` in the tree is the verdict that `evaluate` returns.
 */
import { type Inspection, inspect } from '../evaluate/inspect.js'
import { compilationOf } from '../rule-set/compile-rules.js'
import type { Attributes, EvaluationContext, RuleSet } from '../types.js'
import { isObject } from '../value/own.js'

export type {
  ConditionInspection,
  ConditionOutcome,
  GateInspection,
  GateState,
  Inspection as Explanation,
  RuleInspection as RuleExplanation,
  RuleOutcome,
} from '../evaluate/inspect.js'
export { type RenderOptions, renderExplanation } from './render.js'

/**
 * Evaluates one entity and returns every step of the evaluation.
 *
 * @throws {TypeError} when `attributes` is not an object.
 */
export const explain = (ruleSet: RuleSet, attributes: Attributes, context: EvaluationContext = {}): Inspection => {
  if (!isObject(attributes)) throw new TypeError('attributes must be an object')
  const compilation = compilationOf(ruleSet)
  return inspect(compilation.planFor(context.target), attributes, context, ruleSet.options.redact !== false)
}
