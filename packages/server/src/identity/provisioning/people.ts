/** Membership changes by a directory. They use the same path as members who leave, without an acting person. */
import { and, eq } from 'drizzle-orm'
import type { WriteContext } from '../../runtime/operation/context.js'
import { lockAccount } from '../account/organizations.js'
import { endCredentialsIn, endMemberships, openDeparture, pauseMemberships } from '../member/leave.js'
import { findMembership } from '../membership/find.js'
import { withSeats } from '../organization/seats.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'

export const LEAVING = [
  'org.member.activate',
  'org.member.deactivate',
  'org.member.remove',
  'org.ownership.transfer',
  'invitation.revoke',
] as const
type Provisioning = WriteContext<(typeof LEAVING)[number]>

interface Who {
  readonly orgId: string
  readonly userId: string
}

/**
 * Activates or deactivates the membership of a root organization. After a deactivation the person has no session, token
 * or stream in the account, including all of its teams.
 * @returns false when nothing changes.
 */
export async function setMemberActive(
  context: Provisioning,
  { orgId, userId }: Who,
  active: boolean,
): Promise<boolean> {
  const { tx, runtime, nowMs } = context
  if (!active) {
    const departure = await openDeparture(context, userId, undefined)
    const isChange = await pauseMemberships(context, departure, userId)
    // guard: tokens-of-an-organization-end-with-its-directory
    if (isChange) await endCredentialsIn(context, departure, userId)
    return isChange
  }
  await lockAccount(tx, orgId)
  if ((await findMembership(tx, orgId, userId))?.isActive !== false) return false
  await withSeats(tx, { rootOrgId: orgId, settings: runtime.settings, nowMs }, async () => {
    const { memberships: t } = identityTables(tx)
    await tx
      .update(t)
      .set({ isActive: true })
      .where(and(eq(t.orgId, orgId), eq(t.userId, userId)))
  })
  dropStale(context, { userId })
  await context.audit('org.member.activate', { targetType: 'user', targetId: userId })
  return true
}

/** Ends the membership, also in the teams of the organization. */
export async function removeMember(context: Provisioning, userId: string): Promise<void> {
  const departure = await openDeparture(context, userId, undefined)
  await endMemberships(context, departure, { userId, reassignTo: undefined })
}
