/**
 * The plan that `evaluate` runs: rules in order, gates as positions, fields as slots.
 *
 * INVARIANT: a plan never changes after it is made. Each evaluation writes to a separate scratch space.
 */
import { reporter } from '../errors.js'
import type { Check } from '../operator/check.js'
import { Op } from '../operator/op.js'
import type { BriefViolation, RuleIssue, RuleIssueCode, Violation } from '../types.js'
import { cycleText, OTHER_TARGET, type Resolve } from './arrange.js'
import { type FieldSlot, FieldSlots } from './field-slots.js'
import type { CompiledRule, Entry } from './rule.js'
import { briefOf, violationOf } from './violation.js'
import type { Workshop } from './workshop.js'

export interface PlannedEntry {
  readonly entry: Entry
  /** The position of the rule that opens the gate, or `UNAVAILABLE`, or `UNGATED`. */
  readonly gate: number
  /**
   * The entry's own issue, or the issue of a gate that names a rule of the other target. Null when the entry has a
   * check and an operator.
   */
  readonly issue: RuleIssueCode | null
  /**
   * The entry's violation without the actual value. Evaluation reads this one object instead of the rule and the entry.
   */
  readonly violation: Violation
}

/** The entry has no gate, or its gate makes the entry misconfigured and therefore cannot close. */
export const UNGATED = -3

interface PlannedGate {
  readonly position: number
  readonly reference: string
}

export interface PlannedRule {
  readonly compiled: CompiledRule
  readonly entries: readonly PlannedEntry[]
  /** The rules that must have passed, each by its position or `UNAVAILABLE`. */
  readonly gates: readonly PlannedGate[]
  readonly cyclic: boolean
  /** The issue that makes the rule a violation for every entity, or null. */
  readonly fault: RuleIssueCode | null
  readonly dated: boolean
  /** Issues found when the rule was placed among the others, in addition to its own issues. */
  readonly issues: readonly RuleIssue[]
  readonly issueCount: number
}

export interface Plan {
  readonly rules: readonly PlannedRule[]
  /** For each rule the index of its check, when that one check alone decides the rule; otherwise -1. */
  readonly only: Int32Array
  /** For each rule with an only check, its violation without the actual value. */
  readonly violations: readonly (Violation | null)[]
  /** The same violations in brief. They are frozen, because results share them. */
  readonly briefs: readonly (BriefViolation | null)[]
  readonly slots: readonly FieldSlot[]
  readonly roots: ReadonlyMap<string, number>
  /** For each check its slot; -1 for checks of rules outside the plan. */
  readonly slotOf: Int32Array
  readonly checks: readonly Check[]
  /** Checks that run only when a rule asks for their result. */
  readonly deferred: readonly number[]
  /** True when nothing but a failing check or an exemption can keep a rule from passing. */
  readonly clean: boolean
  /** For each check, the positions of the rules that use it. */
  readonly positions: readonly (readonly number[])[]
  /** True when at least one rule depends on the outcome of another. */
  readonly gated: boolean
  /** The number of issues of all rules together. */
  readonly issueCount: number
}

/** @param ordered Rules in evaluation order, each with the cycle through it, if there is one. */
export const makePlan = (
  ordered: readonly { readonly compiled: CompiledRule; readonly cycle: readonly string[] | null }[],
  resolvePosition: Resolve,
  workshop: Workshop,
): Plan => {
  const rules = ordered.map(({ compiled, cycle }) => place(compiled, cycle, resolvePosition))
  const only = Int32Array.from(rules, onlyCheck)
  const violations = rules.map((rule, position) =>
    only[position] === -1 ? null : (rule.entries[0]?.violation ?? null),
  )
  const slots = new FieldSlots()
  const slotOf = new Int32Array(workshop.checks.length).fill(-1)
  const eager = eagerChecks(rules, only, workshop.checks.length)
  const deferred: number[] = []
  for (const rule of rules) {
    for (const { entry } of rule.entries) {
      const check = entry.check
      if (check === null || slotOf[check.index] !== -1) continue
      const path = workshop.paths[check.index]
      if (path === undefined) continue
      const slot = slots.at(path)
      slotOf[check.index] = slot
      if (eager[check.index] === 1) slots.add(slot, check)
      else deferred.push(check.index)
    }
  }
  return {
    rules,
    only,
    violations,
    briefs: violations.map((violation) => (violation === null ? null : Object.freeze(briefOf(violation)))),
    slots: slots.slots,
    roots: slots.roots,
    slotOf,
    checks: workshop.checks,
    deferred,
    positions: positionsOf(rules, workshop.checks.length),
    clean: rules.every(isClean),
    gated: rules.some((rule) => rule.gates.length > 0 || rule.entries.some(({ gate }) => gate !== UNGATED)),
    issueCount: rules.reduce((sum, rule) => sum + rule.issueCount, 0),
  }
}

