/**
 * Rules as formulas: when a rule applies, passes and is violated, gates included.
 *
 * The model is that of `evaluate` without `now` and without exemptions, so rules with dates are in force. INVARIANT:
 * the engine's own compiler compiles the entries and its own resolver resolves the references, so the model and the
 * engine read a rule alike.
 */

import { arrange, OTHER_TARGET, type Outline, resolver } from '../compile/arrange.js'
import { outlineOf } from '../compile/outline.js'
import { type CompiledRule, compileRule, isLive, ruleIdentity } from '../compile/rule.js'
import { Workshop } from '../compile/workshop.js'
import type { Check } from '../operator/check.js'
import { createSafeRegex } from '../regex/index.js'
import type { CompileOptions, Rule, RuleIssueCode } from '../types.js'
import { and, FALSE, type Formula, not, or, TRUE } from './formula.js'

export interface RuleModel {
  /** The rule's position in the list that was given. */
  readonly position: number
  readonly rule: Rule
  readonly id: string
  readonly name: string
  readonly compiled: CompiledRule
  /** True when every gate is open. */
  readonly applies: Formula
  /** True when the rule applies and holds. */
  readonly passes: Formula
  /** True when the rule applies and does not hold. */
  readonly violated: Formula
  /** The top-level attributes that decide the verdict, including those that its gates read. */
  readonly attributes: ReadonlySet<string>
  /** The issue that makes the rule a violation for every entity, or null. */
  readonly fault: RuleIssueCode | null
  /** The entries, each with its own formula, for findings about one condition. */
  readonly entries: readonly EntryModel[]
  readonly gated: boolean
}

interface EntryModel {
  readonly pointer: string
  readonly check: Check | null
  readonly holds: Formula
  /** True when the entry takes part, because its gate is open. */
  readonly open: Formula
  readonly gated: boolean
}

export interface RuleSetModel {
  /** Live rules; a rule comes after the rules it depends on. */
  readonly rules: readonly RuleModel[]
  readonly byId: ReadonlyMap<string, RuleModel>
  readonly workshop: Workshop
  /** The rule that a reference leads to, or why it leads to none. */
  reference(from: RuleModel, reference: string): RuleModel | 'unknown' | 'dormant' | 'ambiguous' | 'other-target'
}

export const modelRules = (rules: readonly Rule[], options: CompileOptions = {}): RuleSetModel => {
  const workshop = new Workshop(options, options.regex ?? createSafeRegex())
  const dormant = new Set<string>()
  const dormantNames = new Set<string>()
  const live: { rule: Rule; outline: Outline; position: number }[] = []
  const taken = new Set<string>()
  rules.forEach((rule, position) => {
    const { id, name } = ruleIdentity(rule, position)
    if (!isLive(rule)) {
      dormant.add(id)
      dormantNames.add(name)
    } else if (!taken.has(id)) {
      taken.add(id)
      live.push({ rule, outline: outlineOf(rule, id, name), position })
    }
  })
  const outlines = live.map(({ outline }) => outline)
  const resolve = resolver(outlines, outlines, dormant)
  const { order, cycles } = arrange(outlines, resolve)

  const models: (RuleModel | undefined)[] = new Array(live.length)
  const placed: RuleModel[] = []
  for (const index of order) {
    const { rule, outline, position } = live[index] as (typeof live)[number]
    const compiled = compileRule(rule, outline.id, outline.name, workshop)
    const gate = (reference: string): Formula => {
      const target = resolve(reference, compiled.target)
      return target < 0 ? FALSE : (models[target]?.passes ?? FALSE)
    }
    const misplaced = (reference: string): boolean => resolve(reference, compiled.target) === OTHER_TARGET
    const model = modelRule(position, compiled, cycles[index] != null, gate, misplaced, workshop)
    models[index] = model
    placed.push(model)
  }
  const byId = new Map(placed.map((model) => [model.id, model]))
  const names = new Map<string, number>()
  for (const { name } of outlines) names.set(name, (names.get(name) ?? 0) + 1)
  return {
    rules: placed,
    byId,
    workshop,
    reference(from, reference) {
      const index = resolve(reference, from.compiled.target)
      if (index >= 0) return models[index] ?? 'unknown'
      if (index === OTHER_TARGET) return 'other-target'
      if (dormant.has(reference) || dormantNames.has(reference)) return 'dormant'
      return (names.get(reference) ?? 0) > 1 ? 'ambiguous' : 'unknown'
    },
  }
}

const modelRule = (
  position: number,
  compiled: CompiledRule,
  cyclic: boolean,
  gate: (reference: string) => Formula,
  misplaced: (reference: string) => boolean,
  workshop: Workshop,
): RuleModel => {
  const attributes = new Set<string>()
  let fault: RuleIssueCode | null = cyclic ? 'dependency_cycle' : compiled.fault
  const gates: Formula[] = []
  if (!cyclic) {
    for (const { reference } of compiled.gates) {
      if (misplaced(reference)) fault ??= 'dependency_target'
      else gates.push(gate(reference))
    }
  }
  const entries = compiled.entries.map((entry): EntryModel => {
    const path = entry.check === null ? undefined : workshop.paths[entry.check.index]
    const wrongGate = entry.gate !== null && misplaced(entry.gate)
    const holds: Formula =
      entry.check === null || path === undefined || wrongGate
        ? FALSE
        : { kind: 'literal', literal: { check: entry.check, path, holds: true } }
    const open = entry.gate === null || wrongGate || cyclic ? TRUE : gate(entry.gate)
    return { pointer: entry.pointer, check: entry.check, holds, open, gated: entry.gate !== null }
  })
  const someOpen = entries.length === 0 ? TRUE : or(entries.map(({ open }) => open))
  const applies = cyclic ? TRUE : and([...gates, someOpen])
  const check =
    fault !== null
      ? FALSE
      : compiled.any
        ? or(entries.map(({ open, holds }) => and([open, holds])))
        : and(entries.map(({ open, holds }) => or([not(open), holds])))
  const passes = and([applies, check])
  const violated = and([applies, not(check)])
  collectAttributes(applies, attributes)
  collectAttributes(check, attributes)
  return {
    position,
    rule: compiled.rule,
    id: compiled.id,
    name: compiled.name,
    compiled,
    applies,
    passes,
    violated,
    attributes,
    fault,
    entries,
    gated: compiled.gates.length > 0 || entries.some(({ gated }) => gated),
  }
}

const collectAttributes = (formula: Formula, into: Set<string>): void => {
  if (formula.kind === 'literal') {
    const [attribute] = formula.literal.path.segments
    if (attribute !== undefined) into.add(attribute)
  } else if (formula.kind === 'and' || formula.kind === 'or') {
    for (const part of formula.parts) collectAttributes(part, into)
  }
}
