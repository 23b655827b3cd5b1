/** Changes of a membership that stays: its level, and whether it is active. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { actingUser } from '../actor.js'
import { liveOrganization, lockAccount } from '../organization/account.js'
import type { OrganizationRow } from '../organization/insert.js'
import { withSeats } from '../organization/seats.js'
import { organizationPath } from '../paths.js'
import { ADMIN_PERMISSIONS } from '../permission/bundles.js'
import { builtInRoleId } from '../role/built-in.js'
import { checkCeiling, checkHeldRoles } from '../role/ceiling.js'
import { giveRole, takeRole } from '../role/give.js'
import { dropStale, type Writing } from '../stale.js'
import { identityTables } from '../tables.js'
import { Level } from './add.js'
import { checkActiveAbove, findMembership, type MembershipRow } from './find.js'
import { openDeparture, pauseMemberships, TeamsTo } from './leave.js'
import { keepLastHolder } from './privilege.js'
import { MemberRecord, memberRecord } from './record.js'

const input = { path: Type.Object({ id: Type.String(), userId: Type.String() }) }
const output = strictObject({ member: MemberRecord })

/** The organization under its lock, and the membership in it. */
async function lockMember(context: WriteContext, userId: string): Promise<[OrganizationRow, MembershipRow]> {
  const { tx } = context
  const orgId = tenantId(context)
  await lockRow(tx, 'organizations', orgId)
  const org = await liveOrganization(tx, orgId)
  const membership = await findMembership(tx, orgId, userId)
  if (membership === null) throw notFound('Member')
  return [org, membership]
}

/** `PATCH /organization/:id/members/:userId`: gives or takes the built-in Admin Role. */
export const setMemberRole = command({
  name: 'identity.member.set-role',
  summary: 'Make a member an administrator, or an administrator a member',
  http: { method: 'patch', ...organizationPath('/:id/members/:userId') },
  access: permission('members:manage'),
  tenant: fromPath('id'),
  audit: ['org.role.member.add', 'org.role.member.remove'],
  input: { ...input, body: strictObject({ role: Level }) },
  output,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'LAST_PRIVILEGED_MEMBER', 'NOT_FOUND', 'OWNER_PROTECTED'],
  async run(context, { path: { userId }, body: { role } }) {
    const { tx, runtime, authority } = context
    const [org, membership] = await lockMember(context, userId)
    if (org.ownerId === userId) throw new Refusal('OWNER_PROTECTED', "the owner's level is fixed")
    if (role === 'member' && userId === actingUser(context)) {
      throw new Refusal('CONFLICT', 'you cannot take Admin from yourself: another administrator does')
    }
    const to = { orgId: org.id, userId, roleId: await builtInRoleId(tx, org.id, 'Admin') }
    // In both directions: nobody gives what they lack, and nobody disarms who holds more than they do.
    checkCeiling(authority, ADMIN_PERMISSIONS)
    let isChange: boolean
    if (role === 'admin') {
      isChange = await giveRole(tx, runtime, to)
    } else {
      isChange = await takeRole(tx, to)
      if (isChange && membership.isActive) await keepLastHolder(tx, org.id, to.roleId, userId)
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

async function setActive(context: Writing, orgId: string, userId: string): Promise<void> {
  const { tx } = context
  const { memberships } = identityTables(tx)
  await tx
    .update(memberships)
    .set({ isActive: true })
    .where(and(eq(memberships.orgId, orgId), eq(memberships.userId, userId)))
  dropStale(context, { userId })
}

/** `PATCH …/deactivate`: the Roles stay, the seat is free. */
export const deactivateMember = command({
  name: 'identity.member.deactivate',
  summary: 'Deactivate a member and free the seat',
  description:
    'Of a root organization: also in all its teams. Teams that the person owns pass to the owner of the root, or to ' +
    '`teamsTo`. Nobody deactivates a person who holds more than they do.',
  http: { method: 'patch', ...organizationPath('/:id/members/:userId/deactivate') },
  access: permission('members:manage'),
  tenant: fromPath('id'),
  acrossOrganizations: 'who is deactivated in a root organization is deactivated in its teams',
  audit: ['org.member.deactivate', 'org.ownership.transfer'],
  input: { ...input, query: Type.Object({ teamsTo: Type.Optional(TeamsTo) }) },
  output,
  errors: [
    'CONFLICT',
    'INSUFFICIENT_PERMISSIONS',
    'LAST_PRIVILEGED_MEMBER',
    'NOT_FOUND',
    'OWNER_PROTECTED',
    'VALIDATION_ERROR',
  ],
  async run(context, { path: { userId }, query: { teamsTo } }) {
    const { tx } = context
    const orgId = tenantId(context)
    const org = await liveOrganization(tx, orgId)
    if (org.ownerId !== userId && userId === actingUser(context)) {
      throw new Refusal('CONFLICT', 'you cannot deactivate yourself: leave instead')
    }
    if ((await findMembership(tx, orgId, userId)) === null) throw notFound('Member')
    const departure = await openDeparture(context, userId, teamsTo)
    const isChange = await pauseMemberships(context, departure, userId)
    const member = await memberRecord(tx, await liveOrganization(tx, orgId), userId)
    return isChange ? changed({ member }) : unchanged({ member })
  },
})

/** `PATCH …/activate`: takes a seat. */
export const activateMember = command({
  name: 'identity.member.activate',
  summary: 'Activate a member again',
  http: { method: 'patch', ...organizationPath('/:id/members/:userId/activate') },
  access: permission('members:manage'),
  tenant: fromPath('id'),
  acrossOrganizations: 'seats are counted over the teams of the account',
  audit: ['org.member.activate'],
  input,
  output,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'SEAT_LIMIT'],
  async run(context, { path: { userId } }) {
    const { tx, runtime, authority, nowMs } = context
    // The seats hang on the root's row, and roots are locked before their teams.
    await lockAccount(tx, (await liveOrganization(tx, tenantId(context))).rootOrgId)
    const [org, membership] = await lockMember(context, userId)
    if (membership.isActive) return unchanged({ member: await memberRecord(tx, org, userId) })
    await checkActiveAbove(tx, org, userId)
    // The Roles that stayed take effect again: whoever does that grants them.
    await checkHeldRoles(tx, authority, org.id, userId)
    await withSeats(tx, { rootOrgId: org.rootOrgId, settings: runtime.settings, nowMs }, () =>
      setActive(context, org.id, userId),
    )
    await context.audit('org.member.activate', { targetType: 'user', targetId: userId })
    return changed({ member: await memberRecord(tx, org, userId) })
  },
})
