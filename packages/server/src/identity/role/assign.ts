/** Gives a Role to a member, or takes it away. */

import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { actingUser } from '../actor.js'
import { foldKey } from '../auth/insert-user.js'
import { checkWho, findMembership } from '../member/find.js'
import { keepLastHolder } from '../member/privilege.js'
import { MemberRecord, memberRecord } from '../member/record.js'
import { liveOrganization } from '../organization/account.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { checkCeiling, checkGrant } from './ceiling.js'
import { giveRole, takeRole } from './give.js'
import { findRole } from './record.js'

/** `POST /organization/:id/roles/:roleId/members`: giving it twice is no error. */
export const assignRole = command({
  name: 'identity.role.assign',
  summary: 'Give a Role to a member',
  http: { method: 'post', ...organizationPath('/:id/roles/:roleId/members') },
  access: permission('roles:manage'),
  tenant: fromPath('id'),
  audit: ['org.role.member.add'],
  input: {
    path: Type.Object({ id: Type.String(), roleId: Type.String() }),
    body: strictObject({
      userId: Type.Optional(Uuid),
      email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
    }),
  },
  output: strictObject({ member: MemberRecord }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path, body }) {
    const { tx, authority, runtime } = context
    const orgId = tenantId(context)
    checkWho(body)
    const named = await findRole(tx, orgId, path.roleId)
    // A removal at the same time holds the organization's lock: no Role outlives its membership.
    await lockRow(tx, 'organizations', orgId)
    await lockRow(tx, 'roles', named.id)
    const role = await findRole(tx, orgId, named.id)
    checkGrant(authority, role)
    const userId = body.userId ?? (await userOf(tx, body.email ?? ''))
    // Somebody who is no member is not told apart from somebody who is not there.
    if (userId === null || (await findMembership(tx, orgId, userId)) === null) throw notFound('Member')
    const org = await liveOrganization(tx, orgId)
    if (!(await giveRole(tx, runtime, { orgId, roleId: role.id, userId }))) {
      return unchanged({ member: await memberRecord(tx, org, userId) })
    }
    dropStale(context, { userId })
    await context.audit('org.role.member.add', {
      targetType: 'user',
      targetId: userId,
      details: { id: role.id, name: role.name },
    })
    return changed({ member: await memberRecord(tx, org, userId) })
  },
})

async function userOf(db: Db, email: string): Promise<string | null> {
  const { users } = identityTables(db)
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.emailKey, foldKey(email)))
  return row?.id ?? null
}

/** `DELETE /organization/:id/roles/:roleId/members/:userId`. */
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
    // Nobody disarms somebody who may do more than they may.
    checkCeiling(authority, role.permissions)
    const membership = await findMembership(tx, orgId, userId)
    if (!(await takeRole(tx, { orgId, roleId: role.id, userId }))) throw notFound('Member of the Role')
    if (role.grantsLevel === 'admin') {
      if (org.ownerId === userId) throw new Refusal('OWNER_PROTECTED', 'the owner keeps Admin')
      if (userId === actingUser(context)) {
        throw new Refusal('CONFLICT', 'you cannot take Admin from yourself: another administrator does')
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
