/**
 * Holds a verdict of the engine against the oracle's, and names the first place where they part.
 *
 * INVARIANT: everything in an `Evaluation` is compared, order included. The one freedom left to the engine is the
 * wording of a message about a misconfigured rule, which must name the issue code (spec compliance 4.4).
 */
import type { Evaluation, Violation } from '../src/types.js'

export interface Difference {
  readonly at: string
  readonly oracle: unknown
  readonly engine: unknown
}

export function compareEvaluations(oracle: Evaluation, engine: Evaluation): Difference | null {
  if (oracle.violations.length === engine.violations.length) {
    for (const [index, expected] of oracle.violations.entries()) {
      const actual = engine.violations[index]
      const difference = actual && compareViolations(expected, actual, `violations[${index}]`)
      if (difference) return difference
    }
  } else return differ('violations', oracle.violations, engine.violations)
  const warnings = engine.violations.filter((violation) => violation.severity === 'warning')
  if (!isSame(warnings, engine.warnings)) return differ('warnings', warnings, engine.warnings)
  for (const key of PLAIN) {
    if (!isSame(oracle[key], engine[key])) return differ(key, oracle[key], engine[key])
  }
  return null
}

const PLAIN = [
  'passed',
  'blocked',
  'rulesEvaluated',
  'rulesSkipped',
  'exemptionsApplied',
  'skipped',
  'issues',
] as const satisfies readonly (keyof Evaluation)[]

const VIOLATION_KEYS = [
  'ruleId',
  'ruleName',
  'description',
  'policyId',
  'policyIds',
  'field',
  'operator',
  'expectedValue',
  'actualValue',
  'severity',
  'source',
  'suppressNotification',
  'issue',
  'message',
  'failures',
] as const satisfies readonly (keyof Violation)[]

function compareViolations(oracle: Violation, engine: Violation, at: string): Difference | null {
  for (const key of VIOLATION_KEYS) {
    if (key === 'message' && oracle.issue !== null) {
      if (!engine.message.includes(oracle.issue)) return differ(`${at}.message`, oracle.issue, engine.message)
    } else if (!isSame(oracle[key], engine[key])) return differ(`${at}.${key}`, oracle[key], engine[key])
  }
  return null
}

const differ = (at: string, oracle: unknown, engine: unknown): Difference => ({ at, oracle, engine })

/** Equal as JSON text would be: prototypes and -0 aside, order of keys and of elements counts. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  const others = Object.keys(b)
  if (keys.length !== others.length) return false
  return keys.every((key, index) => key === others[index] && isSame(own(a, key), own(b, key)))
}

const own = (value: object, key: string): unknown => Object.getOwnPropertyDescriptor(value, key)?.value
