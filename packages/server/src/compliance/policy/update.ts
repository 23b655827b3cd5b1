/** Change a policy. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { DryRun } from '../../runtime/operation/dry-run.js'
import { nameKey } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { findOwnPolicy } from '../membership/own-policy.js'
import { restateMembers, setMembers } from '../membership/write.js'
import { ruleText } from '../rule/schema.js'
import { lockRules } from '../rule-stamp.js'
import { complianceTables, type PolicyRow } from '../tables.js'
import { changeable, Name, Output, Path, withMembers } from './change.js'
import { POLICY_SERVER_OWNED } from './record.js'
import { liveKey, membersWanted, updatePolicyRow } from './write.js'

export const updatePolicy = command({
  name: 'compliance.policy.update',
  summary: 'Change a policy',
  description: 'Fields that are not sent stay. `rules` or `ruleIds` replace the whole list.',
  http: { method: 'put', path: '/compliance/policies/:id' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.policy.update'],
  serverOwned: POLICY_SERVER_OWNED,
  input: {
    path: Path,
    query: DryRun,
    body: strictObject({ name: Type.Optional(Name), ...changeable }, { minProperties: 1 }),
  },
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
      nameKey: nameKey(name),
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
    // Deleted rules count as listed: a rule that the update leaves out is not listed again when it is restored.
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

/** The ids of the rules that a policy lists, including deleted ones. */
async function listedIn(db: Db, policyId: string): Promise<string[]> {
  const { policyRules: t } = complianceTables(db)
  const rows = await db.select({ ruleId: t.ruleId }).from(t).where(eq(t.policyId, policyId))
  return rows.map(({ ruleId }) => ruleId)
}
