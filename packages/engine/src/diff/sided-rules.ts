/**
 * Puts two rule sets into one: ids, names and references get the side they belong to as a prefix.
 *
 * INVARIANT: within one side, every reference leads to the same rule as before.
 */
import { ruleIdentity } from '../compile/rule.js'
import type { Rule } from '../types.js'
import { isObject, own } from '../value/own.js'

export type Side = 'before' | 'after'

/** Adds the side to ids, names and references. In one model for both sets, equal checks become one check. */
export const sided = (rules: readonly Rule[], side: Side): Rule[] =>
  rules.map((rule, position) => {
    if (!isObject(rule)) return rule
    const { id, name } = ruleIdentity(rule, position)
    const conditions = own(rule, 'conditions')
    const renamed = Array.isArray(conditions)
      ? { conditions: conditions.map((condition: unknown) => sidedCondition(condition, side)) }
      : {}
    // A rule without a name stays without one, because the missing name is what makes it misconfigured.
    const named = typeof own(rule, 'name') === 'string' && own(rule, 'name') !== '' ? { name: `${side} ${name}` } : {}
    return { ...(rule as Rule), ...named, id: `${side} ${id}`, ...renamed } as Rule
  })

const sidedCondition = (condition: unknown, side: string): unknown => {
  if (!isObject(condition)) return condition
  const reference = own(condition, 'dependsOnRule')
  return typeof reference === 'string' && reference !== ''
    ? { ...condition, dependsOnRule: `${side} ${reference}` }
    : condition
}

/** Removes the side from an id or a name. */
export const withoutSide = (text: string): string => text.slice(text.indexOf(' ') + 1)
