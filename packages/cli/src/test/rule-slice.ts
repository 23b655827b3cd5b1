/**
 * The part of a rule set that decides one rule: the rule and everything it depends on.
 *
 * A test judges a rule as if it were in force, so that templates and disabled rules can be tested before they are used.
 */
import type { Rule } from '@plumbline/engine'
import { ruleId } from '../input/rules.js'

export interface RuleIndex {
  /** Looks for the id first, then for a name that only one rule has. */
  find(idOrName: string): Rule | null
  /** The rule as if in force, and the rules it depends on, each once. `replacement` takes the place of the rule. */
  slice(rule: Rule, replacement?: Rule): Rule[]
  readonly names: readonly string[]
}

export function indexRules(rules: readonly Rule[]): RuleIndex {
  const byId = new Map<string, Rule>()
  const byName = new Map<string, Rule | null>()
  for (const rule of rules) {
    if (!byId.has(ruleId(rule))) byId.set(ruleId(rule), rule)
    byName.set(rule.name, byName.has(rule.name) ? null : rule)
  }
  const find = (idOrName: string) => byId.get(idOrName) ?? byName.get(idOrName) ?? null

  return {
    find,
    names: [...new Set([...byName.keys(), ...byId.keys()])],
    slice: (rule, replacement = rule) => {
      const slice: Rule[] = [inForce(replacement)]
      const seen = new Set([ruleId(rule)])
      const pending = dependenciesOf(replacement)
      for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
        const found = find(name)
        if (found === null || seen.has(ruleId(found))) continue
        seen.add(ruleId(found))
        slice.push(found)
        pending.push(...dependenciesOf(found))
      }
      return slice
    },
  }
}

function dependenciesOf(rule: Rule): string[] {
  return (rule.conditions ?? []).flatMap((entry) => (entry.dependsOnRule === undefined ? [] : [entry.dependsOnRule]))
}

function inForce(rule: Rule): Rule {
  return { ...rule, isTemplate: false, isActive: true }
}
