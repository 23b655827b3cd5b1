/**
 * Makes the verdict from the marks of the checks, rule by rule in evaluation order (spec compliance 4).
 *
 * For each rule: dates, cycle, gates, exemption, checks. INVARIANT: a rule that cannot be evaluated never passes
 * silently.
 */
import { type FailedEntry, MAX_FAILURES } from '../compile/alternatives.js'
import { UNAVAILABLE } from '../compile/arrange.js'
import type { FieldSlot } from '../compile/field-slots.js'
import { type Plan, type PlannedEntry, type PlannedRule, UNGATED } from '../compile/plan.js'
import type { CompiledRule } from '../compile/rule.js'
import { briefOf, misconfigured, withActual, withFailures } from '../compile/violation.js'
import { type Check, FAILS, FAULT, HOLDS, PENDING } from '../operator/check.js'
import { checkValue } from '../operator/kernel.js'
import type {
  BriefViolation,
  Evaluation,
  EvaluationOf,
  JsonValue,
  OperatorName,
  SkippedRule,
  SkipReason,
  Violation,
} from '../types.js'
import { presentable } from '../value/redact.js'
import type { Space } from './space.js'

/**
 * Receives the exemption of a rule that was exempt, and the violation that it covers; null when the rule holds. The
 * gates of the rule see the other exemptions.
 */
export type OnExempt = (exemptionId: string, violation: Violation | null) => void

/** The state of a rule, as rules that depend on it see it. */
const PASSED = 0
const FAILED = 1
const SKIPPED = 2
const NOT_EFFECTIVE = 3

/**
 * @param brief Returns violations in brief (`plan.briefs`). Values that a brief violation does not show are neither
 * read nor copied.
 * @param waived Receives each exempt rule.
 */
export function decide(
  plan: Plan,
  space: Space,
  nowMs: number,
  exemptions: ReadonlyMap<string, string> | null,
  redact: boolean,
  brief: false,
  waived?: OnExempt,
): Evaluation
export function decide(
  plan: Plan,
  space: Space,
  nowMs: number,
  exemptions: ReadonlyMap<string, string> | null,
  redact: boolean,
  brief: boolean,
  waived?: OnExempt,
): EvaluationOf<Violation | BriefViolation>
export function decide(
  plan: Plan,
  space: Space,
  nowMs: number,
  exemptions: ReadonlyMap<string, string> | null,
  redact: boolean,
  brief: boolean,
  waived?: OnExempt,
): EvaluationOf<Violation | BriefViolation> {
  const { only, gated } = plan
  const { states, visit } = space
  const { marks } = space.outcome
  const violations: (Violation | BriefViolation)[] = []
  const warnings: (Violation | BriefViolation)[] = []
  const skipped: SkippedRule[] = []
  const exemptionsApplied: string[] = []
  let issues = plan.issueCount
  // In a clean plan only a failing check can keep a rule from passing. So only the rules of failing checks are visited.
  const visited = plan.clean && !gated && exemptions === null && space.outcome.count <= MAX_VISITED_ONE_BY_ONE
  const count = visited ? visitMarked(plan, space) : only.length
  for (let at = 0; at < count; at++) {
    const position = visited ? (visit[at] as number) : at
    const check = only[position] as number
    if (check >= 0 && exemptions === null) {
      if (marks[check] === HOLDS) {
        if (gated) states[position] = PASSED
        continue
      }
    } else if (!visited) {
      const rule = plan.rules[position] as PlannedRule
      const exemption = exemptions?.get(rule.compiled.id)
      const reason = skipReason(rule, states, nowMs) ?? (exemption === undefined ? null : 'exempt')
      if (reason) {
        if (reason === 'exempt') {
          const id = exemption as string
          exemptionsApplied.push(id)
          waived?.(id, judge(plan, rule, space, redact, false))
        }
        if (gated) states[position] = stateOfSkipped(reason)
        issues -= rule.issueCount
        skipped.push({ ruleId: rule.compiled.id, ruleName: rule.compiled.name, reason })
        continue
      }
    }
    const violation = judgeAt(plan, position, space, redact, brief)
    if (gated) states[position] = violation === null ? PASSED : FAILED
    if (violation === null) continue
    violations.push(violation)
    if (violation.severity === 'warning') warnings.push(violation)
  }
  return summed(plan, violations, warnings, skipped, exemptionsApplied, issues + space.faults)
}