const place = (compiled: CompiledRule, cycle: readonly string[] | null, resolvePosition: Resolve): PlannedRule => {
  const issues: RuleIssue[] = []
  let fault = compiled.fault
  const report = reporter(compiled.id, compiled.name, issues)
  const otherTarget = (reference: string, pointer: string): void =>
    report(
      `${pointer}/dependsOnRule`,
      'dependency_target',
      `\`${reference}\` is a rule of the other target`,
      'depend on a rule of the same target',
    )
  if (cycle !== null) {
    report(
      '',
      'dependency_cycle',
      `the rule depends on itself through ${cycleText(cycle)}`,
      'remove one `dependsOnRule` of the cycle',
      { cycle },
    )
  }
  const gates: PlannedGate[] = []
  for (const { reference, pointer } of compiled.gates) {
    const position = resolvePosition(reference, compiled.target)
    if (position === OTHER_TARGET) {
      fault ??= 'dependency_target'
      otherTarget(reference, pointer)
    } else gates.push({ position, reference })
  }
  const entries = compiled.entries.map((entry): PlannedEntry => {
    let gate = UNGATED
    let { issue } = entry
    if (entry.gate !== null) {
      const position = resolvePosition(entry.gate, compiled.target)
      if (position === OTHER_TARGET) {
        otherTarget(entry.gate, entry.pointer)
        issue ??= 'dependency_target'
      } else gate = position
    }
    return { entry, gate, issue, violation: violationOf(compiled, entry) }
  })
  return {
    compiled,
    entries,
    gates,
    cyclic: cycle !== null,
    fault,
    dated: compiled.from !== -Infinity || compiled.until !== Infinity,
    issues,
    issueCount: compiled.issues.length + issues.length,
  }
}

const positionsOf = (rules: readonly PlannedRule[], checks: number): readonly (readonly number[])[] => {
  const positions: number[][] = Array.from({ length: checks }, () => [])
  rules.forEach((rule, position) => {
    for (const { entry } of rule.entries) {
      const list = entry.check === null ? undefined : positions[entry.check.index]
      if (list !== undefined && list[list.length - 1] !== position) list.push(position)
    }
  })
  return positions
}

/**
 * Returns the index of the rule's check when the rule has exactly one check and no dates, gates or faults; otherwise
 * -1.
 */
const onlyCheck = (rule: PlannedRule): number => {
  const [first, second] = rule.entries
  const isAlone = second === undefined && rule.gates.length === 0 && first?.gate === UNGATED && isClean(rule)
  return isAlone ? (first.entry.check?.index ?? -1) : -1
}

/**
 * Marks the checks that run for every entity. Patterns cost most, so a pattern that only gated or compound rules use is
 * deferred.
 */
const eagerChecks = (rules: readonly PlannedRule[], only: Int32Array, count: number): Uint8Array => {
  const eager = new Uint8Array(count)
  rules.forEach((rule, position) => {
    for (const { entry } of rule.entries) {
      if (entry.check !== null && (only[position] !== -1 || entry.check.op !== Op.matches)) eager[entry.check.index] = 1
    }
  })
  return eager
}

const isClean = (rule: PlannedRule): boolean =>
  !rule.cyclic &&
  !rule.dated &&
  rule.fault === null &&
  rule.gates.every(({ position }) => position >= 0) &&
  rule.entries.every(({ gate, issue }) => issue === null && (gate === UNGATED || gate >= 0))
