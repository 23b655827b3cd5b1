/** What placing a rule reads of it, before the rule is compiled. */
import type { Rule } from '../types.js'
import { isObject, own } from '../value/own.js'
import type { Outline } from './arrange.js'

export const outlineOf = (rule: Rule, id: string, name: string): Outline => {
  if (!isObject(rule)) return { id, name, target: null, priority: 0, references: [] }
  const target = own(rule, 'target')
  const priority = own(rule, 'priority')
  return {
    id,
    name,
    target: target === 'plugin' || target === 'pipeline' ? target : null,
    priority: typeof priority === 'number' && Number.isFinite(priority) ? priority : 0,
    references: referencesOf(own(rule, 'conditions')),
  }
}

const referencesOf = (conditions: unknown): readonly string[] => {
  const references: string[] = []
  if (!Array.isArray(conditions)) return references
  for (const condition of conditions) {
    const reference = isObject(condition) ? own(condition, 'dependsOnRule') : undefined
    if (typeof reference === 'string' && reference !== '') references.push(reference)
  }
  return references
}
