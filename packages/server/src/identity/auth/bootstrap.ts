/**
 * The first system administrators. An address of `BOOTSTRAP_SUPERADMIN_EMAILS` becomes one only once it is verified:
 * whoever merely registers it first gains nothing. Source: platform decisions 3.12, 4.5.
 */
import { and, eq } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Runtime, WriteContext } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { isSuperAdmin } from '../directory.js'
import { builtInRoleId } from '../role/built-in.js'
import { identityOf } from '../services.js'
import { identityTables } from '../tables.js'
import { foldKey, type UserRow } from './insert-user.js'

/**
 * Grants Super Admin to a person whose verified address is listed, if they lack it.
 * @returns the user's row as it is now.
 */
export async function applyBootstrap(context: WriteContext<'admin.superadmin.grant'>, user: UserRow): Promise<UserRow> {
  const { tx, runtime } = context
  const isListed = runtime.settings.BOOTSTRAP_SUPERADMIN_EMAILS.some((each) => foldKey(each) === user.emailKey)
  if (!isListed || user.emailVerifiedAtMs === null || (await isSuperAdmin(tx, user.id))) return user
  await grantSuperAdmin(tx, runtime, user.id)
  await context.audit('admin.superadmin.grant', {
    orgId: SYSTEM_ORG_ID,
    targetType: 'user',
    targetId: user.id,
    details: { reason: 'verified bootstrap address' },
  })
  tx.afterCommit(() => identityOf(context).directory.drop({ userId: user.id }))
  return { ...user, tokenVersion: user.tokenVersion + 1 }
}

/** Membership in the system organization with the Role Super Admin. */
export async function grantSuperAdmin(tx: Tx, runtime: Pick<Runtime, 'clock' | 'ids'>, userId: string): Promise<void> {
  const { memberships, roleAssignments } = identityTables(tx)
  const nowMs = runtime.clock.now()
  const membership = { id: runtime.ids.next(), orgId: SYSTEM_ORG_ID, userId, isActive: true, joinedAtMs: nowMs }
  await insertNew(tx, memberships, membership)
  await tx
    .update(memberships)
    .set({ isActive: true })
    .where(and(eq(memberships.orgId, SYSTEM_ORG_ID), eq(memberships.userId, userId)))
  const roleId = await builtInRoleId(tx, SYSTEM_ORG_ID, 'Super Admin')
  await insertNew(tx, roleAssignments, {
    id: runtime.ids.next(),
    orgId: SYSTEM_ORG_ID,
    roleId,
    userId,
    createdAtMs: nowMs,
  })
}