export const summed = <Shown>(
  plan: Plan,
  violations: readonly Shown[],
  warnings: readonly Shown[],
  skipped: readonly SkippedRule[],
  exemptionsApplied: readonly string[],
  issues: number,
): EvaluationOf<Shown> => ({
  passed: violations.length === 0,
  blocked: violations.length > warnings.length,
  violations,
  warnings,
  rulesEvaluated: plan.rules.length - skipped.length,
  rulesSkipped: skipped.length,
  exemptionsApplied,
  skipped,
  issues,
})

/** With more failing checks than this, one pass over all rules is cheaper than sorting the rules to visit. */
const MAX_VISITED_ONE_BY_ONE = 64

/** Like `judge`. When the only check of a rule failed, its prepared violation is used and the rule is not read. */
const judgeAt = (
  plan: Plan,
  position: number,
  space: Space,
  redact: boolean,
  brief: boolean,
): Violation | BriefViolation | null => {
  const fixed = plan.violations[position] as Violation | null
  const check = plan.only[position] as number
  if (fixed === null || space.outcome.marks[check] !== FAILS) {
    const violation = judge(plan, plan.rules[position] as PlannedRule, space, redact, brief)
    return brief && violation !== null ? briefOf(violation) : violation
  }
  return brief
    ? (plan.briefs[position] as BriefViolation)
    : withActual(fixed, actualValue(plan, plan.slotOf[check] as number, space, redact))
}

/** Writes the rules of the failing checks to `visit`, in evaluation order, and returns how many there are. */
const visitMarked = (plan: Plan, { outcome, visit }: Space): number => {
  let count = 0
  for (let at = 0; at < outcome.count; at++) {
    const positions = plan.positions[outcome.marked[at] as number] as readonly number[]
    for (let index = 0; index < positions.length; index++) count = insert(visit, count, positions[index] as number)
  }
  return count
}

/**
 * Keeps `visit` in ascending order and without duplicates. Checks fail in field order, which is not the order of the
 * rules.
 */
const insert = (visit: Int32Array, count: number, position: number): number => {
  let at = count
  while (at > 0 && (visit[at - 1] as number) > position) at--
  if (at > 0 && visit[at - 1] === position) return count
  for (let i = count; i > at; i--) visit[i] = visit[i - 1] as number
  visit[at] = position
  return count + 1
}

/** An exemption must not switch off other rules. So an exempt rule counts as passed for the rules that depend on it. */
const stateOfSkipped = (reason: SkipReason): number =>
  reason === 'exempt' ? PASSED : reason === 'not_effective' ? NOT_EFFECTIVE : SKIPPED

/** Checks the dates, then the gates. A rule on a cycle does not wait for its gates. */
const skipReason = (rule: PlannedRule, states: Uint8Array, nowMs: number): SkipReason | null => {
  const { from, until } = rule.compiled
  // INVARIANT: without `now` the first two comparisons are false, so dated rules are in force. A rule that starts near the
  // last instant of a Date, as `rulesInForce` writes it, never is.
  if (nowMs < from || nowMs > until || from > 8e15) return 'not_effective'
  if (rule.cyclic) return null
  for (const { position } of rule.gates) {
    const reason = closedReason(position, states)
    if (reason !== null) return reason
  }
  return allLeftOut(rule, states)
}

/** When closed gates leave out every check, the first closed gate in list order gives the reason. */
const allLeftOut = (rule: PlannedRule, states: Uint8Array): SkipReason | null => {
  let first: SkipReason | null = null
  for (const { gate } of rule.entries) {
    const reason = closedReason(gate, states)
    if (reason === null) return null
    first ??= reason
  }
  return first
}

export type ClosedReason = Extract<SkipReason, `dependency_${string}`>

