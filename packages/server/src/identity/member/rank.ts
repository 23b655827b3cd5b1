/**
 * Who may end whose membership. Nobody removes, deactivates or takes over the records of a person who holds more than
 * they do; who manages the members of a root organization manages those of its teams.
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

/** The organization that an actor's right over people comes from, and what they may do there. */
export interface Rank {
  /** The right comes from the root of the account, so what somebody holds in a team does not limit it. */
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

/** @throws Refusal 403 (ceiling) when the person holds what the actor does not. Nobody needs a right over themselves. */
export async function checkHoldsNoMore(
  context: WriteContext,
  org: OrganizationRow,
  rank: Rank,
  userId: string,
): Promise<void> {
  const { tx, authority } = context
  // A directory says who works here, whatever they hold; owner and last administrator are protected besides.
  const actor = actingPerson(context)
  if (actor === null || userId === actor || authority.isSuperAdmin) return
  const exceeds = (await allHeld(tx, rank.orgId, userId)).filter((name) => !rank.permissions.has(name as Permission))
  if (exceeds.length > 0) {
    throw insufficient('ceiling', `this person holds what you do not: ${exceeds.join(', ')}`, { exceeds })
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
