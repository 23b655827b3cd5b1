/** How a person becomes a member: the initial level and Roles, the step-up for them, the membership. */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { type Authority, type PrepareContext, tenantId } from '../../runtime/operation/context.js'
import { Uuid } from '../../runtime/operation/schema.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { lockAccount } from '../account/organizations.js'
import { insertMembership } from '../account/row.js'
import { findInAccount, type Person } from '../membership/find.js'
import { ADMIN_PERMISSIONS, MEMBER_PERMISSIONS } from '../permission/bundles.js'
import { builtInRoleId } from '../role/built-in.js'
import { checkCeiling, grantableRoles } from '../role/ceiling.js'
import { dropStale, type Writing } from '../stale.js'
import { confirmGrant } from '../step-up/when.js'

export const Level = Type.Enum(['admin', 'member'])

export type Level = 'admin' | 'member'

export const Who = {
  userId: Type.Optional(Uuid),
  email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
}

/** The Roles that a new member of this level starts with, after the ceiling is checked for all of them. */
export async function startingRoles(
  db: Db,
  authority: Authority,
  orgId: string,
  { role, roleIds }: { role: Level; roleIds: readonly string[] },
): Promise<string[]> {
  checkCeiling(authority, role === 'admin' ? ADMIN_PERMISSIONS : MEMBER_PERMISSIONS)
  const extra = await grantableRoles(db, authority, orgId, roleIds)
  const ids = [await builtInRoleId(db, orgId, 'Member')]
  if (role === 'admin') ids.push(await builtInRoleId(db, orgId, 'Admin'))
  return [...new Set([...ids, ...extra.map(({ id }) => id)])]
}

/** Requires a step-up when the new member would start with more than the Role Member grants. */
export async function confirmStart(
  context: PrepareContext,
  operationName: string,
  { role = 'member', roleIds = [] }: { role?: Level; roleIds?: readonly string[] },
): Promise<null> {
  const { authority } = context
  const level = role === 'admin' ? ADMIN_PERMISSIONS : MEMBER_PERMISSIONS
  // Checks the ceiling first, so that no step-up is asked for a request that is refused anyway.
  checkCeiling(authority, level)
  const extra = await context.read((db) => grantableRoles(db, authority, tenantId(context), roleIds))
  await confirmGrant(context, operationName, [...level, ...extra.flatMap(({ permissions }) => permissions)])
  return null
}

/** Makes a person a member with these Roles. A deactivated member is not activated here. */
export async function join(
  context: Writing,
  membership: { orgId: string; userId: string; roleIds: readonly string[] },
): Promise<void> {
  await insertMembership(context.tx, context.runtime, membership)
  dropStale(context, { userId: membership.userId })
}

/** Runs under the lock of the account, so that a concurrent removal is either complete or not started. */
export async function personOf(tx: Tx, rootOrgId: string, who: { userId?: string; email?: string }): Promise<Person> {
  await lockAccount(tx, rootOrgId)
  const person = await findInAccount(tx, rootOrgId, who)
  if (person !== null) return person
  throw new Refusal('NOT_FOUND', 'User not found in this account: send an invitation to their e-mail address', {
    details: { hint: 'POST /invitation/send' },
  })
}
