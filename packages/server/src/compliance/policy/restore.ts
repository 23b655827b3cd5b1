/** Restore a deleted policy with its rules. */

import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import { restateMembers } from '../membership/write.js'
import { lockRules } from '../rule-stamp.js'
import type { PolicyRow } from '../tables.js'
import { findDeletedPolicy, Output, Path, withMembers } from './change.js'
import { liveKey, updatePolicyRow } from './write.js'

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
      ...NOT_DELETED,
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
