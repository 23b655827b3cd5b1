import { and, eq } from 'drizzle-orm'
import { permission, withStepUpWhen } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { liveOrganization, lockAccount } from '../account/organizations.js'
import { checkActiveAbove, findMembership } from '../membership/find.js'
import { memberRecord } from '../membership/record.js'
import { withSeats } from '../organization/seats.js'
import { organizationPath } from '../paths.js'
import { checkCeiling, checkHeldRoles, heldPermissions } from '../role/ceiling.js'
import { dropStale, type Writing } from '../stale.js'
import { confirmGrant, GRANTS_MORE } from '../step-up/when.js'
import { identityTables } from '../tables.js'
import { lockMember, MemberAnswer, onMember } from './lock.js'

async function setActive(context: Writing, orgId: string, userId: string): Promise<void> {
  const { tx } = context
  const { memberships } = identityTables(tx)
  await tx
    .update(memberships)
    .set({ isActive: true })
    .where(and(eq(memberships.orgId, orgId), eq(memberships.userId, userId)))
  dropStale(context, { userId })
}

/** `PATCH …/activate`: uses a seat. */
export const activateMember = command({
  name: 'identity.member.activate',
  summary: 'Activate a member again',
  http: { method: 'patch', ...organizationPath('/:id/members/:userId/activate') },
  access: withStepUpWhen(GRANTS_MORE, permission('members:manage')),
  tenant: fromPath('id'),
  acrossOrganizations: 'seats are counted over the teams of the account',
  audit: ['org.member.activate'],
  input: onMember,
  output: MemberAnswer,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'SEAT_LIMIT'],
  async prepare(context, { path: { userId } }) {
    const orgId = tenantId(context)
    const granted = await context.read(async (db) => {
      const membership = await findMembership(db, orgId, userId)
      return membership === null || membership.isActive ? [] : heldPermissions(db, orgId, userId)
    })
    checkCeiling(context.authority, granted)
    await confirmGrant(context, 'identity.member.activate', granted)
    return null
  },
  async run(context, { path: { userId } }) {
    const { tx, runtime, authority, nowMs } = context
    // Seats are counted under the lock of the root's row, and roots are locked before their teams.
    await lockAccount(tx, (await liveOrganization(tx, tenantId(context))).rootOrgId)
    const [org, membership] = await lockMember(context, userId)
    if (membership.isActive) return unchanged({ member: await memberRecord(tx, org, userId) })
    await checkActiveAbove(tx, org, userId)
    // The Roles that were kept take effect again, so the actor grants them and needs their permissions.
    // guard: the-roles-of-a-member-who-is-activated
    await checkHeldRoles(tx, authority, org.id, userId)
    await withSeats(tx, { rootOrgId: org.rootOrgId, settings: runtime.settings, nowMs }, () =>
      setActive(context, org.id, userId),
    )
    await context.audit('org.member.activate', { targetType: 'user', targetId: userId })
    return changed({ member: await memberRecord(tx, org, userId) })
  },
})
