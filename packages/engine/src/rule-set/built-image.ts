/**
 * Rules about the image of a plugin, which is there only once it is built. Until then they are not in force: what is wrong
 * with an image is found when there is one, and a plugin without an image has nothing for them to judge.
 */
import { parseFieldPath } from '../path/field-path.js'
import type { Attributes, Condition, Rule, RuleSet, Target } from '../types.js'
import { own } from '../value/own.js'
import { compileRules } from './compile-rules.js'

/** The key of a plugin's projection that holds what its image is. */
const KEY = 'builtImage'

/** A rule that waits for an image. */
export interface WaitingRule {
  readonly ruleId: string
  readonly ruleName: string
}

export interface RulesInForce {
  /** For `evaluate`; the rules that wait are left out as ones that are not yet effective. */
  readonly ruleSet: RuleSet
  /** Empty where there is an image, or no rule reads it. */
  readonly waiting: readonly WaitingRule[]
}

/** Whether any part of the rule reads the image of a plugin. */
export const readsBuiltImage = ({ target, field, conditions }: Rule): boolean => {
  if (target !== 'plugin') return false
  // What comes from a file may be of any form: such a rule is misconfigured, and waits for nothing.
  const checks: readonly unknown[] = Array.isArray(conditions) && conditions.length > 0 ? conditions : [{ field }]
  return checks.some((each) => {
    const check = (each ?? {}) as Condition
    const parsed = typeof check.field === 'string' ? parseFieldPath(check.field) : null
    return parsed?.ok === true && parsed.path.segments[0] === KEY
  })
}

const withoutImage = new WeakMap<RuleSet, RulesInForce>()

/** The last instant that there is. */
const NEVER = new Date(8.64e15)

/** The rules that judge this entity now. INVARIANT: with an image they are all of them, as they were compiled. */
export const rulesInForce = (ruleSet: RuleSet, target: Target | undefined, attributes: Attributes): RulesInForce => {
  if (target !== 'plugin' || own(attributes, KEY) !== undefined) return { ruleSet, waiting: [] }
  const known = withoutImage.get(ruleSet) ?? postponed(ruleSet)
  withoutImage.set(ruleSet, known)
  return known
}

/** What depends on a rule that waits is left out with it, as with every rule that is not in force. */
const postponed = (ruleSet: RuleSet): RulesInForce => {
  const readers = new Set(ruleSet.rules.filter(readsBuiltImage))
  if (readers.size === 0) return { ruleSet, waiting: [] }
  const rules = ruleSet.rules.map((rule) => (readers.has(rule) ? { ...rule, effectiveFrom: NEVER } : rule))
  return {
    ruleSet: compileRules(rules, { ...ruleSet.options, strict: false }),
    waiting: [...readers].map((rule) => ({ ruleId: rule.id ?? rule.name, ruleName: rule.name })),
  }
}
