/**
 * Explains in words what a rule means, from the rule alone.
 * INVARIANT: conditions are worded as in the violations of the rule.
 */
import { type Condition, compileRules, explain, operators, type Rule, type RuleExplanation } from '@plumbline/engine'
import { type LoadedRule, ruleId } from '../input/rules.js'
import { indexRules } from '../test/rule-slice.js'

export interface RuleMeaning {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly target: string
  readonly severity: string
  readonly priority: number
  readonly tags: readonly string[]
  readonly place: string
  /** `warning` never blocks, everything else does. */
  readonly blocks: boolean
  readonly mode: 'all' | 'any'
  readonly conditions: readonly { readonly text: string; readonly gate: string | null }[]
  readonly gates: readonly string[]
  /** Rules that are gated on this one. */
  readonly dependents: readonly string[]
  readonly operators: readonly { readonly name: string; readonly doc: string }[]
  readonly notes: readonly string[]
}

export function meaningOf(loaded: LoadedRule, all: readonly LoadedRule[]): RuleMeaning {
  const { rule } = loaded
  const index = indexRules(all.map((other) => other.rule))
  const explanation = explain(compileRules(index.slice(rule)), {}).rules.find(({ ruleId: id }) => id === ruleId(rule))
  const { line, column } = loaded.position
  return {
    id: ruleId(rule),
    name: rule.name,
    description: rule.description ?? null,
    target: rule.target,
    severity: rule.severity ?? 'error',
    priority: rule.priority ?? 0,
    tags: rule.tags ?? [],
    place: `${loaded.file}:${line}:${column}`,
    blocks: rule.severity !== 'warning',
    mode: explanation?.mode ?? 'all',
    conditions: (explanation?.conditions ?? []).map((condition) => ({
      text: condition.message,
      gate: condition.gate?.dependsOnRule ?? null,
    })),
    gates: (explanation?.gates ?? []).map((gate) => gate.dependsOnRule),
    dependents: all.filter((other) => dependsOn(other.rule, loaded.rule)).map((other) => other.rule.name),
    operators: operatorsOf(rule),
    notes: notesOn(rule, explanation),
  }
}

function entriesOf(rule: Rule): readonly Condition[] {
  if (rule.conditions && rule.conditions.length > 0) return rule.conditions
  return rule.operator == null ? [] : [{ operator: rule.operator }]
}

function operatorsOf(rule: Rule): RuleMeaning['operators'] {
  const used = new Set(entriesOf(rule).map((entry) => entry.operator))
  return operators.filter(({ name }) => used.has(name)).map(({ name, doc }) => ({ name, doc }))
}

function dependsOn(rule: Rule, on: Rule): boolean {
  return (rule.conditions ?? []).some(({ dependsOnRule: name }) => name === ruleId(on) || name === on.name)
}

function notesOn(rule: Rule, explanation: RuleExplanation | undefined): string[] {
  const notes: string[] = []
  if (rule.isTemplate === true) notes.push('a template: to be copied, never enforced')
  if (rule.isActive === false) notes.push('switched off: not enforced')
  if (rule.effectiveFrom != null) notes.push(`in force from ${instant(rule.effectiveFrom)}`)
  if (rule.effectiveUntil != null) notes.push(`in force until ${instant(rule.effectiveUntil)}`)
  if (explanation?.outcome === 'passed') notes.push('an entity without any fields passes')
  return notes
}

function instant(value: string | Date): string {
  return typeof value === 'string' ? value : value.toISOString()
}
