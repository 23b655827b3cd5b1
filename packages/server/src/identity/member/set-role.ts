import { Refusal } from '../../runtime/errors.js'
import { permission, withStepUpWhen } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { actingUser } from '../actor.js'
import { keepLastHolder } from '../membership/privilege.js'
import { memberRecord } from '../membership/record.js'
import { organizationPath } from '../paths.js'
import { ADMIN_PERMISSIONS } from '../permission/bundles.js'
import { builtInRoleId } from '../role/built-in.js'
import { checkCeiling } from '../role/ceiling.js'
import { giveRole, isGivenByGroup, takeRole } from '../role/give.js'
import { dropStale } from '../stale.js'
import { confirmGrant, GRANTS_MORE } from '../step-up/when.js'
import { Level } from './join.js'
import { lockMember, MemberAnswer, onMember } from './lock.js'

/** `PATCH /organization/:id/members/:userId`: gives or takes the built-in Admin Role. */
export const setMemberRole = command({
  name: 'identity.member.set-role',
  summary: 'Make a member an administrator, or an administrator a member',
  http: { method: 'patch', ...organizationPath('/:id/members/:userId') },
  access: withStepUpWhen(GRANTS_MORE, permission('members:manage')),
  tenant: fromPath('id'),
  audit: ['org.role.member.add', 'org.role.member.remove'],
  input: { ...onMember, body: strictObject({ role: Level }) },
  output: MemberAnswer,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'LAST_PRIVILEGED_MEMBER', 'NOT_FOUND', 'OWNER_PROTECTED'],
  async prepare(context, { body: { role } }) {
    if (role === 'member') return null
    checkCeiling(context.authority, ADMIN_PERMISSIONS)
    await confirmGrant(context, 'identity.member.set-role', ADMIN_PERMISSIONS)
    return null
  },
  async run(context, { path: { userId }, body: { role } }) {
    const { tx, runtime, authority } = context
    const [org, membership] = await lockMember(context, userId)
    if (org.ownerId === userId)
      throw new Refusal('OWNER_PROTECTED', 'the level of the owner cannot change: transfer the organization first')
    if (role === 'member' && userId === actingUser(context)) {
      throw new Refusal('CONFLICT', 'you cannot take Admin from yourself: ask another administrator')
    }
    const to = { orgId: org.id, userId, roleId: await builtInRoleId(tx, org.id, 'Admin') }
    // Applies in both directions: an actor can neither give Admin nor take it away without holding its permissions.
    checkCeiling(authority, ADMIN_PERMISSIONS)
    let isChange: boolean
    if (role === 'admin') {
      isChange = await giveRole(tx, runtime, to)
    } else {
      isChange = await takeRole(tx, to)
      if (isChange && membership.isActive && !(await isGivenByGroup(tx, to)))
        await keepLastHolder(tx, org.id, to.roleId, userId)
      const memberRoleId = await builtInRoleId(tx, org.id, 'Member')
      isChange = (await giveRole(tx, runtime, { ...to, roleId: memberRoleId })) || isChange
    }
    if (!isChange) return unchanged({ member: await memberRecord(tx, org, userId) })
    dropStale(context, { userId })
    const action = role === 'admin' ? 'org.role.member.add' : 'org.role.member.remove'
    await context.audit(action, { targetType: 'user', targetId: userId, details: { id: to.roleId, name: 'Admin' } })
    return changed({ member: await memberRecord(tx, org, userId) })
  },
})
