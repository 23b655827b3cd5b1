/**
 * Who may end whose membership. An actor cannot remove, deactivate or take over the records of a person who has more
 * permissions than the actor. A person who manages the members of a root organization manages those of its teams.
 */
import { insufficient } from '../../runtime/errors.js'
import type { Permission } from '../../runtime/operation/access.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { findOrganization, type OrganizationRow } from '../account/row.js'
import { actingPerson } from '../actor.js'
import { complianceRoleOf, PERMISSIONS_OF } from '../permission/compliance-role.js'
import { heldPermissions } from '../role/ceiling.js'
import { readStanding } from '../standing.js'
import { administers } from '../team/administers.js'

/** The organization that gives an actor the right over members, and the actor's permissions there. */
export interface Rank {
  /** The right comes from the root of the account, so what the other person holds in a team does not limit it. */
  readonly isOfRoot: boolean
  readonly orgId: string
  readonly permissions: ReadonlySet<Permission>
}

export async function rankIn(context: WriteContext, org: OrganizationRow): Promise<Rank> {
  const { tx, runtime, authority, principal } = context
  const own = { isOfRoot: org.parentOrgId === null, orgId: org.id, permissions: authority.permissions }
  if (authority.isSuperAdmin) return { ...own, isOfRoot: true, orgId: org.rootOrgId }
  // A token that is bound to the team carries no right of the root.
  if (own.isOfRoot || principal.kind !== 'user' || principal.boundOrgId !== null) return own
  const above = await readStanding(tx, runtime.settings, principal.userId, org.rootOrgId)
  return above?.permissions.has('members:manage')
    ? { isOfRoot: true, orgId: org.rootOrgId, permissions: above.permissions }
    : own
}

/** @throws Refusal 403 (ceiling) when the person holds what the actor does not. Actors may always act on themselves. */
export async function checkHoldsNoMore(
  context: WriteContext,
  org: OrganizationRow,
  rank: Rank,
  userId: string,
): Promise<void> {
  const { tx, authority } = context
  // A directory decides who is employed, so the ceiling does not apply to it. Owner and last administrator have their
  // own protection.
  const actor = actingPerson(context)
  if (actor === null || userId === actor || authority.isSuperAdmin) return
  const exceeds = (await allHeld(tx, rank.orgId, userId)).filter((name) => !rank.permissions.has(name as Permission))
  if (exceeds.length > 0) {
    throw insufficient('ceiling', `this person has permissions that you lack: ${exceeds.join(', ')}`, { exceeds })
  }
  if (rank.isOfRoot) return
  const root = await findOrganization(tx, org.rootOrgId)
  if (root !== null && (await administers(tx, root, userId)) === 'administrator') {
    throw insufficient('ceiling', 'this person administers the organization above the team, and you do not')
  }
}

async function allHeld(tx: Tx, orgId: string, userId: string): Promise<string[]> {
  const complianceRole = await complianceRoleOf(tx, orgId, userId)
  const held = [
    ...(await heldPermissions(tx, orgId, userId)),
    ...(complianceRole === null ? [] : PERMISSIONS_OF[complianceRole]),
  ]
  return [...new Set(held)].sort()
}
