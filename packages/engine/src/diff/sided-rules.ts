/**
 * Two rule sets as one: ids, names and references carry the side they belong to.
 *
 * INVARIANT: within one side every reference leads where it led before.
 */
import { ruleIdentity } from '../compile/rule.js'
import type { Rule } from '../types.js'
import { isObject, own } from '../value/own.js'

export type Side = 'before' | 'after'

/** Both sets in one model, so that equal checks are one check; ids and names carry their side. */
export const sided = (rules: readonly Rule[], side: Side): Rule[] =>
  rules.map((rule, position) => {
    if (!isObject(rule)) return rule
    const { id, name } = ruleIdentity(rule, position)
    const conditions = own(rule, 'conditions')
    const renamed = Array.isArray(conditions)
      ? { conditions: conditions.map((condition: unknown) => sidedCondition(condition, side)) }
      : {}
    // A rule without a name stays without one: that is what is wrong with it.
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

/** An id or a name as its author wrote it. */
export const withoutSide = (text: string): string => text.slice(text.indexOf(' ') + 1)
