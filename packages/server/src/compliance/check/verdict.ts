/**
 * The verdict as answers show it: the engine's verdict, with the rollout of each rule applied (spec compliance 4.4;
 * spec compliance 13.2).
 */
import type { Evaluation, UnresolvedRead, Violation, WaitingRule } from '@plumbline/engine'
import Type from 'typebox'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import type { ComplianceViolation, ExemptedViolation } from '../../runtime/records/compliance.js'
import type { Mode } from '../rule/schema.js'

export type CheckResult = 'pass' | 'warn' | 'block'
export const CHECK_RESULTS = ['pass', 'warn', 'block'] as const

export interface Verdict {
  readonly passed: boolean
  readonly blocked: boolean
  readonly violations: readonly ComplianceViolation[]
  readonly warnings: readonly ComplianceViolation[]
  /** Violations of rules in mode `observe`: they count nowhere else. */
  readonly observed: readonly ComplianceViolation[]
  readonly rulesEvaluated: number
  readonly rulesSkipped: number
  readonly exemptionsApplied: readonly string[]
  readonly skipped: Evaluation['skipped']
  /** Violations that exemptions cover; absent where there is none. */
  readonly exempted?: readonly Exempted[]
  /** Rules that read a token without a value; absent where there is none. */
  readonly unresolved?: readonly UnresolvedRead[]
  /** Rules about the image of a plugin that is not built yet; absent where none waits. */
  readonly deferredRules?: readonly WaitingRule[]
}

export type Exempted = ExemptedViolation

/** The engine shows at most this many failures of one rule. */
const FAILURES_MAX = 10

export const FailureRecords = Type.Array(
  strictObject({
    field: Type.String(),
    operator: Type.String(),
    expected: Type.Unknown({ description: 'As `expectedValue` of a violation' }),
    actual: Type.Unknown({ description: 'As `actualValue` of a violation; null when absent' }),
  }),
  {
    maxItems: FAILURES_MAX,
    description: 'The conditions of a rule with `conditionMode: any`, all of which failed. Absent for other rules',
  },
)

export const UnresolvedRecords = Type.Array(
  strictObject({ ruleId: Type.String(), ruleName: Type.String(), field: Type.String(), token: Type.String() }),
  {
    description:
      'Rules that read a text with a token that has no value yet, and checked it literally; at most 20. Absent when there is none',
  },
)

export const ViolationRecord = strictObject({
  ruleId: Type.String(),
  ruleName: Type.String(),
  description: nullable(Type.String()),
  policyId: nullable(Type.String()),
  policyIds: Type.Array(Type.String()),
  field: Type.String(),
  operator: nullable(Type.String()),
  expectedValue: Type.Unknown({ description: 'Redacted and cut short where it is sensitive or long' }),
  actualValue: Type.Unknown({ description: 'As `expectedValue`; null when absent' }),
  severity: Type.String(),
  declaredSeverity: Type.Optional(
    Type.String({ description: 'The severity of the rule, when its rollout says `warn`' }),
  ),
  message: Type.String(),
  source: Type.Enum(['own', 'inherited', 'subscribed']),
  suppressNotification: Type.Boolean(),
  issue: nullable(Type.String({ description: 'Why the rule could not be evaluated' })),
  failures: Type.Optional(FailureRecords),
})

export const ExemptedRecords = Type.Array(
  strictObject({
    exemptionId: Type.String(),
    reason: nullable(Type.String()),
    expiresAt: nullable(Type.String()),
    violation: ViolationRecord,
  }),
  {
    description: 'Violations that exemptions waive; they are not counted. Absent when there is none',
  },
)

export const DeferredRules = Type.Array(strictObject({ ruleId: Type.String(), ruleName: Type.String() }), {
  description:
    'Rules that read `builtImage`: they are checked after the image is built and before it is published. Absent when none waits',
})

export const VerdictRecord = strictObject({
  passed: Type.Boolean({ description: 'No violation of any severity' }),
  blocked: Type.Boolean({ description: 'At least one violation that is not a warning' }),
  violations: Type.Array(ViolationRecord),
  warnings: Type.Array(ViolationRecord, { description: 'The violations of severity `warning`, again' }),
  observed: Type.Array(ViolationRecord, {
    description: 'Violations of rules in rollout `observe`; they are not counted',
  }),
  rulesEvaluated: Type.Integer({ minimum: 0 }),
  rulesSkipped: Type.Integer({ minimum: 0 }),
  exemptionsApplied: Type.Array(Type.String()),
  skipped: Type.Array(strictObject({ ruleId: Type.String(), ruleName: Type.String(), reason: Type.String() })),
  exempted: Type.Optional(ExemptedRecords),
  unresolved: Type.Optional(UnresolvedRecords),
  deferredRules: Type.Optional(DeferredRules),
})

const isWarning = ({ severity }: Violation): boolean => severity === 'warning'

/** The violation under the rollout of its rule; null for a rule in mode `observe`. */
export function rolledOut(violation: Violation, modes: ReadonlyMap<string, Mode>): ComplianceViolation | null {
  const mode = modes.get(violation.ruleId)
  return mode === 'observe' ? null : mode === 'warn' ? softened(violation) : violation
}

/**
 * Rollouts do not change dependencies between rules: a rule in mode `observe` still fails the gates that depend on it.
 */
export function verdictOf(evaluation: Evaluation, modes: ReadonlyMap<string, Mode>): Verdict {
  const { violations: found, rulesEvaluated, rulesSkipped, exemptionsApplied, skipped } = evaluation
  if (modes.size === 0 || found.every(({ ruleId }) => !modes.has(ruleId))) {
    const { passed, blocked, warnings } = evaluation
    return {
      passed,
      blocked,
      violations: found,
      warnings,
      observed: [],
      rulesEvaluated,
      rulesSkipped,
      exemptionsApplied,
      skipped,
    }
  }
  const observed = found.filter(({ ruleId }) => modes.get(ruleId) === 'observe')
  const violations = found.map((violation) => rolledOut(violation, modes)).filter((violation) => violation !== null)
  const warnings = violations.filter(isWarning)
  return {
    passed: violations.length === 0,
    blocked: warnings.length < violations.length,
    violations,
    warnings,
    observed,
    rulesEvaluated,
    rulesSkipped,
    exemptionsApplied,
    skipped,
  }
}

const softened = (violation: Violation): ComplianceViolation =>
  isWarning(violation) ? violation : { ...violation, severity: 'warning', declaredSeverity: violation.severity }

export const resultOf = ({ blocked, warnings }: Pick<Verdict, 'blocked' | 'warnings'>): CheckResult =>
  blocked ? 'block' : warnings.length > 0 ? 'warn' : 'pass'
