/** Creates, changes and ends policies (compliance decisions 8 and 20). */
import { and, eq, isNotNull } from 'drizzle-orm'
import Type from 'typebox'
import { insufficient, notFound } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { name } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { forgetPolicy } from '../past/forget.js'
import { Done } from '../rule/delete.js'
import { ruleText } from '../rule/schema.js'
import { lockRules } from '../rule-set/stamp.js'
import { complianceTables, type PolicyRow } from '../tables.js'
import { findOwnPolicy, membersOf, POLICY_SERVER_OWNED, PolicyRecord, policyRecord } from './record.js'
import {
  insertPolicy,
  liveKey,
  membersWanted,
  RULES_MAX,
  restateMembers,
  setMembers,
  updatePolicyRow,
} from './write.js'

const DAY_MS = 86_400_000

const Name = name(1, 255)
const Version = Type.String({ minLength: 1, maxLength: 50, pattern: '^\\S+$', 'x-says': 'must have no spaces' })
const changeable = {
  version: Type.Optional(Version),
  description: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 })),
  isActive: Type.Optional(Type.Boolean()),
  rules: Type.Optional(
    Type.Array(name(1, 255), {
      maxItems: RULES_MAX,
      description: 'Names of own rules',
    }),
  ),
  ruleIds: Type.Optional(Type.Array(Uuid, { maxItems: RULES_MAX, description: 'Ids of own rules' })),
}
const Output = strictObject({ policy: PolicyRecord })
const Path = Type.Object({ id: Uuid })

const withMembers = async (db: Db, row: PolicyRow) => ({
  policy: policyRecord(row, (await membersOf(db, [row.id])).get(row.id) ?? [], row.orgId),
})

export const createPolicy = command({
  name: 'compliance.policy.create',
  summary: 'Create a policy',
  http: { method: 'post', path: '/compliance/policies', status: 201 },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.policy.create'],
  idempotent: true,
  input: { body: strictObject({ name: Name, isTemplate: Type.Optional(Type.Boolean()), ...changeable }) },
  output: Output,
  errors: ['DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { tx, runtime, nowMs, actor } = context
    const orgId = tenantId(context)
    if (body.isTemplate === true && orgId !== SYSTEM_ORG_ID) {
      throw insufficient('system-admin', 'only the system organization has templates: leave `isTemplate` out')
    }
    await lockRules(tx, orgId)
    const ruleIds = (await membersWanted(tx, orgId, body)) ?? []
    const version = body.version ?? '1.0.0'
    const tags = [...new Set(body.tags ?? [])]
    const row: PolicyRow = {
      id: runtime.ids.next(),
      orgId,
      name: body.name,
      version,
      liveKey: liveKey(body.name, version),
      description: body.description ?? null,
      tags,
      tagText: ruleText(tags),
      isTemplate: body.isTemplate ?? false,
      isPublished: false,
      isActive: body.isActive ?? true,
      revision: 1,
      createdAtMs: nowMs,
      createdBy: actor.id,
      updatedAtMs: nowMs,
      updatedBy: actor.id,
      deletedAtMs: null,
      deletedBy: null,
      purgeAfterMs: null,
    }
    await insertPolicy(tx, row)
    await setMembers(context, row, ruleIds)
    await context.audit('compliance.policy.create', {
      targetType: 'policy',
      targetId: row.id,
      details: { name: row.name },
    })
    return changed(await withMembers(tx, row))
  },
})

export const updatePolicy = command({
  name: 'compliance.policy.update',
  summary: 'Change a policy',
  description: 'Fields that are not sent stay. `rules` or `ruleIds` replace the whole group.',
  http: { method: 'put', path: '/compliance/policies/:id' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.policy.update'],
  serverOwned: POLICY_SERVER_OWNED,
  input: { path: Path, body: strictObject({ name: Type.Optional(Name), ...changeable }, { minProperties: 1 }) },
  output: Output,
  errors: ['DUPLICATE_ENTRY', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path, body }) {
    const { tx, nowMs, actor } = context
    const orgId = tenantId(context)
    await lockRules(tx, orgId)
    const row = await findOwnPolicy(tx, orgId, path.id)
    context.checkRevision(row.revision)
    const before = (await withMembers(tx, row)).policy
    context.checkServerOwned(before)
    const wanted = await membersWanted(tx, orgId, body)
    const name = body.name ?? row.name
    const version = body.version ?? row.version
    const tags = body.tags === undefined ? row.tags : [...new Set(body.tags)]
    const next: PolicyRow = {
      ...row,
      name,
      version,
      liveKey: liveKey(name, version),
      description: body.description === undefined ? row.description : body.description,
      tags,
      tagText: ruleText(tags),
      isActive: body.isActive ?? row.isActive,
    }
    const fields = (['name', 'version', 'description', 'tags', 'isActive'] as const).filter(
      (field) => JSON.stringify(next[field]) !== JSON.stringify(row[field]),
    )
    // Deleted rules count: one that is left out does not come back with its restoring.
    const isRegrouped = wanted !== null && !sameMembers(wanted, await listedIn(tx, row.id))
    if (fields.length === 0 && !isRegrouped) return unchanged({ policy: before })
    Object.assign(next, { revision: row.revision + 1, updatedAtMs: nowMs, updatedBy: actor.id })
    await updatePolicyRow(tx, next)
    if (wanted !== null && isRegrouped) await setMembers(context, next, wanted)
    else if (next.isActive !== row.isActive) await restateMembers(context, next)
    await context.audit('compliance.policy.update', {
      targetType: 'policy',
      targetId: row.id,
      details: { name: next.name, changed: [...fields, ...(isRegrouped ? ['rules'] : [])] },
    })
    return changed(await withMembers(tx, next))
  },
})

