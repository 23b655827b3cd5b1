/** What `arrange` reads of a rule, before the rule is compiled. */
import type { Rule, Target } from '../types.js'
import { isObject, type JsonObject, own } from '../value/own.js'
import type { Outline } from './arrange.js'

export const outlineOf = (rule: Rule, id: string, name: string): Outline => {
  if (!isObject(rule)) return { id, name, target: null, priority: 0, references: [] }
  const priority = own(rule, 'priority')
  return {
    id,
    name,
    target: targetOf(rule),
    priority: typeof priority === 'number' && Number.isFinite(priority) ? priority : 0,
    references: referencesOf(own(rule, 'conditions')),
  }
}

export const targetOf = (rule: JsonObject): Target | null => {
  const target = own(rule, 'target')
  return target === 'plugin' || target === 'pipeline' ? target : null
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
