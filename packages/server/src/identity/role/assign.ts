/** Gives a Role to a member, or takes it away. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission, withStepUpWhen } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { liveOrganization } from '../account/organizations.js'
import { checkWho, findMembership } from '../membership/find.js'
import { MemberRecord, memberRecord } from '../membership/record.js'
import { foldKey } from '../new-user.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { confirmGrant, GRANTS_MORE } from '../step-up/when.js'
import { identityTables } from '../tables.js'
import { checkGrant } from './ceiling.js'
import { giveRole } from './give.js'
import { findRole } from './record.js'

/** `POST /organization/:id/roles/:roleId/members`: giving it twice is not an error. */
export const assignRole = command({
  name: 'identity.role.assign',
  summary: 'Give a Role to a member',
  http: { method: 'post', ...organizationPath('/:id/roles/:roleId/members') },
  access: withStepUpWhen(GRANTS_MORE, permission('roles:manage')),
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
  async prepare(context, { path }) {
    const role = await context.read((db) => findRole(db, tenantId(context), path.roleId))
    checkGrant(context.authority, role)
    await confirmGrant(context, 'identity.role.assign', role.permissions)
    return null
  },
  async run(context, { path, body }) {
    const { tx, authority, runtime } = context
    const orgId = tenantId(context)
    checkWho(body)
    const named = await findRole(tx, orgId, path.roleId)
    // A concurrent removal holds the organization's lock, so no Role outlives its membership.
    await lockRow(tx, 'organizations', orgId)
    await lockRow(tx, 'roles', named.id)
    const role = await findRole(tx, orgId, named.id)
    checkGrant(authority, role)
    const userId = body.userId ?? (await userOf(tx, body.email ?? ''))
    // The answer is the same for a person who is not a member and for a person who does not exist.
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
