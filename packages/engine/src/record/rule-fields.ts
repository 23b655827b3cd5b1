/**
 * The fields of a rule and of a condition as data: shape and bounds. Their sentences are in `field-docs.ts`.
 *
 * `validateRule` checks by this table and `ruleSchema` is made from it, so the two cannot drift; the compiler holds
 * the keys equal to the types. Source: compliance decisions 1 and 1.2.
 */
import type { Condition, Rule, RuleIssueCode } from '../types.js'
import { conditionModes, scopes, severities, targets } from './vocabulary.js'

interface Described {
  /** Null is accepted and means absent. */
  readonly nullable?: true
  /** Written by the server, not by an author. */
  readonly serverOwned?: true
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
const MAX_NAME = 255
const MAX_ID = 255
const MAX_TEXT = 2_000

export const ruleFields = {
  id: { kind: 'text', max: MAX_ID },
  orgId: { kind: 'text', max: MAX_ID, nullable: true, serverOwned: true },
  name: { kind: 'text', max: MAX_NAME, trim: true },
  description: { kind: 'text', max: MAX_TEXT, nullable: true },
  target: { kind: 'choice', of: targets, code: 'unknown_target' },
  severity: {
    kind: 'choice',
    of: severities,
    code: 'unknown_severity',
  },
  priority: { kind: 'integer', min: 0, max: 10_000 },
  scope: {
    kind: 'choice',
    of: scopes,
    code: 'unknown_scope',
  },
  field: { kind: 'path', nullable: true },
  operator: { kind: 'operator', nullable: true },
  value: { kind: 'value', nullable: true },
  conditions: {
    kind: 'conditions',
    maxItems: 50,
    nullable: true,
  },
  conditionMode: {
    kind: 'choice',
    of: conditionModes,
    code: 'unknown_mode',
    nullable: true,
  },
  tags: { kind: 'texts', maxItems: 50, max: 100 },
  policyIds: { kind: 'texts', maxItems: 1_000, max: MAX_ID },
  policyId: { kind: 'text', max: MAX_ID, nullable: true },
  propagateToChildren: { kind: 'flag' },
  isTemplate: { kind: 'flag' },
  isActive: { kind: 'flag' },
  suppressNotification: { kind: 'flag' },
  effectiveFrom: { kind: 'instant', nullable: true },
  effectiveUntil: { kind: 'instant', nullable: true },
  forkedFromRuleId: {
    kind: 'text',
    max: MAX_ID,
    nullable: true,
    serverOwned: true,
  },
  version: { kind: 'integer', min: 1, max: Number.MAX_SAFE_INTEGER, serverOwned: true },
  createdAt: { kind: 'instant', serverOwned: true },
  createdBy: { kind: 'text', max: MAX_ID, nullable: true, serverOwned: true },
  updatedAt: { kind: 'instant', serverOwned: true },
  updatedBy: { kind: 'text', max: MAX_ID, nullable: true, serverOwned: true },
  deletedAt: { kind: 'instant', nullable: true, serverOwned: true },
  deletedBy: { kind: 'text', max: MAX_ID, nullable: true, serverOwned: true },
  purgeAfter: { kind: 'instant', nullable: true, serverOwned: true },
  source: {
    kind: 'choice',
    of: ['own', 'inherited', 'subscribed'],
    code: 'invalid_value',
    serverOwned: true,
  },
} as const satisfies { readonly [key in keyof Required<Rule>]: FieldShape }

export const conditionFields = {
  field: ruleFields.field,
  operator: ruleFields.operator,
  value: ruleFields.value,
  dependsOnRule: {
    kind: 'text',
    max: MAX_ID,
    nullable: true,
  },
} as const satisfies { readonly [key in keyof Required<Condition>]: FieldShape }

export const isServerOwned = (key: string): boolean =>
  Object.hasOwn(ruleFields, key) && (ruleFields as Record<string, FieldShape>)[key]?.serverOwned === true
