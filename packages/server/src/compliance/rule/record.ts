/** A rule in its three forms: as a row, as the engine reads it, and as the API shows it (spec compliance 1). */
import type { Condition, Rule, SourcedRule } from '@plumbline/engine'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { nameKey } from '../../runtime/operation/name.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { complianceTables, RuleRow, StoredCheck } from '../tables.js'
import { ConditionBody, type Mode, Modes, OPERATORS, ruleText, SCOPES, SEVERITIES, TARGETS } from './schema.js'

type RuleTable = ReturnType<typeof complianceTables>['rules']

const shown = {
  id: Uuid,
  orgId: Uuid,
  name: Type.String(),
  description: nullable(Type.String()),
  target: Type.Enum([...TARGETS]),
  severity: Type.Enum([...SEVERITIES]),
  priority: Type.Integer(),
  scope: Type.Enum([...SCOPES]),
  field: nullable(Type.String()),
  operator: nullable(Type.Enum([...OPERATORS])),
  value: Type.Optional(Type.Unknown({ description: 'Absent when the operator takes none' })),
  conditions: nullable(Type.Array(ConditionBody)),
  conditionMode: Type.Enum(['all', 'any']),
  tags: Type.Array(Type.String()),
  policyIds: Type.Array(Uuid, { description: 'Policies that list the rule' }),
  policyId: nullable(Uuid),
  propagateToChildren: Type.Boolean(),
  isTemplate: Type.Boolean(),
  isActive: Type.Boolean(),
  suppressNotification: Type.Boolean(),
  mode: Modes,
  effectiveFrom: nullable(Instant),
  effectiveUntil: nullable(Instant),
  forkedFromRuleId: nullable(Uuid),
  version: Type.Integer({ minimum: 1 }),
  revision: Type.Integer({ description: 'The version, as `If-Match` names it' }),
  createdAt: Instant,
  createdBy: nullable(Type.String({ description: 'Null for a rule of another organization' })),
  updatedAt: Instant,
  updatedBy: nullable(Type.String()),
  deletedAt: nullable(Instant),
  deletedBy: nullable(Type.String()),
  purgeAfter: nullable(Instant),
}
export const RuleRecord = strictObject(shown)
export type RuleRecord = Static<typeof RuleRecord>

/** Fields that the server sets; an update may send them back unchanged. */
export const SERVER_OWNED = [
  'id',
  'orgId',
  'policyIds',
  'forkedFromRuleId',
  'version',
  'revision',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'deletedAt',
  'deletedBy',
  'purgeAfter',
] as const

export const SEVERITY_RANK: Readonly<Record<string, number>> = { warning: 1, error: 2, critical: 3 }

/** The columns of a rule as the engine reads it: without its history and without the columns that lists filter by. */
export const engineColumns = (t: RuleTable) => ({
  id: t.id,
  orgId: t.orgId,
  name: t.name,
  description: t.description,
  target: t.target,
  severity: t.severity,
  priority: t.priority,
  scope: t.scope,
  check: t.check,
  tags: t.tags,
  propagateToChildren: t.propagateToChildren,
  isTemplate: t.isTemplate,
  isActive: t.isActive,
  suppressNotification: t.suppressNotification,
  effectiveFromMs: t.effectiveFromMs,
  effectiveUntilMs: t.effectiveUntilMs,
  forkedFromRuleId: t.forkedFromRuleId,
  version: t.version,
  deletedAtMs: t.deletedAtMs,
})
export type EngineRow = Pick<RuleRow, keyof ReturnType<typeof engineColumns>>

/** A rule that was not passed on yet, so that properties may still be added. */
export type EngineRule = { -readonly [K in keyof SourcedRule]: SourcedRule[K] } & { id: string }

/**
 * The rule as its author wrote it, with its identity: this form is evaluated, versioned and stored in the history.
 *
 * Properties are written out and added, not spread. V8 makes a new hidden class for each copy that is spread and then
 * given one more property. Making such a copy takes 20 times as long, and each later read of the rule is slower too.
 */
