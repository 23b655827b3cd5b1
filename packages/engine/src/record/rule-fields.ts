/**
 * The fields of a rule and of a condition as data: shape and bounds. Their documentation is in `field-docs.ts`.
 *
 * `validateRule` uses this table and `ruleSchema` is made from it, so the two cannot differ. The compiler verifies that
 * the keys are those of the types. Source: spec compliance 1 and 1.2.
 */
import type { Condition, Rule, RuleIssueCode } from '../types.js'
import { conditionModes, scopes, severities, targets } from './vocabulary.js'

interface Described {
  /** Null is accepted and means absent. */
  readonly nullable?: true
}

export type FieldShape = Described &
  (
    | { readonly kind: 'text'; readonly max: number; readonly trim?: true }
    | { readonly kind: 'integer'; readonly min: number; readonly max: number }
    | { readonly kind: 'flag' }
    | { readonly kind: 'choice'; readonly of: readonly string[]; readonly code: RuleIssueCode }
    | { readonly kind: 'texts'; readonly maxItems: number; readonly max: number }
    | { readonly kind: 'instant' }
    | { readonly kind: 'value' }
    | { readonly kind: 'path' }
    | { readonly kind: 'operator' }
    | { readonly kind: 'conditions'; readonly maxItems: number }
  )

export const MAX_VALUE_BYTES = 8_192
const MAX_ID = 255

/** Shapes that several fields share, one object each. */
const flag = { kind: 'flag' } as const
const identity = { kind: 'text', max: MAX_ID } as const
const optionalIdentity = { ...identity, nullable: true } as const
const instant = { kind: 'instant' } as const
const optionalInstant = { ...instant, nullable: true } as const

export const ruleFields = {
  id: identity,
  orgId: optionalIdentity,
  name: { ...identity, trim: true },
  description: { kind: 'text', max: 2_000, nullable: true },
  target: { kind: 'choice', of: targets, code: 'unknown_target' },
  severity: { kind: 'choice', of: severities, code: 'unknown_severity' },
  priority: { kind: 'integer', min: 0, max: 10_000 },
  scope: { kind: 'choice', of: scopes, code: 'unknown_scope' },
  field: { kind: 'path', nullable: true },
  operator: { kind: 'operator', nullable: true },
  value: { kind: 'value', nullable: true },
  conditions: { kind: 'conditions', maxItems: 50, nullable: true },
  conditionMode: { kind: 'choice', of: conditionModes, code: 'unknown_mode', nullable: true },
  tags: { kind: 'texts', maxItems: 50, max: 100 },
  policyIds: { kind: 'texts', maxItems: 1_000, max: MAX_ID },
  policyId: optionalIdentity,
  propagateToChildren: flag,
  isTemplate: flag,
  isActive: flag,
  suppressNotification: flag,
  effectiveFrom: optionalInstant,
  effectiveUntil: optionalInstant,
  forkedFromRuleId: optionalIdentity,
  version: { kind: 'integer', min: 1, max: Number.MAX_SAFE_INTEGER },
  createdAt: instant,
  createdBy: optionalIdentity,
  updatedAt: instant,
  updatedBy: optionalIdentity,
  deletedAt: optionalInstant,
  deletedBy: optionalIdentity,
  purgeAfter: optionalInstant,
  source: { kind: 'choice', of: ['own', 'inherited', 'subscribed'], code: 'invalid_value' },
} as const satisfies { readonly [key in keyof Required<Rule>]: FieldShape }

export const conditionFields = {
  field: ruleFields.field,
  operator: ruleFields.operator,
  value: ruleFields.value,
  dependsOnRule: optionalIdentity,
} as const satisfies { readonly [key in keyof Required<Condition>]: FieldShape }
