/**
 * Rules about the image of a plugin, which exists only after the plugin was built.
 *
 * Until then these rules are not in force. An image is judged when it exists; a plugin without an image has nothing
 * that these rules could judge.
 */
import { parseFieldPath } from '../path/field-path.js'
import type { Attributes, Condition, Rule, RuleSet, Target } from '../types.js'
import { own } from '../value/own.js'
import { compileRules } from './compile-rules.js'

/** The key of a plugin's projection that describes its image. */
const KEY = 'builtImage'

/** A rule that is not in force until the plugin has an image. */
export interface WaitingRule {
  readonly ruleId: string
  readonly ruleName: string
}

export interface RulesInForce {
  /** The rule set to evaluate. Rules that wait are skipped as `not_effective`. */
  readonly ruleSet: RuleSet
  /** Empty when there is an image, or when no rule reads it. */
  readonly waiting: readonly WaitingRule[]
}

/** True when a field of the rule reads the image of a plugin. */
export const readsBuiltImage = ({ target, field, conditions }: Rule): boolean => {
  if (target !== 'plugin') return false
  // A rule from a file may have any shape. A malformed rule is misconfigured and waits for nothing.
  const checks: readonly unknown[] = Array.isArray(conditions) && conditions.length > 0 ? conditions : [{ field }]
  return checks.some((each) => {
    const check = (each ?? {}) as Condition
    const parsed = typeof check.field === 'string' ? parseFieldPath(check.field) : null
    return parsed?.ok === true && parsed.path.segments[0] === KEY
  })
}

/** The last instant that a Date can represent. */
const NEVER = new Date(8.64e15)

const withoutImage = new WeakMap<RuleSet, RulesInForce>()

/**
 * Returns the rules that are in force for this entity now. INVARIANT: when there is an image, the rule set is returned
 * as it was compiled.
 */
export const rulesInForce = (ruleSet: RuleSet, target: Target | undefined, attributes: Attributes): RulesInForce => {
  if (target !== 'plugin' || own(attributes, KEY) !== undefined) return { ruleSet, waiting: [] }
  const known = withoutImage.get(ruleSet) ?? postponed(ruleSet)
  withoutImage.set(ruleSet, known)
  return known
}

/**
 * Moves the start of the rules that wait to `NEVER`. Rules that depend on them are skipped too, as for every rule that
 * is not in force.
 */
const postponed = (ruleSet: RuleSet): RulesInForce => {
  const readers = new Set(ruleSet.rules.filter(readsBuiltImage))
  if (readers.size === 0) return { ruleSet, waiting: [] }
  const rules = ruleSet.rules.map((rule) => (readers.has(rule) ? { ...rule, effectiveFrom: NEVER } : rule))
  return {
    ruleSet: compileRules(rules, { ...ruleSet.options, strict: false }),
    waiting: [...readers].map((rule) => ({ ruleId: rule.id ?? rule.name, ruleName: rule.name })),
  }
}
