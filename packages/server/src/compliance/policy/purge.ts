/** Remove a deleted policy for good. */

import { and, eq } from 'drizzle-orm'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { PurgedAnswer, purgedView } from '../../runtime/records/soft-delete.js'
import type { Tx } from '../../runtime/store/db.js'
import { forgetPolicy } from '../past/forget.js'
import { lockRules } from '../rule-stamp.js'
import { complianceTables, type PolicyRow } from '../tables.js'
import { findDeletedPolicy, Path } from './change.js'

export const purgePolicy = command({
  name: 'compliance.policy.purge',
  summary: 'Purge a deleted policy',
  http: { method: 'post', path: '/compliance/policies/:id/purge' },
  access: withStepUp(permission('compliance:write')),
  tenant: fromHeader,
  audit: ['compliance.policy.purge'],
  input: { path: Path },
  output: PurgedAnswer,
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
    return changed(purgedView(row.id, `the policy ${row.name}`))
  },
})

export async function removePolicy(tx: Tx, { id, orgId }: Pick<PolicyRow, 'id' | 'orgId'>): Promise<void> {
  const { policies, policyRules } = complianceTables(tx)
  await forgetPolicy(tx, { id, orgId })
  await tx.delete(policyRules).where(and(eq(policyRules.policyId, id), eq(policyRules.orgId, orgId)))
  await tx.delete(policies).where(and(eq(policies.id, id), eq(policies.orgId, orgId)))
}
