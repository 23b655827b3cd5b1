/** What a request for an exemption names, and the row that is stored. */
import { type EntityKey, entityKeyText as keyText } from '@plumbline/engine'
import { and, eq, inArray, isNotNull, lte } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { type FieldIssue, invalid, notFound } from '../../runtime/errors.js'
import { tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { name } from '../../runtime/operation/name.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { heldOf } from '../held.js'
import { isVisible } from '../rule/find.js'
import { Target } from '../rule/schema.js'
import { holdRules } from '../rule-stamp.js'
import { complianceTables, type ExemptionRow, type RuleRow } from '../tables.js'
import { EntityKeyInput, keySent, namingIssues, recordsNamed } from './named.js'

export const Request = strictObject({
  ruleId: Uuid,
  entityType: Target,
  entityId: Type.Optional(Uuid),
  entityKey: Type.Optional(EntityKeyInput),
  entityName: Type.Optional(nullable(name(1, 255, 'Shown to people; the name of the stored record takes precedence'))),
  reason: Type.String({ minLength: 1, maxLength: 2000 }),
  expiresAt: Type.Optional(nullable(Instant)),
})

export type Request = Static<typeof Request>

/** Allows one open exemption for each rule and entity. */
const openKey = ({ ruleId, entityType, entityId }: Request, keyText: string | null) =>
  `${ruleId}|${entityType}|${entityId ?? keyText}`

/** The rules that the requests name and that can apply to the organization, by id. */
export async function rulesNamed(
  context: WriteContext,
  requests: readonly Request[],
): Promise<ReadonlyMap<string, RuleRow>> {
  const { rules: t } = complianceTables(context.tx)
  const ids = [...new Set(requests.map(({ ruleId }) => ruleId))]
  await holdRules(context.tx, ids, 'shared')
  const rows = await context.tx
    .select()
    .from(t)
    .where(and(inArray(t.id, ids), eq(t.isTemplate, false), isVisible(t, heldOf(context))))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Issues with one request, apart from a rule that does not exist. */
function issuesOf(request: Request, rule: RuleRow, nowMs: number, at: string): FieldIssue[] {
  // guard: an-exemption-names-one-record
  const issues = namingIssues(request, at)
  if (request.entityType !== rule.target) {
    issues.push({
      path: `${at}/entityType`,
      message: `does not match the target of the rule: ${rule.target}`,
      code: 'target',
    })
  }
  if (request.expiresAt !== undefined && request.expiresAt !== null && Date.parse(request.expiresAt) <= nowMs) {
    issues.push({ path: `${at}/expiresAt`, message: 'must be in the future', code: 'past' })
  }
  return issues
}

/**
 * The rule that a request names.
 * @throws Refusal 404 for a rule that does not exist, 400 for anything else that is wrong with the request.
 */
export function ruleFor(rules: ReadonlyMap<string, RuleRow>, request: Request, nowMs: number, at: string): RuleRow {
  const rule = rules.get(request.ruleId)
  if (rule === undefined) throw notFound('Rule')
  const issues = issuesOf(request, rule, nowMs, at)
  if (issues.length > 0) throw invalid(issues)
  return rule
}

/** Marks exemptions past their expiry as expired, so that they do not block a new request. */
export async function endExpired(tx: Tx, orgId: string, nowMs: number): Promise<void> {
  const { exemptions: t } = complianceTables(tx)
  await tx
    .update(t)
    .set({ status: 'expired', openKey: null, updatedAtMs: nowMs })
    .where(and(eq(t.orgId, orgId), isNotNull(t.openKey), lte(t.expiresAtMs, nowMs)))
}

export function rowOf(context: WriteContext, request: Request, rule: RuleRow): ExemptionRow {
  const { runtime, nowMs, actor } = context
  const held = heldOf(context)
  const entityKey = keySent(request)
  const entityKeyText = entityKey === null ? null : keyText(entityKey)
  return {
    id: runtime.ids.next(),
    orgId: held.orgId,
    // Only the parent decides about a rule that its teams inherit; a subscriber decides about its own subscription.
    reviewOrgId: rule.orgId === held.parentOrgId ? rule.orgId : held.orgId,
    ruleId: request.ruleId,
    entityType: request.entityType,
    entityId: request.entityId ?? null,
    entityKey,
    entityKeyText,
    entityName: request.entityName ?? null,
    reason: request.reason,
    expiresAtMs: request.expiresAt === undefined || request.expiresAt === null ? null : Date.parse(request.expiresAt),
    status: 'pending',
    // guard: one-open-exemption-for-a-rule-and-an-entity
    openKey: openKey(request, entityKeyText),
    reviewedBy: null,
    reviewedAtMs: null,
    approvedBy: null,
    rejectionReason: null,
    revision: 1,
    createdBy: actor.id,
    // guard: who-asked-while-acting-as-somebody-else-does-not-decide
    impersonatorId: actor.impersonatorId,
    createdAtMs: nowMs,
    updatedBy: actor.id,
    updatedAtMs: nowMs,
  }
}

/** Adds the names of the stored records, so that a reviewer can rely on them. */
export async function withNames(context: WriteContext, rows: readonly ExemptionRow[]) {
  const named = await recordsNamed(context.tx, context.runtime, tenantId(context), rows)
  return rows.map((row) => {
    const record = named(row)
    const isStored = record === undefined ? null : record !== null
    return { row: { ...row, entityName: record?.name ?? row.entityName ?? keyName(row.entityKey) }, isStored }
  })
}

const keyName = (key: EntityKey | null): string | null =>
  key === null ? null : 'project' in key ? `${key.project}/${key.organization}` : key.name

/** @returns false when an open exemption for the same rule and entity exists. */
export async function insertRequest(
  context: WriteContext<'compliance.exemption.request'>,
  row: ExemptionRow,
): Promise<boolean> {
  const { exemptions: t } = complianceTables(context.tx)
  if (!(await insertNew(context.tx, t, row))) return false
  await context.audit('compliance.exemption.request', {
    targetType: 'exemption',
    targetId: row.id,
    details: { id: row.ruleId },
  })
  return true
}
