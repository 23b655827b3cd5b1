/** `DELETE /compliance/rules/:id`: the rule stops applying at once; it can be restored until it is purged. */

import type { Condition } from '@plumbline/engine'
import { and, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { Deleted, deletedNow, deletedView } from '../../runtime/records/soft-delete.js'
import type { Db } from '../../runtime/store/db.js'
import { holdRules, lockRules } from '../rule-stamp.js'
import { complianceTables, type RuleRow } from '../tables.js'
import { findOwnRule } from './find.js'
import { writeRule } from './write.js'

export const Done = strictObject({ message: Type.String() })

export const deleteRule = command({
  name: 'compliance.rule.delete',
  summary: 'Delete a rule',
  description: 'It is no longer enforced. It can be restored until it is purged; its history is kept until then.',
  http: { method: 'delete', path: '/compliance/rules/:id' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  acrossOrganizations: 'exemptions of teams and subscribers from the rule end with it',
  audit: ['compliance.rule.delete', 'compliance.exemption.revoke'],
  input: { path: Type.Object({ id: Uuid }) },
  output: Deleted,
  errors: ['CONFLICT', 'NOT_FOUND'],
  async run(context, { path }) {
    const { tx, nowMs } = context
    const orgId = tenantId(context)
    await lockRules(tx, orgId)
    await holdRules(tx, [path.id], 'alone')
    const row = await findOwnRule(tx, orgId, path.id)
    context.checkRevision(row.version)
    const dependents = await dependentsOf(tx, orgId, row.id)
    // guard: a-rule-that-others-depend-on-stays
    if (dependents.length > 0) {
      throw new Refusal(
        'CONFLICT',
        `${dependents.length === 1 ? '1 rule depends' : `${dependents.length} rules depend`} on it: change ${dependents.length === 1 ? 'that' : 'them'} first`,
        {
          details: { dependents },
        },
      )
    }
    const tombstone = deletedNow(context)
    const after = {
      ...row,
      liveName: null,
      updatedAtMs: nowMs,
      ...tombstone,
    }
    await writeRule(context, row, after, 'deleted')
    // guard: an-exemption-ends-with-its-rule
    // guard: verdicts-know-exemptions-that-ended-with-their-rule
    await endExemptions(context, row)
    await context.audit('compliance.rule.delete', { targetType: 'rule', targetId: row.id, details: { name: row.name } })
    return changed(deletedView(row.id, `the rule ${row.name}`, tombstone))
  },
})

/** Live rules of the organization whose conditions name the rule. */
async function dependentsOf(db: Db, orgId: string, id: string): Promise<{ id: string; name: string }[]> {
  const { rules: t } = complianceTables(db)
  const rows = await db
    .select({ id: t.id, name: t.name, check: t.check })
    .from(t)
    .where(and(eq(t.orgId, orgId), isNull(t.deletedAtMs), ne(t.id, id)))
  const dependsOn = ({ dependsOnRule }: Condition): boolean => dependsOnRule === id
  return rows.filter(({ check }) => check.conditions?.some(dependsOn) === true).map(({ id, name }) => ({ id, name }))
}

/**
 * A restored rule comes back without its exemptions. Another organization does not see who deleted the rule, but its
 * trail records that its exemptions ended.
 */
async function endExemptions(
  { tx, nowMs, actor, audit }: WriteContext<'compliance.exemption.revoke'>,
  { id: ruleId, orgId, name }: Pick<RuleRow, 'id' | 'orgId' | 'name'>,
): Promise<void> {
  const { exemptions: t } = complianceTables(tx)
  const ended = await tx
    .update(t)
    .set({
      status: 'revoked',
      openKey: null,
      revision: sql`${t.revision} + 1`,
      updatedBy: sql`CASE WHEN ${t.orgId} = ${orgId} THEN ${actor.id} END`,
      updatedAtMs: nowMs,
    })
    .where(and(eq(t.ruleId, ruleId), isNotNull(t.openKey)))
    .returning({ orgId: t.orgId })
  const affected = new Set(ended.map((each) => each.orgId).filter((each) => each !== orgId))
  for (const affectedOrgId of [...affected].sort()) {
    await audit('compliance.exemption.revoke', {
      targetType: 'rule',
      targetId: ruleId,
      affectedOrgId,
      details: { name, reason: 'the rule was deleted' },
    })
  }
}