export function engineRule(row: EngineRow): EngineRule {
  const { check } = row
  const rule = {
    id: row.id,
    orgId: row.orgId,
    name: row.name,
    description: row.description,
    target: row.target,
    severity: row.severity,
    priority: row.priority,
    scope: row.scope,
    field: check.field,
    operator: check.operator,
    conditions: check.conditions,
    conditionMode: check.conditionMode,
    tags: row.tags,
    propagateToChildren: row.propagateToChildren,
    isTemplate: row.isTemplate,
    isActive: row.isActive,
    suppressNotification: row.suppressNotification,
    effectiveFrom: toIsoOrNull(row.effectiveFromMs),
    effectiveUntil: toIsoOrNull(row.effectiveUntilMs),
    forkedFromRuleId: row.forkedFromRuleId,
    version: row.version,
  } as EngineRule
  if (check.value !== undefined) rule.value = check.value
  if (row.deletedAtMs !== null) rule.deletedAt = toIso(row.deletedAtMs)
  return rule
}

/** @param viewerOrgId the organization that reads the rule: other organizations do not see who wrote it. */
export function ruleRecord(row: RuleRow, viewerOrgId: string, policyIds: readonly string[] = []): RuleRecord {
  const isOwn = row.orgId === viewerOrgId
  const record = engineRule(row) as object as RuleRecord
  record.policyIds = [...policyIds]
  record.policyId = policyIds[0] ?? null
  record.mode = row.mode as Mode
  record.revision = row.version
  record.createdAt = toIso(row.createdAtMs)
  record.createdBy = isOwn ? row.createdBy : null
  record.updatedAt = toIso(row.updatedAtMs)
  record.updatedBy = isOwn ? row.updatedBy : null
  record.deletedAt = toIsoOrNull(row.deletedAtMs)
  record.deletedBy = isOwn ? row.deletedBy : null
  record.purgeAfter = isOwn ? toIsoOrNull(row.purgeAfterMs) : null
  return record
}

/** The columns that follow from a normalised rule. */
export type AuthoredColumns = Omit<
  RuleRow,
  | 'id'
  | 'orgId'
  | 'mode'
  | 'forkedFromRuleId'
  | 'version'
  | 'createdAtMs'
  | 'createdBy'
  | 'updatedAtMs'
  | 'updatedBy'
  | 'deletedAtMs'
  | 'deletedBy'
  | 'purgeAfterMs'
>

/** @param rule comes from `normaliseRule` or `mergeRulePatch`: complete and valid. */
export function authoredColumns(rule: Rule): AuthoredColumns {
  const tags = rule.tags ?? []
  return {
    name: rule.name,
    nameKey: nameKey(rule.name),
    liveName: rule.name,
    description: rule.description ?? null,
    target: rule.target,
    severity: rule.severity ?? 'error',
    severityRank: SEVERITY_RANK[rule.severity ?? 'error'] ?? 2,
    priority: rule.priority ?? 0,
    scope: rule.scope ?? 'org',
    check: storedCheck(rule),
    tags,
    tagText: ruleText(tags),
    propagateToChildren: rule.propagateToChildren === true,
    isTemplate: rule.isTemplate === true,
    isActive: rule.isActive !== false,
    suppressNotification: rule.suppressNotification === true,
    effectiveFromMs: msOrNull(rule.effectiveFrom),
    effectiveUntilMs: msOrNull(rule.effectiveUntil),
  }
}

const storedCheck = (rule: Rule): StoredCheck => ({
  field: rule.field ?? null,
  operator: rule.operator ?? null,
  ...(rule.value === undefined ? {} : { value: rule.value }),
  conditions: (rule.conditions ?? null) as readonly Condition[] | null,
  conditionMode: rule.conditionMode ?? 'all',
})

const msOrNull = (instant: Rule['effectiveFrom']): number | null =>
  instant === undefined || instant === null ? null : new Date(instant).getTime()
