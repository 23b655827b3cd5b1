/**
 * Condition coverage of rules, both ways: each condition seen to hold and to fail, each gate seen open and closed.
 *
 * INVARIANT: only what a test asserts counts. A condition counts if the rule was checked (not skipped) and its gate did
 * not leave the condition out.
 */
import {
  type Attributes,
  type Condition,
  compileRules,
  type Evaluation,
  type Rule,
  type RuleSet,
} from '@plumbline/engine'
import { type LoadedRule, ruleId } from '../input/rules.js'
import { evaluateCase, outcomeOf } from './judge.js'
import type { RuleIndex } from './rule-slice.js'
import { isTestable, ruleKey, type Suite } from './suite.js'

export interface ConditionCoverage {
  /** JSON pointer into the rule; empty for the single check of a rule. */
  readonly pointer: string
  readonly kind: 'check' | 'gate'
  /** A short form of the condition: `timeout lte 120`, or the rule that a gate names. */
  readonly label: string
  /** Whether a check held, or a gate was open. */
  seenTrue: boolean
  seenFalse: boolean
}

export interface RuleCoverage {
  readonly rule: LoadedRule
  readonly conditions: readonly ConditionCoverage[]
  tests: number
}

export interface CoverageTotals {
  readonly rules: number
  /** The number of outcomes to see: two for each condition. */
  readonly sides: number
  readonly seen: number
  /** 0 to 100, not rounded; 100 without conditions. */
  readonly percent: number
}

/** Coverage of every testable rule of the suites. A rule that several suites share counts once. */
export function measureCoverage(suites: readonly Suite[]): RuleCoverage[] {
  const tracked = new Map<string, Tracked>()
  for (const suite of suites) {
    const byId = new Map<string, Tracked>()
    for (const rule of suite.rules) {
      if (!isTestable(rule.rule)) continue
      const entry = tracked.get(ruleKey(rule)) ?? track(rule)
      tracked.set(ruleKey(rule), entry)
      byId.set(ruleId(rule.rule), entry)
    }
    for (const test of suite.tests) {
      const { attributes, target } = test.subject
      const rules = test.ruleId === null ? suite.ruleSet : suite.sliceOf(test.ruleId)
      const evaluation = evaluateCase(rules, test.subject)
      for (const id of test.asserts) {
        const entry = byId.get(id)
        const isEvaluated = test.ruleId !== null || (entry?.rule.rule.target === target && isLive(entry.rule.rule))
        if (entry && isEvaluated) record(entry, attributes, evaluation, suite.index)
      }
    }
  }
  return [...tracked.values()]
}

export function totalsOf(rules: readonly RuleCoverage[]): CoverageTotals {
  const conditions = rules.flatMap((rule) => rule.conditions)
  const sides = conditions.length * 2
  const seen = conditions.reduce((sum, { seenTrue, seenFalse }) => sum + Number(seenTrue) + Number(seenFalse), 0)
  return { rules: rules.length, sides, seen, percent: sides === 0 ? 100 : (seen / sides) * 100 }
}

interface Tracked extends RuleCoverage {
  readonly entries: readonly Condition[]
  /** For each of `conditions`, the index of its entry in the rule. */
  readonly entryOf: readonly number[]
  /** One rule per check. Its id is the index in `conditions`. */
  readonly probes: RuleSet
}

function track(loaded: LoadedRule): Tracked {
  const { rule } = loaded
  const isComposite = (rule.conditions?.length ?? 0) > 0
  const entries = entriesOf(rule)
  const conditions: ConditionCoverage[] = []
  const entryOf: number[] = []
  const probes: Rule[] = []
  entries.forEach((entry, index) => {
    const pointer = isComposite ? `/conditions/${index}` : ''
    if (entry.dependsOnRule !== undefined) {
      const label = `gate on ${entry.dependsOnRule}`
      conditions.push({ pointer: `${pointer}/dependsOnRule`, kind: 'gate', label, seenTrue: false, seenFalse: false })
      entryOf.push(index)
    }
    const { field, operator, value } = entry
    if (field === undefined || operator === undefined) return
    const id = String(conditions.length)
    probes.push({ id, name: id, target: rule.target, field, operator, ...(value === undefined ? {} : { value }) })
    conditions.push({ pointer, kind: 'check', label: labelOf(entry), seenTrue: false, seenFalse: false })
    entryOf.push(index)
  })
  return { rule: loaded, conditions, tests: 0, entries, entryOf, probes: compileRules(probes) }
}

function record(tracked: Tracked, attributes: Attributes, evaluation: Evaluation, index: RuleIndex): void {
  tracked.tests++
  const gates = tracked.entries.map(({ dependsOnRule }) => {
    return dependsOnRule === undefined ? null : isOpen(dependsOnRule, evaluation, index)
  })
  const isSkipped = outcomeOf(evaluation, ruleId(tracked.rule.rule)) === 'skip'
  const probed = isSkipped ? [] : tracked.probes.evaluate(attributes).violations
  const failed = new Set(probed.map((violation) => violation.ruleId))
  tracked.conditions.forEach((condition, position) => {
    const gate = gates[tracked.entryOf[position] ?? 0]
    if (condition.kind === 'gate') see(condition, gate === true)
    else if (!isSkipped && gate !== false) see(condition, !failed.has(String(position)))
  })
}

/** A waived dependency opens the gate, like one that passed. */
function isOpen(dependsOnRule: string, evaluation: Evaluation, index: RuleIndex): boolean {
  const dependency = index.find(dependsOnRule)
  if (dependency === null) return false
  const id = ruleId(dependency)
  const skipped = evaluation.skipped.find((candidate) => candidate.ruleId === id)
  return skipped ? skipped.reason === 'exempt' : outcomeOf(evaluation, id) === 'pass'
}

function see(condition: ConditionCoverage, holds: boolean): void {
  if (holds) condition.seenTrue = true
  else condition.seenFalse = true
}

function isLive(rule: Rule): boolean {
  return rule.isTemplate !== true && isTestable(rule)
}

function entriesOf(rule: Rule): readonly Condition[] {
  if (rule.conditions && rule.conditions.length > 0) return rule.conditions
  const { field, operator, value } = rule
  if (field == null || operator == null) return []
  return [{ field, operator, ...(value === undefined ? {} : { value }) }]
}

function labelOf({ field, operator, value }: Condition): string {
  const text = value === undefined ? '' : ` ${JSON.stringify(value)}`
  return `${field} ${operator}${text.length > 60 ? `${text.slice(0, 59)}…` : text}`
}
