/** Delete a policy. */

import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { Deleted, deletedNow, deletedView } from '../../runtime/records/soft-delete.js'
import { findOwnPolicy } from '../membership/own-policy.js'
import { restateMembers } from '../membership/write.js'
import { lockRules } from '../rule-stamp.js'
import type { PolicyRow } from '../tables.js'
import { Path } from './change.js'
import { updatePolicyRow } from './write.js'

export const deletePolicy = command({
  name: 'compliance.policy.delete',
  summary: 'Delete a policy',
  description: 'Its rules stay, and are enforced as before they were in the policy.',
  http: { method: 'delete', path: '/compliance/policies/:id' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.policy.delete'],
  input: { path: Path },
  output: Deleted,
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    const { tx, nowMs } = context
    const orgId = tenantId(context)
    await lockRules(tx, orgId)
    const row = await findOwnPolicy(tx, orgId, path.id)
    context.checkRevision(row.revision)
    const tombstone = deletedNow(context)
    const ended: PolicyRow = {
      ...row,
      liveKey: null,
      updatedAtMs: nowMs,
      ...tombstone,
    }
    await updatePolicyRow(tx, ended)
    await restateMembers(context, ended)
    await context.audit('compliance.policy.delete', {
      targetType: 'policy',
      targetId: row.id,
      details: { name: row.name },
    })
    return changed(deletedView(row.id, `the policy ${row.name}`, tombstone))
  },
})
