/** Accepting an invitation, by an existing account or a new one: writes the membership and uses up the invitation. */
import { and, eq, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import type { OrganizationRow } from '../account/row.js'
import { join } from '../member/join.js'
import { checkActiveAbove, findMembership } from '../membership/find.js'
import { withSeats } from '../organization/seats.js'
import { builtInRoleId } from '../role/built-in.js'
import { identityTables } from '../tables.js'
import { opened } from './open.js'
import { checkPending, checkWay, type InvitationRow, type InvitationWay } from './record.js'

/**
 * Writes the membership and uses the invitation up, under the account's lock. The invitation's seat becomes the
 * member's.
 */
export async function useInvitation(
  context: WriteContext,
  token: string,
  userOf: (row: InvitationRow) => Promise<string>,
  via: InvitationWay = 'email',
): Promise<{ row: InvitationRow; org: OrganizationRow; userId: string }> {
  const { tx, runtime, nowMs } = context
  const { org } = await opened(tx, token)
  return withSeats(tx, { rootOrgId: org.rootOrgId, settings: runtime.settings, nowMs }, async () => {
    const { row } = await opened(tx, token)
    // guard: the-state-of-an-invitation
    checkPending(row, nowMs)
    checkWay(row, via)
    const userId = await userOf(row)
    await checkActiveAbove(tx, org, userId)
    const existing = await findMembership(tx, org.id, userId)
    if (existing === null) await join(context, { orgId: org.id, userId, roleIds: await rolesOf(tx, row) })
    else if (!existing.isActive) {
      throw new Refusal('CONFLICT', 'your membership is deactivated: ask an administrator to activate it')
    }
    const { invitations } = identityTables(tx)
    // The condition includes the status, so that of an acceptance and a refusal at the same time, one wins.
    const used = await tx
      .update(invitations)
      .set({ status: 'accepted', liveKey: null, acceptedAtMs: nowMs, acceptedBy: userId, acceptedVia: via })
      .where(and(eq(invitations.id, row.id), eq(invitations.status, 'pending')))
      .returning({ id: invitations.id })
    if (used.length === 0) throw new Refusal('INVITATION_DECLINED', 'the invitation was answered already')
    return { row, org, userId }
  })
}

/** The built-in Roles of the level, and the invited Roles that still exist. */
async function rolesOf(tx: Tx, row: InvitationRow): Promise<string[]> {
  const ids = [await builtInRoleId(tx, row.orgId, 'Member')]
  if (row.role === 'admin') ids.push(await builtInRoleId(tx, row.orgId, 'Admin'))
  if (row.roleIds.length === 0) return ids
  const { roles } = identityTables(tx)
  const live = await tx
    .select({ id: roles.id })
    .from(roles)
    .where(and(eq(roles.orgId, row.orgId), inArray(roles.id, row.roleIds)))
  return [...ids, ...live.map(({ id }) => id)]
}

export const Joined = strictObject({
  organization: strictObject({ id: Uuid, name: Type.String(), slug: Type.String() }),
  membership: strictObject({ userId: Uuid, role: Type.Enum(['admin', 'member']) }),
})

export const joined = ({ row, org, userId }: { row: InvitationRow; org: OrganizationRow; userId: string }) => ({
  organization: { id: org.id, name: org.name, slug: org.slug },
  membership: { userId, role: row.role as 'admin' | 'member' },
})
