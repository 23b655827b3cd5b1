/** Revoke the compliance role of a member. */
import { requireComplianceAdmin, revokeComplianceRole } from '../../identity/index.js'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { Done } from '../rule/delete.js'
import { ofPerson } from './record.js'

export const revokeRole = command({
  name: 'compliance.role.revoke',
  summary: 'Take the compliance role from a member',
  http: { method: 'delete', path: '/compliance/roles/:userId' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.role.revoke'],
  input: { path: ofPerson },
  output: Done,
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  async run(context, { path: { userId } }) {
    requireComplianceAdmin(context.authority)
    const role = await revokeComplianceRole(context, { orgId: tenantId(context), userId })
    if (role === null) throw notFound('Compliance role')
    await context.audit('compliance.role.revoke', { targetType: 'user', targetId: userId, details: { role } })
    return changed({ message: `the compliance role ${role} is taken` })
  },
})
