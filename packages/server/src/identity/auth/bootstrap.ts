/**
 * The first system administrators. A person whose address is in `BOOTSTRAP_SUPERADMIN_EMAILS` becomes one when they set
 * the password by a link to that mailbox. A person who merely registers the address first gains nothing, even when its
 * owner then confirms it. Source: spec platform 3.12, 4.5.
 */
import { and, eq } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Runtime, WriteContext } from '../../runtime/operation/context.js'
import type { Settings } from '../../runtime/settings/load.js'
import type { Tx } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { isSuperAdmin } from '../directory.js'
import { foldKey, type UserRow } from '../new-user.js'
import { builtInRoleId } from '../role/built-in.js'
import { identityOf } from '../services.js'
import { revokePersonalTokens } from '../session/end.js'
import { identityTables, MANUAL } from '../tables.js'

/**
 * Grants Super Admin to a person whose address is listed and who set the password by a link to its mailbox, if they
 * lack it. Older personal access tokens end, because somebody may have created them before that password was set.
 * @returns true when it was granted now.
 */
export async function applyBootstrap(context: WriteContext<'admin.superadmin.grant'>, user: UserRow): Promise<boolean> {
  const { tx, runtime } = context
  // guard: a-bootstrap-address-whose-mailbox-set-the-password
  const isProved = user.emailVerifiedAtMs !== null && user.passwordProvedKey === user.emailKey
  if (!isListed(runtime.settings, user.email) || !isProved || (await isSuperAdmin(tx, user.id))) return false
  // guard: tokens-from-before-a-bootstrap-grant-end
  await revokePersonalTokens(context, user.id, 'all')
  await giveSuperAdmin(tx, runtime, user.id)
  await context.audit('admin.superadmin.grant', {
    orgId: SYSTEM_ORG_ID,
    targetType: 'user',
    targetId: user.id,
    details: { reason: 'bootstrap address, password set by its mailbox' },
  })
  tx.afterCommit(() => identityOf(context).directory.drop({ userId: user.id }))
  return true
}

export const isListed = (
  { BOOTSTRAP_SUPERADMIN_EMAILS: listed }: Pick<Settings, 'BOOTSTRAP_SUPERADMIN_EMAILS'>,
  email: string,
): boolean => listed.some((each) => foldKey(each) === foldKey(email))

/** Membership in the system organization with the Role Super Admin. */
export async function giveSuperAdmin(tx: Tx, runtime: Pick<Runtime, 'clock' | 'ids'>, userId: string): Promise<void> {
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
    source: MANUAL,
    createdAtMs: nowMs,
  })
}
