/** A finding: one rule that one entity violated in one check. It counts, or an exemption covers it. */
import { createHash } from 'node:crypto'
import type { Failure, JsonValue, Target } from '@plumbline/engine'
import { entityFindingText } from '@plumbline/engine/sarif'
import { toIso } from '../../runtime/clock.js'
import type { ComplianceViolation } from '../../runtime/records/compliance.js'
import type { Exempted } from '../check/verdict.js'
import type { CheckRow } from '../tables.js'

export interface Finding {
  readonly checkId: string
  readonly checkedAt: string
  readonly action: string
  readonly scanId: string | null
  readonly target: Target
  readonly entityId: string | null
  readonly entityName: string | null
  readonly ruleId: string
  readonly ruleName: string
  readonly description: string | null
  readonly severity: string
  /** The severity that the rule declares, where its rollout is `warn`. */
  readonly declaredSeverity: string | null
  readonly field: string
  readonly operator: string | null
  readonly expected: JsonValue
  /** The value as the check log stores it: redacted and truncated. */
  readonly actual: JsonValue
  readonly message: string
  /** The entries of a rule with alternatives, all of which failed; absent for other rules. */
  readonly failures?: readonly Failure[]
  readonly issue: string | null
  readonly source: string
  readonly policyIds: readonly string[]
  /** Only for findings that are stored with a state: open, requested, exempted or fixed. */
  readonly state?: string
  /** Why the finding does not count; null when it counts. */
  readonly suppression: Suppression | null
  /** Equal to the fingerprint that the gate computes for an entity of this id (ADR 79). */
  readonly fingerprint: string
}

export interface Suppression {
  readonly kind: 'exemption'
  readonly id: string
  readonly reason: string | null
  readonly expiresAt: string | null
}

/**
 * The findings that count, in the order of the check log, then those that exemptions cover. A rule in mode `observe`
 * has none.
 */
export function findingsOf(row: CheckRow): Finding[] {
  const violations = row.violations as readonly ComplianceViolation[]
  const exempted = (row.exempted ?? []) as readonly Exempted[]
  return [
    ...violations.map((violation) => finding(row, violation, null)),
    ...exempted.map(({ violation, exemptionId: id, reason, expiresAt }) =>
      finding(row, violation, { kind: 'exemption', id, reason, expiresAt }),
    ),
  ]
}

function finding(row: CheckRow, violation: ComplianceViolation, suppression: Suppression | null): Finding {
  const { ruleId, field } = violation
  const target = row.target as Target
  const entity = row.entityId ?? row.entityName ?? ''
  return {
    checkId: row.id,
    checkedAt: toIso(row.createdAtMs),
    action: row.action,
    scanId: row.scanId,
    target,
    entityId: row.entityId,
    entityName: row.entityName,
    ruleId,
    ruleName: violation.ruleName,
    description: violation.description,
    severity: violation.severity,
    declaredSeverity: violation.declaredSeverity ?? null,
    field,
    operator: violation.operator,
    expected: violation.expectedValue,
    actual: violation.actualValue,
    message: violation.message,
    ...(violation.failures === undefined ? {} : { failures: violation.failures }),
    issue: violation.issue,
    source: violation.source,
    policyIds: violation.policyIds,
    suppression,
    fingerprint: fingerprintOf({ ruleId, target, entity, field }),
  }
}

export const fingerprintOf = ({ ruleId, target, entity, field }: Parameters<typeof entityFindingText>[0]): string =>
  digest(entityFindingText({ ruleId, target, entity, field }))

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