const sameMembers = (ids: readonly string[], listed: readonly string[]): boolean =>
  [...ids].sort().join() === [...listed].sort().join()

/** The rules that a policy lists, deleted ones too. */
async function listedIn(db: Db, policyId: string): Promise<string[]> {
  const { policyRules: t } = complianceTables(db)
  const rows = await db.select({ ruleId: t.ruleId }).from(t).where(eq(t.policyId, policyId))
  return rows.map(({ ruleId }) => ruleId)
}

export const deletePolicy = command({
  name: 'compliance.policy.delete',
  summary: 'Delete a policy',
  description: 'Its rules stay, and are enforced as if it had never listed them.',
  http: { method: 'delete', path: '/compliance/policies/:id' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.policy.delete'],
  input: { path: Path },
  output: Done,
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    const { tx, runtime, nowMs, actor } = context
    const orgId = tenantId(context)
    await lockRules(tx, orgId)
    const row = await findOwnPolicy(tx, orgId, path.id)
    context.checkRevision(row.revision)
    const ended: PolicyRow = {
      ...row,
      liveKey: null,
      updatedAtMs: nowMs,
      deletedAtMs: nowMs,
      deletedBy: actor.id,
      purgeAfterMs: nowMs + runtime.settings.SOFT_DELETE_RETENTION_DAYS * DAY_MS,
    }
    await updatePolicyRow(tx, ended)
    await restateMembers(context, ended)
    await context.audit('compliance.policy.delete', {
      targetType: 'policy',
      targetId: row.id,
      details: { name: row.name },
    })
    return changed({ message: `the policy ${row.name} is deleted` })
  },
})

async function findDeletedPolicy(db: Db, orgId: string, id: string): Promise<PolicyRow> {
  const { policies: t } = complianceTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), eq(t.orgId, orgId), isNotNull(t.deletedAtMs)))
  if (row === undefined) throw notFound('Policy')
  return row
}

export const restorePolicy = command({
  name: 'compliance.policy.restore',
  summary: 'Restore a deleted policy with its rules',
  http: { method: 'post', path: '/compliance/policies/:id/restore' },
  access: withStepUp(permission('compliance:write')),
  tenant: fromHeader,
  audit: ['compliance.policy.restore'],
  input: { path: Path },
  output: Output,
  errors: ['DUPLICATE_ENTRY', 'NOT_FOUND'],
  async run(context, { path }) {
    const { tx, nowMs, actor } = context
    const orgId = tenantId(context)
    await lockRules(tx, orgId)
    const row = await findDeletedPolicy(tx, orgId, path.id)
    const revived: PolicyRow = {
      ...row,
      liveKey: liveKey(row.name, row.version),
      revision: row.revision + 1,
      updatedAtMs: nowMs,
      updatedBy: actor.id,
      deletedAtMs: null,
      deletedBy: null,
      purgeAfterMs: null,
    }
    await updatePolicyRow(tx, revived)
    await restateMembers(context, revived)
    await context.audit('compliance.policy.restore', {
      targetType: 'policy',
      targetId: row.id,
      details: { name: row.name },
    })
    return changed(await withMembers(tx, revived))
  },
})

export const purgePolicy = command({
  name: 'compliance.policy.purge',
  summary: 'Remove a deleted policy for good',
  http: { method: 'post', path: '/compliance/policies/:id/purge' },
  access: withStepUp(permission('compliance:write')),
  tenant: fromHeader,
  audit: ['compliance.policy.purge'],
  input: { path: Path },
  output: Done,
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    const { tx } = context
    const orgId = tenantId(context)
    await lockRules(tx, orgId)
    const row = await findDeletedPolicy(tx, orgId, path.id)
    await removePolicy(tx, row)
    await context.audit('compliance.policy.purge', {
      targetType: 'policy',
      targetId: row.id,
      details: { name: row.name },
    })
    return changed({ message: `the policy ${row.name} is removed` })
  },
})

export async function removePolicy(tx: Tx, { id, orgId }: Pick<PolicyRow, 'id' | 'orgId'>): Promise<void> {
  const { policies, policyRules } = complianceTables(tx)
  await forgetPolicy(tx, { id, orgId })
  await tx.delete(policyRules).where(and(eq(policyRules.policyId, id), eq(policyRules.orgId, orgId)))
  await tx.delete(policies).where(and(eq(policies.id, id), eq(policies.orgId, orgId)))
}
