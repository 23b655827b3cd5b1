/**
 * The end of a membership, or its deactivation. In a root organization it applies to every team of the account too, in
 * the same transaction, and the teams that the person owns pass to another member. So no removed person keeps access,
 * and no team is left without an owner who can act.
 *
 * INVARIANT: the root's row is locked first, so that meanwhile no team is created, no invitation accepted and no member
 * added.
 */
import { and, eq, inArray, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { invalidField, notFound, Refusal } from '../../runtime/errors.js'
import { UUID } from '../../runtime/ids.js'
import { sendMail } from '../../runtime/mail/send.js'
import { tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { announceEntity } from '../../runtime/records/entity.js'
import type { Tx } from '../../runtime/store/db.js'
import { liveOrganization, lockAccount, lockOrganizations, restorableOrganizations } from '../account/organizations.js'
import { insertMembership, type OrganizationRow } from '../account/row.js'
import { actingPerson } from '../actor.js'
import { credentialTables } from '../credential/tables.js'
import { activeMember, findMembership, isActiveMember, type MembershipRow } from '../membership/find.js'
import { endAccessTokens, keepAdministrators, keepSuperAdmin } from '../membership/privilege.js'
import { ADMIN_PERMISSIONS } from '../permission/bundles.js'
import { builtInRoleId } from '../role/built-in.js'
import { checkCeiling } from '../role/ceiling.js'
import { giveRole } from '../role/give.js'
import { revokeSessions } from '../session/end.js'
import { endProofs } from '../session/end-vouched.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { administers } from '../team/administers.js'
import { deleteMembership } from './delete.js'
import { membershipEndedMail, teamPassedMail } from './mail.js'
import { checkHoldsNoMore, rankIn } from './rank.js'

/** A parameter of removal and deactivation. */
export const TeamsTo = Type.String({
  pattern: UUID.source,
  description: "The member of the root organization who becomes the new owner of the person's teams",
})

/** Completes the sentence "step-up when": a stolen session could name a new owner, whose rights outlive the session. */
export const NAMES_OWNER = 'set `teamsTo` to the new owner of the teams'

type Leaving = WriteContext<
  'org.member.remove' | 'org.member.deactivate' | 'org.ownership.transfer' | 'invitation.revoke'
>

/** One organization that the person leaves. */
interface Place {
  readonly org: OrganizationRow
  /** Null for a team that the person owns without being a member. */
  readonly membership: MembershipRow | null
}

export interface Departure {
  /** The organization that the request names. */
  readonly org: OrganizationRow
  /** The named organization first, then its teams. */
  readonly places: readonly Place[]
  /** The ids of the named organization and of its teams, deleted ones too, whether or not the person is a member. */
  readonly orgIds: readonly string[]
  readonly root: OrganizationRow
  /** The person to whom the owned teams pass; null when the root has no owner. */
  readonly heirId: string | null
}

/** Locks and reads the rows of what the person leaves, after every check that can refuse it. */
export async function openDeparture(context: Leaving, userId: string, teamsTo: string | undefined): Promise<Departure> {
  const { tx } = context
  const isSelf = userId === actingPerson(context)
  const named = await liveOrganization(tx, tenantId(context))
  const root = await lockAccount(tx, named.rootOrgId)
  const below = named.parentOrgId === null ? await restorableOrganizations(tx, named.id) : [named]
  await lockOrganizations(
    tx,
    below.map(({ id }) => id),
  )
  const org = await liveOrganization(tx, named.id)
  const places: Place[] = []
  // Read again: the ownership of a team may have changed before its lock was taken.
  // guard: who-leaves-a-root-leaves-its-teams
  const organizations = org.parentOrgId === null ? await restorableOrganizations(tx, org.id) : [org]
  const orgIds = organizations.map(({ id }) => id)
  for (const each of organizations) {
    const membership = await findMembership(tx, each.id, userId)
    if (membership !== null || each.ownerId === userId) places.push({ org: each, membership })
  }
  if (places.length === 0) throw notFound('Member')
  // guard: the-owner-stays-a-member
  if (org.parentOrgId === null && org.ownerId === userId) {
    throw new Refusal('OWNER_PROTECTED', 'the owner cannot leave: transfer the organization first')
  }
  const rank = await rankIn(context, org)
  const ownsTeam = places.some((place) => place.org.ownerId === userId)
  if (ownsTeam && org.parentOrgId !== null && (isSelf || !rank.isOfRoot)) {
    throw new Refusal('OWNER_PROTECTED', 'the owner cannot leave: transfer the team first')
  }
  await keepSuperAdmin(tx, org.id, userId, actingPerson(context))
  // guard: nobody-ends-the-membership-of-who-holds-more
  await checkHoldsNoMore(context, org, rank, userId)
  if (org.parentOrgId === null || !rank.isOfRoot) await keepAdministrators(tx, org.id, userId)
  if (teamsTo === undefined) {
    if (ownsTeam && root.ownerId === userId) {
      throw new Refusal('OWNER_PROTECTED', 'the team would pass to the person who leaves it: name another in `teamsTo`')
    }
    return { org, places, orgIds, root, heirId: root.ownerId }
  }
  if (isSelf || teamsTo === userId) {
    throw invalidField(
      '/query/teamsTo',
      'names another person, and is only for removing or deactivating a member',
      'heir',
    )
  }
  if (!rank.isOfRoot)
    throw invalidField('/query/teamsTo', 'is only for people who manage the members of the account', 'heir')
  // An owner has every permission of Admin.
  // guard: an-owner-of-a-team-is-named-only-by-who-holds-admin
  checkCeiling(rank, ADMIN_PERMISSIONS)
  await activeMember(tx, root.id, teamsTo)
  return { org, places, orgIds, root, heirId: teamsTo }
}

/**
 * Passes the teams that the person owns to the heir. The heir becomes an active member with Admin in teams where they
 * are not yet.
 */
export async function passTeams(
  context: Leaving,
  { places, heirId, org: tenant }: Departure,
  userId: string,
): Promise<void> {
  const { tx, runtime, nowMs } = context
  const { organizations, memberships } = identityTables(tx)
  const passed: string[] = []
  for (const { org } of places) {
    // guard: a-team-of-who-leaves-passes-on
    if (org.ownerId !== userId) continue
    if (heirId !== null) {
      const roleId = await builtInRoleId(tx, org.id, 'Admin')
      const membership = await findMembership(tx, org.id, heirId)
      if (membership === null) {
        await insertMembership(tx, runtime, { orgId: org.id, userId: heirId, roleIds: [roleId] })
      } else {
        await tx.update(memberships).set({ isActive: true }).where(eq(memberships.id, membership.id))
        await giveRole(tx, runtime, { orgId: org.id, roleId, userId: heirId })
      }
    }
    await tx
      .update(organizations)
      .set({ ownerId: heirId, revision: org.revision + 1, updatedAtMs: nowMs })
      .where(eq(organizations.id, org.id))
    dropStale(context, { orgId: org.id }, ...(heirId === null ? [] : [{ userId: heirId }]))
    await context.audit('org.ownership.transfer', {
      targetType: 'organization',
      targetId: org.id,
      ...elsewhere(org, tenant),
      details: { fromUserId: userId, toUserId: heirId },
    })
    passed.push(org.displayName)
  }
  if (passed.length === 0 || heirId === null || heirId === actingPerson(context)) return
  const [heir, leaver] = [await personOf(tx, heirId), await personOf(tx, userId)]
  if (heir?.isVerified) {
    const values = { username: heir.username, from: leaver?.username ?? userId, teams: passed.join(', ') }
    await sendMail(context, heir.email, teamPassedMail, values)
  }
}

/** Ends the membership in each place. @returns how many records passed to another owner. */
export async function endMemberships(
  context: Leaving,
  departure: Departure,
  { userId, reassignTo }: { readonly userId: string; readonly reassignTo: string | undefined },
): Promise<void> {
  const { tx } = context
  const { org: tenant, places, root } = departure
  if (reassignTo !== undefined) await activeMember(tx, tenant.id, reassignTo)
  await passTeams(context, departure, userId)
  for (const { org } of places) {
    const heir = await heirIn(tx, { org, tenant, root }, reassignTo)
    const reassigned = heir === undefined ? 0 : await reassign(context, org.id, userId, heir)
    await deleteMembership(tx, org.id, userId)
    await context.audit('org.member.remove', {
      targetType: 'user',
      targetId: userId,
      ...elsewhere(org, tenant),
      details: { reason: reasonOf(context, userId), reassignTo: heir ?? null, reassigned },
    })
  }
  await endCredentialsIn(context, departure, userId)
  // guard: a-removal-revokes-the-invitations-of-the-person
  if (tenant.parentOrgId === null && userId !== actingPerson(context))
    await revokeInvitations(context, departure, userId)
  await endAccessTokens(context, [userId])
  await tellLeaver(context, departure, { userId, what: 'removed' })
}

/** Deactivates the membership in each place. @returns false when none was active. */
export async function pauseMemberships(context: Leaving, departure: Departure, userId: string): Promise<boolean> {
  const { tx } = context
  const active = departure.places.filter(({ membership }) => membership?.isActive)
  const owned = departure.places.filter(({ org }) => org.ownerId === userId)
  if (active.length === 0 && owned.length === 0) return false
  await passTeams(context, departure, userId)
  const { memberships } = identityTables(tx)
  for (const { org } of active) {
    await tx
      .update(memberships)
      .set({ isActive: false })
      .where(and(eq(memberships.orgId, org.id), eq(memberships.userId, userId)))
    await context.audit('org.member.deactivate', {
      targetType: 'user',
      targetId: userId,
      ...elsewhere(org, departure.org),
    })
  }
  await endAccessTokens(context, [userId])
  await tellLeaver(context, departure, { userId, what: 'deactivated' })
  return true
}

/** Sets the organization of an audit event about a team, when the request names its root. */
const elsewhere = (org: OrganizationRow, tenant: OrganizationRow) =>
  org.id === tenant.id ? {} : { affectedOrgId: org.id }

const reasonOf = (context: Leaving, userId: string): string => (userId === actingPerson(context) ? 'left' : 'removed')

/** The person who takes over the records in this place. In a team, it must be a person who may own records there. */
async function heirIn(
  tx: Tx,
  { org, tenant, root }: { org: OrganizationRow; tenant: OrganizationRow; root: OrganizationRow },
  reassignTo: string | undefined,
): Promise<string | undefined> {
  if (reassignTo === undefined || org.id === tenant.id) return reassignTo
  const mayOwn =
    (await isActiveMember(tx, org.id, reassignTo)) || (await administers(tx, root, reassignTo)) === 'administrator'
  return mayOwn ? reassignTo : undefined
}

async function reassign(context: Leaving, orgId: string, from: string, to: string): Promise<number> {
  let rows = 0
  for (const domain of context.runtime.domains) {
    const moved = await domain.reassign?.(context.tx, orgId, from, to)
    rows += moved?.rows ?? 0
    for (const { target, id, deletedAtMs } of moved?.records ?? []) {
      if (deletedAtMs !== null) continue
      await announceEntity(context, orgId, { target, entityId: id, eventType: 'updated' })
    }
  }
  return rows
}

/**
 * Ends what a return would otherwise bring back: the sessions that the organization's provider opened, the proofs for
 * its single sign-on, and the tokens of the organization and of its teams. Who administers an account has tokens for
 * teams without being a member.
 */
export async function endCredentialsIn(context: Leaving, { org, orgIds }: Departure, userId: string): Promise<void> {
  const { tx, nowMs } = context
  // guard: the-confined-sessions-of-a-member-who-left-end
  await revokeSessions(context, userId, { boundOrgId: org.id })
  // guard: the-proofs-of-a-member-who-left-end
  await endProofs(context, userId, orgIds)
  const { personalAccessTokens: t } = credentialTables(tx)
  const revoked = await tx
    .update(t)
    .set({ revokedAtMs: nowMs })
    .where(and(inArray(t.orgId, [...orgIds]), eq(t.userId, userId), isNull(t.revokedAtMs)))
    .returning({ tokenHash: t.tokenHash })
  // guard: the-tokens-of-a-member-who-left-end-at-once
  dropStale(context, ...revoked)
}

/** An earlier invitation link must not let the person back into the account. */
async function revokeInvitations(context: Leaving, { root, orgIds }: Departure, userId: string): Promise<void> {
  const { tx } = context
  const { invitations, users } = identityTables(tx)
  const [person] = await tx.select({ emailKey: users.emailKey }).from(users).where(eq(users.id, userId))
  if (person === undefined) return
  const revoked = await tx
    .update(invitations)
    .set({ status: 'revoked', liveKey: null })
    .where(
      and(
        inArray(invitations.orgId, [...orgIds]),
        eq(invitations.emailKey, person.emailKey),
        eq(invitations.status, 'pending'),
      ),
    )
    .returning({ id: invitations.id, orgId: invitations.orgId, email: invitations.email })
  for (const { id, orgId, email } of revoked) {
    await context.audit('invitation.revoke', {
      targetType: 'invitation',
      targetId: id,
      ...(orgId === root.id ? {} : { affectedOrgId: orgId }),
      details: { email, reason: 'the person was removed from the organization' },
    })
  }
}

/** Notifies a person who was removed by another person. */
async function tellLeaver(
  context: Leaving,
  { org, places }: Departure,
  { userId, what }: { userId: string; what: 'removed' | 'deactivated' },
): Promise<void> {
  if (userId === actingPerson(context)) return
  const person = await personOf(context.tx, userId)
  if (!person?.isVerified) return
  const teams = places.filter((place) => place.org.id !== org.id).map((place) => place.org.displayName)
  await sendMail(context, person.email, membershipEndedMail, {
    username: person.username,
    organization: org.displayName,
    teams: teams.join(', '),
    what,
  })
}

async function personOf(tx: Tx, userId: string) {
  const { users } = identityTables(tx)
  const [row] = await tx
    .select({ username: users.username, email: users.email, verifiedAtMs: users.emailVerifiedAtMs })
    .from(users)
    .where(eq(users.id, userId))
  return row && { ...row, isVerified: row.verifiedAtMs !== null }
}
