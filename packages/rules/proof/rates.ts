/** How many entities pass, are warned about and are blocked: by each library, each framework, each rule. */
import { type Attributes, compileRules, projectEntity, type Rule, type Target } from '@plumbline/engine'
import { libraries, libraryPolicies, libraryRules } from '../src/index.js'
import type { Entities } from './entities.js'

export interface Rates {
  readonly entities: number
  readonly passed: number
  readonly warned: number
  readonly blocked: number
}

export interface LibraryRates {
  readonly name: string
  readonly rules: number
  readonly plugin: Rates
  readonly pipeline: Rates
}

export interface RuleRates {
  readonly name: string
  readonly target: Target
  readonly severity: string
  readonly violated: number
  readonly entities: number
}

const rulesNamed = (names: readonly string[]): Rule[] =>
  libraryRules.filter(({ rule }) => names.includes(rule.name)).map(({ rule }) => rule)

/** What an organization has in force that activates a library; the advanced one comes with the standard one. */
const inForce: { readonly name: string; readonly rules: readonly Rule[] }[] = [
  { name: 'starter', rules: libraries.starter.map(({ rule }) => rule) },
  { name: 'standard', rules: libraries.standard.map(({ rule }) => rule) },
  { name: 'standard and advanced', rules: [...libraries.standard, ...libraries.advanced].map(({ rule }) => rule) },
  ...libraryPolicies
    .filter(({ library }) => library === 'advanced')
    .map(({ name, rules }) => ({ name: `policy ${name} alone`, rules: rulesNamed(rules) })),
]

export const libraryRates = (entities: Entities): LibraryRates[] =>
  inForce.map(({ name, rules }) => {
    const compiled = compileRules(rules)
    const rates = (target: Target): Rates => {
      const verdicts = entities[target].map((entity) => compiled.evaluate(projectEntity(target, entity), { target }))
      return {
        entities: verdicts.length,
        passed: verdicts.filter(({ passed }) => passed).length,
        warned: verdicts.filter(({ passed, blocked }) => !passed && !blocked).length,
        blocked: verdicts.filter(({ blocked }) => blocked).length,
      }
    }
    return { name, rules: rules.length, plugin: rates('plugin'), pipeline: rates('pipeline') }
  })

/** Every rule that some entity violates, in the order of the libraries. */
export function ruleRates(entities: Entities): RuleRates[] {
  const compiled = compileRules(libraryRules.map(({ rule }) => rule))
  const counts = new Map<string, number>()
  for (const target of ['plugin', 'pipeline'] as const) {
    for (const entity of entities[target]) {
      for (const { ruleName } of compiled.evaluate(projectEntity(target, entity as Attributes), { target })
        .violations) {
        counts.set(ruleName, (counts.get(ruleName) ?? 0) + 1)
      }
    }
  }
  return libraryRules.flatMap(({ rule }) => {
    const violated = counts.get(rule.name)
    if (violated === undefined) return []
    const { name, target, severity = 'error' } = rule
    return [{ name, target, severity, violated, entities: entities[target].length }]
  })
}
