/**
 * Verdicts about stored entities that the rules cannot evaluate: such an entity counts as blocked (spec compliance 5
 * and 10).
 */
import type { LimitExcess } from '@plumbline/engine'
import type { Verdict } from './verdict.js'

export function beyondLimits({ limit, max, actual }: LimitExcess): Verdict {
  return blockedBy({
    name: '(attribute-limits)',
    field: limit,
    expectedValue: max,
    actualValue: actual,
    message: `the entity has more ${limit} than rules may read: ${actual}, at most ${max}`,
  })
}

/** The cause is only in the log of the process. */
export const notEvaluated = (): Verdict =>
  blockedBy({
    name: '(evaluation)',
    field: 'unknown',
    expectedValue: null,
    actualValue: null,
    message: 'the entity could not be evaluated',
  })

interface Finding {
  readonly name: string
  readonly field: string
  readonly expectedValue: number | null
  readonly actualValue: number | null
  readonly message: string
}

function blockedBy({ name, ...finding }: Finding): Verdict {
  const violation = {
    ruleId: name,
    ruleName: name,
    description: null,
    policyId: null,
    policyIds: [],
    operator: null,
    ...finding,
    severity: 'error',
    source: 'own' as const,
    suppressNotification: false,
    issue: null,
  }
  return {
    passed: false,
    blocked: true,
    violations: [violation],
    warnings: [],
    observed: [],
    rulesEvaluated: 0,
    rulesSkipped: 0,
    exemptionsApplied: [],
    skipped: [],
  }
}