/** Why a gate is closed, or null when it is open. */
export const closedReason = (gate: number, states: Uint8Array): ClosedReason | null => {
  if (gate === UNGATED) return null
  if (gate === UNAVAILABLE) return 'dependency_unavailable'
  return closedBy[states[gate] as number] as ClosedReason | null
}

/** The reason by the state of the rule that the gate names: passed, failed, skipped, not effective. */
const closedBy: readonly (ClosedReason | null)[] = [
  null,
  'dependency_failed',
  'dependency_skipped',
  'dependency_unavailable',
]

/** Returns the violation of a rule that is in force, or null when the rule holds. A brief violation has no values. */
const judge = (plan: Plan, rule: PlannedRule, space: Space, redact: boolean, brief: boolean): Violation | null => {
  const { compiled } = rule
  const fault = rule.cyclic ? 'dependency_cycle' : rule.fault
  if (fault !== null) return misconfigured(compiled, fault, compiled.field)
  const { entries } = rule
  let firstFailing: PlannedEntry | null = null
  for (let at = 0; at < entries.length; at++) {
    const planned = entries[at] as PlannedEntry
    if (closedReason(planned.gate, space.states) !== null) continue
    const holds = planned.issue === null && markOf(plan, planned, space) === HOLDS
    if (holds && compiled.any) return null
    if (holds) continue
    firstFailing ??= planned
    if (!compiled.any) break
  }
  if (firstFailing === null) return null
  const violation = entryViolation(plan, compiled, firstFailing, space, redact, brief)
  const hasAlternatives = !brief && compiled.any && entries.length > 1 && violation.issue === null
  return hasAlternatives ? withAlternatives(plan, entries, violation, space, redact) : violation
}

/**
 * Adds the failed alternatives to the violation. Called only when no entry holds, so every entry that was evaluated and
 * is not misconfigured has failed.
 */
const withAlternatives = (
  plan: Plan,
  entries: readonly PlannedEntry[],
  violation: Violation,
  space: Space,
  redact: boolean,
): Violation => {
  const failed: FailedEntry[] = []
  let count = 0
  for (const { entry, gate, issue } of entries) {
    if (closedReason(gate, space.states) !== null || issue !== null) continue
    const { index } = entry.check as Check
    if (space.outcome.marks[index] !== FAILS || ++count > MAX_FAILURES) continue
    const { field, expected, message } = entry
    const operator = entry.operator as OperatorName
    failed.push({
      field,
      operator,
      expected,
      actual: actualValue(plan, plan.slotOf[index] as number, space, redact),
      message,
    })
  }
  return withFailures(violation, failed, count)
}

const entryViolation = (
  plan: Plan,
  rule: CompiledRule,
  failing: PlannedEntry,
  space: Space,
  redact: boolean,
  brief: boolean,
): Violation => {
  const { entry } = failing
  if (failing.issue !== null) return misconfigured(rule, failing.issue, entry.field)
  const { index } = entry.check as Check
  if (space.outcome.marks[index] === FAULT) {
    space.faults += 1
    return misconfigured(rule, 'regex_engine', entry.field)
  }
  if (brief) return failing.violation
  return withActual(failing.violation, actualValue(plan, plan.slotOf[index] as number, space, redact))
}

/**
 * What is shown of the value of a slot. All entries on a field have the same sensitivity, so the copy of a container is
 * shared.
 */
const actualValue = (plan: Plan, slot: number, space: Space, redact: boolean): JsonValue => {
  const value = space.values[slot]
  const { sensitivity } = plan.slots[slot] as FieldSlot
  if (typeof value !== 'object') return presentable(value, sensitivity, redact)
  const known = space.shown[slot]
  if (known !== undefined) return known
  const shown = presentable(value, sensitivity, redact)
  space.show(slot, shown)
  return shown
}

/** Returns the mark of an entry's check, and runs the check first when it was deferred. */
export const markOf = (plan: Plan, planned: PlannedEntry, space: Space): number => {
  const { check } = planned.entry
  if (check === null) return FAULT
  const { outcome } = space
  if (outcome.marks[check.index] === PENDING) {
    outcome.marks[check.index] = HOLDS
    checkValue(check, space.values[plan.slotOf[check.index] as number], outcome)
  }
  return outcome.marks[check.index] as number
}
