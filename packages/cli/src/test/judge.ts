/**
 * Runs one test against rules, and returns what differs from the expectation.
 * INVARIANT: a pure function of its arguments: the same rules and test give the same result.
 */
import {
  type Attributes,
  type Evaluation,
  type EvaluationContext,
  type Exemption,
  entityKeyOf,
  type RuleSet,
  rulesInForce,
  type Target,
  type Violation,
} from '@plumbline/engine'
import type { EntityExpectation, Expectation, RuleExpectation, RuleOutcome, Verdict } from './model.js'

/** The input of an evaluation. */
export interface Case {
  readonly target: Target
  readonly attributes: Attributes
  readonly entityId: string | null
  readonly exemptions: readonly Exemption[]
  readonly now: string | null
}

export type Mismatch =
  | {
      readonly kind: 'value'
      readonly what: string
      readonly expected: string
      readonly actual: string
      readonly why: string | null
    }
  | {
      readonly kind: 'list'
      readonly what: string
      readonly missing: readonly string[]
      readonly unexpected: readonly string[]
    }

/** Evaluates as the gate and the server do: rules about the image of a plugin wait until the case has `builtImage`. */
export const evaluateCase = (rules: RuleSet, subject: Case): Evaluation =>
  rulesInForce(rules, subject.target, subject.attributes).ruleSet.evaluate(subject.attributes, contextOf(subject))

function contextOf(subject: Case): EvaluationContext {
  return {
    target: subject.target,
    exemptions: subject.exemptions,
    entity: {
      type: subject.target,
      key: entityKeyOf(subject.target, subject.attributes),
      ...(subject.entityId === null ? {} : { id: subject.entityId }),
    },
    ...(subject.now === null ? {} : { now: subject.now }),
  }
}

/** Returns an empty list if the expectation holds. @param ruleId the rule of a test of one rule, otherwise null. */
export function judge(rules: RuleSet, subject: Case, expectation: Expectation, ruleId: string | null): Mismatch[] {
  const evaluation = evaluateCase(rules, subject)
  if (expectation.kind === 'entity') return judgeEntity(evaluation, expectation)
  const id = ruleId ?? expectation.rule
  const { waiting } = rulesInForce(rules, subject.target, subject.attributes)
  return judgeRule(
    evaluation,
    expectation,
    id,
    waiting.some((rule) => rule.ruleId === id),
  )
}

export function outcomeOf(evaluation: Evaluation, ruleId: string): RuleOutcome {
  if (evaluation.violations.some((violation) => violation.ruleId === ruleId)) return 'fail'
  return evaluation.skipped.some((skipped) => skipped.ruleId === ruleId) ? 'skip' : 'pass'
}

function judgeRule(
  evaluation: Evaluation,
  expectation: RuleExpectation,
  ruleId: string,
  isWaiting: boolean,
): Mismatch[] {
  const violation = evaluation.violations.find((candidate) => candidate.ruleId === ruleId)
  const skipped = evaluation.skipped.find((candidate) => candidate.ruleId === ruleId)
  const actual = outcomeOf(evaluation, ruleId)
  if (actual !== expectation.outcome) {
    const reason = isWaiting ? 'the rule waits for an image: give the case `builtImage`' : (skipped?.reason ?? null)
    const why = violation ? describe(violation) : reason
    return [{ kind: 'value', what: 'outcome', expected: expectation.outcome, actual, why }]
  }
  if (violation && expectation.field !== undefined && expectation.field !== violation.field) {
    return [differs('field', expectation.field, violation.field)]
  }
  if (skipped && expectation.reason !== undefined && expectation.reason !== skipped.reason) {
    return [differs('reason', expectation.reason, skipped.reason)]
  }
  return []
}

function judgeEntity(evaluation: Evaluation, expectation: EntityExpectation): Mismatch[] {
  const mismatches: Mismatch[] = []
  const { verdict, violations, skipped } = expectation
  const actual = verdictOf(evaluation)
  if (verdict !== undefined && verdict !== actual) mismatches.push(differs('verdict', verdict, actual))
  if (violations !== undefined) {
    mismatches.push(
      ...compareLists('violations', violations, evaluation.violations, (expected, violation) => {
        return [
          ...(expected.field === undefined || expected.field === violation.field
            ? []
            : [differs(`field of ${expected.rule}`, expected.field, violation.field)]),
          ...(expected.severity === undefined || expected.severity === violation.severity
            ? []
            : [differs(`severity of ${expected.rule}`, expected.severity, violation.severity)]),
        ]
      }),
    )
  }
  if (skipped !== undefined) {
    mismatches.push(
      ...compareLists('skipped', skipped, evaluation.skipped, (expected, entry) =>
        expected.reason === undefined || expected.reason === entry.reason
          ? []
          : [differs(`reason of ${expected.rule}`, expected.reason, entry.reason)],
      ),
    )
  }
  return mismatches
}

/**
 * Compares two sets of rules, then the details of the rules that are in both. Expectations name rules by name or id.
 */
function compareLists<
  Expected extends { readonly rule: string },
  Actual extends { readonly ruleId: string; readonly ruleName: string },
>(
  what: string,
  expected: readonly Expected[],
  actual: readonly Actual[],
  compare: (expected: Expected, actual: Actual) => readonly Mismatch[],
): Mismatch[] {
  const names = (entry: Actual, name: string) => entry.ruleName === name || entry.ruleId === name
  const missing = expected.filter(({ rule }) => !actual.some((entry) => names(entry, rule))).map(({ rule }) => rule)
  const unexpected = actual
    .filter((entry) => !expected.some(({ rule }) => names(entry, rule)))
    .map((entry) => entry.ruleName)
  const details = expected.flatMap((entry) => {
    const found = actual.find((candidate) => names(candidate, entry.rule))
    return found ? compare(entry, found) : []
  })
  if (missing.length === 0 && unexpected.length === 0) return [...details]
  return [{ kind: 'list', what, missing, unexpected }, ...details]
}

function verdictOf(evaluation: Evaluation): Verdict {
  if (evaluation.blocked) return 'block'
  return evaluation.passed ? 'pass' : 'warn'
}

function differs(what: string, expected: string, actual: string): Mismatch {
  return { kind: 'value', what, expected, actual, why: null }
}

function describe(violation: Violation): string {
  const { message, failures, actualValue } = violation
  return failures === undefined ? `${message}, got ${JSON.stringify(actualValue)}` : message
}
