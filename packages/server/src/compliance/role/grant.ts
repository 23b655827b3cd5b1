/** Give a member a compliance role, in place of the role that they have. */
import { grantComplianceRole, requireComplianceAdmin } from '../../identity/index.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { ofPerson, Role, RoleRecord, roleRecord } from './record.js'

export const grantRole = command({
  name: 'compliance.role.grant',
  summary: 'Give a member a compliance role, in place of the current one',
  description:
    'For owner and administrators, and for the compliance role `admin`. A role adds to the permissions of the member.',
  http: { method: 'put', path: '/compliance/roles/:userId' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.role.grant'],
  input: { path: ofPerson, body: strictObject({ role: Role }) },
  output: strictObject({ role: RoleRecord }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path: { userId }, body: { role } }) {
    requireComplianceAdmin(context.authority)
    const grant = { orgId: tenantId(context), userId, role, grantedBy: context.actor.id }
    const { row, isNew } = await grantComplianceRole(context, grant)
    if (!isNew) return unchanged({ role: roleRecord(row) })
    await context.audit('compliance.role.grant', { targetType: 'user', targetId: userId, details: { role } })
    return changed({ role: roleRecord(row) })
  },
})
