/** `DELETE /organization/:id/roles/:roleId/members/:userId`. */
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { liveOrganization } from '../account/organizations.js'
import { actingUser } from '../actor.js'
import { findMembership } from '../membership/find.js'
import { keepLastHolder } from '../membership/privilege.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { checkCeiling, checkGrant } from './ceiling.js'
import { isGivenByGroup, takeRole } from './give.js'
import { findRole } from './record.js'

export const unassignRole = command({
  name: 'identity.role.unassign',
  summary: 'Take a Role from a member',
  http: { method: 'delete', ...organizationPath('/:id/roles/:roleId/members/:userId'), status: 204 },
  access: permission('roles:manage'),
  tenant: fromPath('id'),
  audit: ['org.role.member.remove'],
  input: { path: Type.Object({ id: Type.String(), roleId: Type.String(), userId: Type.String() }) },
  output: null,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'LAST_PRIVILEGED_MEMBER', 'NOT_FOUND', 'OWNER_PROTECTED'],
  async run(context, { path: { roleId, userId } }) {
    const { tx, authority } = context
    const orgId = tenantId(context)
    await lockRow(tx, 'organizations', orgId)
    const org = await liveOrganization(tx, orgId)
    const role = await findRole(tx, orgId, roleId)
    if (role.grantsLevel === 'superadmin') checkGrant(authority, role)
    // An actor cannot take a Role away whose permissions the actor lacks.
    checkCeiling(authority, role.permissions)
    const membership = await findMembership(tx, orgId, userId)
    const from = { orgId, roleId: role.id, userId }
    const isTaken = await takeRole(tx, from)
    const isGiven = await isGivenByGroup(tx, from)
    if (!isTaken && isGiven) throw givenByGroup()
    if (!isTaken) throw notFound('Member of the Role')
    if (role.grantsLevel === 'admin' && !isGiven) {
      if (org.ownerId === userId)
        throw new Refusal('OWNER_PROTECTED', 'the owner keeps Admin: transfer the organization first')
      if (userId === actingUser(context)) {
        throw new Refusal('CONFLICT', 'you cannot take Admin from yourself: ask another administrator')
      }
      if (membership?.isActive) await keepLastHolder(tx, orgId, role.id, userId)
    }
    dropStale(context, { userId })
    await context.audit('org.role.member.remove', {
      targetType: 'user',
      targetId: userId,
      details: { id: role.id, name: role.name },
    })
    return changed(null)
  },
})

const givenByGroup = (): Refusal =>
  new Refusal(
    'CONFLICT',
    'a group of the identity provider gives the Role: change the group there, or its mapping here',
    {
      details: { hint: 'PUT /organization/:id/idps/:idpId/groups' },
    },
  )
