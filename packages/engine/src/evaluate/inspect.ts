/**
 * Evaluates one entity and records every step: the data that `explain` returns.
 *
 * INVARIANT: the same code as in `evaluate` makes the verdict. This module only records what that code read.
 */
import { type Plan, type PlannedEntry, type PlannedRule, UNGATED } from '../compile/plan.js'
import { FAULT, HOLDS } from '../operator/check.js'
import type {
  Attributes,
  Evaluation,
  EvaluationContext,
  JsonValue,
  RuleIssueCode,
  SkipReason,
  Violation,
} from '../types.js'
import { parseNow } from '../value/instant.js'
import { presentable } from '../value/redact.js'
import { type ClosedReason, closedReason, decide, markOf } from './decide.js'
import { applicableExemptions } from './exemptions.js'
import { RootKeys } from './read-fields.js'
import { runChecks, Space } from './space.js'

/** `exempt` counts as open, because an exemption does not switch off other rules. */
export type GateState = 'passed' | 'exempt' | 'failed' | 'skipped' | 'unavailable'

export interface GateInspection {
  readonly dependsOnRule: string
  readonly state: GateState
  readonly open: boolean
}

/** `left_out`: the gate of the entry is closed, so it was not evaluated. */
export type ConditionOutcome = 'holds' | 'fails' | 'misconfigured' | 'left_out'

export interface ConditionInspection {
  readonly field: string
  readonly operator: string | null
  readonly expected: JsonValue
  /** Redacted and bounded; null when the value is absent or was not read. */
  readonly actual: JsonValue
  readonly outcome: ConditionOutcome
  readonly issue: RuleIssueCode | null
  readonly gate: GateInspection | null
  readonly message: string
}

export type RuleOutcome = 'passed' | 'failed' | 'misconfigured' | 'skipped'

export interface RuleInspection {
  readonly ruleId: string
  readonly ruleName: string
  readonly description: string | null
  readonly severity: string
  readonly outcome: RuleOutcome
  readonly reason: SkipReason | null
  readonly exemptionId: string | null
  readonly violation: Violation | null
  readonly mode: 'all' | 'any'
  readonly gates: readonly GateInspection[]
  readonly conditions: readonly ConditionInspection[]
}

export interface Inspection {
  readonly evaluation: Evaluation
  readonly rules: readonly RuleInspection[]
}

export const inspect = (
  plan: Plan,
  attributes: Attributes,
  context: EvaluationContext,
  redact: boolean,
): Inspection => {
  const space = new Space(plan)
  new RootKeys(plan).read(attributes, space.values)
  runChecks(plan, space)
  const nowMs = parseNow(context.now)
  const exemptions = applicableExemptions(context, nowMs)
  const evaluation = decide(plan, space, nowMs, exemptions, redact, false)
  const reasons = new Map(evaluation.skipped.map(({ ruleId, reason }) => [ruleId, reason]))
  const violations = new Map(evaluation.violations.map((violation) => [violation.ruleId, violation]))
  const gate = (position: number, reference: string): GateInspection => {
    const closed = closedReason(position, space.states)
    const state = closed === null ? openState(plan, position, reasons) : closedStates[closed]
    return { dependsOnRule: reference, state, open: closed === null }
  }
  const rules = plan.rules.map((rule): RuleInspection => {
    const { compiled } = rule
    const reason = reasons.get(compiled.id) ?? null
    const violation = violations.get(compiled.id) ?? null
    return {
      ruleId: compiled.id,
      ruleName: compiled.name,
      description: compiled.description,
      severity: compiled.severity,
      outcome: outcomeOf(reason, violation),
      reason,
      exemptionId: reason === 'exempt' ? (exemptions?.get(compiled.id) ?? null) : null,
      violation,
      mode: compiled.any ? 'any' : 'all',
      gates: rule.gates.map(({ position, reference }) => gate(position, reference)),
      conditions: rule.entries.map((planned) => conditionOf(plan, planned, space, gate, redact)),
    }
  })
  return { evaluation, rules }
}

const outcomeOf = (reason: SkipReason | null, violation: Violation | null): RuleOutcome => {
  if (reason !== null) return 'skipped'
  if (violation === null) return 'passed'
  return violation.issue === null ? 'failed' : 'misconfigured'
}

const closedStates: { readonly [reason in ClosedReason]: GateState } = {
  dependency_failed: 'failed',
  dependency_skipped: 'skipped',
  dependency_unavailable: 'unavailable',
}

const openState = (plan: Plan, position: number, reasons: ReadonlyMap<string, SkipReason>): GateState => {
  const { compiled } = plan.rules[position] as PlannedRule
  return reasons.get(compiled.id) === 'exempt' ? 'exempt' : 'passed'
}

const conditionOf = (
  plan: Plan,
  planned: PlannedEntry,
  space: Space,
  gate: (position: number, reference: string) => GateInspection,
  redact: boolean,
): ConditionInspection => {
  const { entry } = planned
  const gated = planned.gate === UNGATED ? null : gate(planned.gate, entry.gate as string)
  const leftOut = gated?.open === false
  const mark = leftOut ? HOLDS : markOf(plan, planned, space)
  const issue = planned.issue ?? (mark === FAULT ? 'regex_engine' : null)
  const outcome = leftOut ? 'left_out' : issue !== null ? 'misconfigured' : mark === HOLDS ? 'holds' : 'fails'
  const check = entry.check
  const isRead = check !== null && (outcome === 'holds' || outcome === 'fails')
  const value = isRead ? space.values[plan.slotOf[check.index] as number] : undefined
  return {
    field: entry.field,
    operator: entry.operator,
    expected: entry.expected,
    actual: presentable(value, entry.sensitivity, redact),
    outcome,
    issue: leftOut ? null : issue,
    gate: gated,
    message: entry.message,
  }
}
