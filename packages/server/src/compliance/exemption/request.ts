/** Asks for exemptions, one or up to 500. Anybody who reads rules may ask; somebody else decides. */
import { type EntityKey, entityKeyText as keyText } from '@plumbline/engine'
import { and, eq, inArray, isNotNull, lte } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { type FieldIssue, invalid, notFound, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { name } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { heldOf } from '../held.js'
import { isVisible } from '../rule/find.js'
import { Target } from '../rule/schema.js'
import { complianceTables, type ExemptionRow, type RuleRow } from '../tables.js'
import { EntityKeyInput, keySent, namingIssues, recordsNamed } from './named.js'
import { ExemptionRecord, exemptionRecord } from './record.js'

const Request = strictObject({
  ruleId: Uuid,
  entityType: Target,
  entityId: Type.Optional(Uuid),
  entityKey: Type.Optional(EntityKeyInput),
  entityName: Type.Optional(nullable(name(1, 255, 'For people; the name of the stored record takes precedence'))),
  reason: Type.String({ minLength: 1, maxLength: 2000 }),
  expiresAt: Type.Optional(nullable(Instant)),
})
type Request = Static<typeof Request>

const BULK_MAX = 500

/** One open exemption for a rule and an entity. */
const openKey = ({ ruleId, entityType, entityId }: Request, keyText: string | null) =>
  `${ruleId}|${entityType}|${entityId ?? keyText}`

/** The rules that are named and can apply to the organization, by id. */
async function rulesNamed(context: WriteContext, requests: readonly Request[]): Promise<ReadonlyMap<string, RuleRow>> {
  const { rules: t } = complianceTables(context.tx)
  const ids = [...new Set(requests.map(({ ruleId }) => ruleId))]
  const rows = await context.tx
    .select()
    .from(t)
    .where(and(inArray(t.id, ids), eq(t.isTemplate, false), isVisible(t, heldOf(context))))
  return new Map(rows.map((row) => [row.id, row]))
}

/** What is wrong with one request, besides a rule that is not there. */
function issuesOf(request: Request, rule: RuleRow, nowMs: number, at: string): FieldIssue[] {
  const issues = namingIssues(request, at)
  if (request.entityType !== rule.target) {
    issues.push({ path: `${at}/entityType`, message: `is not what the rule checks: ${rule.target}`, code: 'target' })
  }
  if (request.expiresAt !== undefined && request.expiresAt !== null && Date.parse(request.expiresAt) <= nowMs) {
    issues.push({ path: `${at}/expiresAt`, message: 'must be in the future', code: 'past' })
  }
  return issues
}

/** Ends what the clock has ended, so that it stands in nobody's way. */
async function endExpired(tx: Tx, orgId: string, nowMs: number): Promise<void> {
  const { exemptions: t } = complianceTables(tx)
  await tx
    .update(t)
    .set({ status: 'expired', openKey: null, updatedAtMs: nowMs })
    .where(and(eq(t.orgId, orgId), isNotNull(t.openKey), lte(t.expiresAtMs, nowMs)))
}

function rowOf(context: WriteContext, request: Request, rule: RuleRow): ExemptionRow {
  const { runtime, nowMs, actor } = context
  const held = heldOf(context)
  const entityKey = keySent(request)
  const entityKeyText = entityKey === null ? null : keyText(entityKey)
  return {
    id: runtime.ids.next(),
    orgId: held.orgId,
    // What a parent hands down only the parent waives; a subscriber decides about its own subscription.
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
    openKey: openKey(request, entityKeyText),
    reviewedBy: null,
    reviewedAtMs: null,
    approvedBy: null,
    rejectionReason: null,
    revision: 1,
    createdBy: actor.id,
    impersonatorId: actor.impersonatorId,
    createdAtMs: nowMs,
    updatedBy: actor.id,
    updatedAtMs: nowMs,
  }
}

/** With the names of the stored records, which whoever decides can rely on. */
async function withNames(context: WriteContext, rows: readonly ExemptionRow[]) {
  const named = await recordsNamed(context.tx, context.runtime, tenantId(context), rows)
  return rows.map((row) => {
    const record = named(row)
    const isStored = record === undefined ? null : record !== null
    return { row: { ...row, entityName: record?.name ?? row.entityName ?? keyName(row.entityKey) }, isStored }
  })
}

const keyName = (key: EntityKey | null): string | null =>
  key === null ? null : 'project' in key ? `${key.project}/${key.organization}` : key.name

/** @returns false where there is an open one. */
async function insertRequest(
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

export const requestExemption = command({
  name: 'compliance.exemption.create',
  summary: 'Ask for an exemption of one entity from one rule',
  description:
    'The entity is named by `entityId`, or by `entityKey` where it is not stored yet or lies in a repository: exactly one of them. `isStored` of the answer says whether a live record is named.',
  http: { method: 'post', path: '/compliance/exemptions', status: 201 },
  access: permission('compliance:read'),
  tenant: fromHeader,
  audit: ['compliance.exemption.request'],
  idempotent: true,
  input: { body: Request },
  output: strictObject({ exemption: ExemptionRecord }),
  errors: ['CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { tx, nowMs } = context
    const rule = (await rulesNamed(context, [body])).get(body.ruleId)
    if (rule === undefined) throw notFound('Rule')
    const issues = issuesOf(body, rule, nowMs, '/body')
    if (issues.length > 0) throw invalid(issues)
    await endExpired(tx, tenantId(context), nowMs)
    const [asked] = await withNames(context, [rowOf(context, body, rule)])
    if (asked === undefined) throw new Error('one request gave no row')
    const { row, isStored } = asked
    if (!(await insertRequest(context, row))) {
      throw new Refusal('CONFLICT', 'there is an open exemption of this entity from this rule')
    }
    return changed({ exemption: exemptionRecord(row, nowMs, isStored) })
  },
})

export const requestExemptions = command({
  name: 'compliance.exemption.bulk-create',
  summary: 'Ask for up to 500 exemptions',
  description: 'One bad entry refuses all. Entries that are open already, or stand twice in the call, are skipped.',
  http: { method: 'post', path: '/compliance/exemptions/bulk', status: 201 },
  access: permission('compliance:read'),
  tenant: fromHeader,
  audit: ['compliance.exemption.request'],
  idempotent: true,
  input: { body: strictObject({ exemptions: Type.Array(Request, { minItems: 1, maxItems: BULK_MAX }) }) },
  output: strictObject({ created: Type.Integer(), skipped: Type.Integer(), ids: Type.Array(Uuid) }),
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { body: { exemptions } }) {
    const { tx, nowMs } = context
    const rules = await rulesNamed(context, exemptions)
    if (exemptions.some(({ ruleId }) => !rules.has(ruleId))) throw notFound('Rule')
    const issues = exemptions.flatMap((each, index) => {
      const rule = rules.get(each.ruleId)
      return rule === undefined ? [] : issuesOf(each, rule, nowMs, `/body/exemptions/${index}`)
    })
    if (issues.length > 0) throw invalid(issues)
    await endExpired(tx, tenantId(context), nowMs)
    const rows = exemptions.flatMap((each) => {
      const rule = rules.get(each.ruleId)
      return rule === undefined ? [] : [rowOf(context, each, rule)]
    })
    const ids: string[] = []
    for (const { row } of await withNames(context, rows)) {
      if (await insertRequest(context, row)) ids.push(row.id)
    }
    const data = { created: ids.length, skipped: exemptions.length - ids.length, ids }
    return ids.length === 0 ? unchanged(data) : changed(data)
  },
})
