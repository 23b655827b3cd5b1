/**
 * Cases of the proof's generator as fast-check arbitraries: a failing property prints the number of the group, and
 * `npm run proof -- engine --seed 0 --group N` shows it.
 */
import fc from 'fast-check'
import { type Group, generateGroup } from '../../proof/generate/group.js'
import { Random } from '../../proof/random.js'
import type { Rule, Violation } from '../../src/index.js'

export const groupNumbers = fc.integer({ min: 0, max: 0x7fffffff })

export const groupOf = (number: number): Group => generateGroup(new Random(0, number))

/** The same group with ids that are all different; twins and the first of two equal ids are another guarantee. */
export function distinct(group: Group): Group {
  const seen = new Set<string>()
  const rules = group.rules.filter((rule) => {
    const id = rule.id ?? rule.name
    return seen.has(id) ? false : seen.add(id)
  })
  return { ...group, rules }
}

/** Rules of which no two share an id or a name: leaving one out cannot make a reference to it mean another rule. */
export function unambiguous(group: Group): Group {
  const seen = new Set<string>()
  const rules = group.rules.filter((rule) => {
    const names = [rule.id ?? rule.name, rule.name]
    if (names.some((name) => seen.has(name))) return false
    for (const name of names) seen.add(name)
    return true
  })
  return { ...group, rules }
}

/** Choices that depend on the group alone. */
export const choices = (number: number): Random => new Random(1, number)

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const copy = [...items]
  for (let i = copy.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const [a, b] = [copy[i] as T, copy[j] as T]
    copy[i] = b
    copy[j] = a
  }
  return copy
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const key of Reflect.ownKeys(value)) deepFreeze((value as Record<PropertyKey, unknown>)[key])
  }
  return value
}

export const idsOf = (violations: readonly Violation[]): string[] => violations.map((violation) => violation.ruleId)

export const idOf = (rule: Rule): string => rule.id ?? rule.name
