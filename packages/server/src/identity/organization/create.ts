/**
 * Creates a root organization or a team. A root gets the default tier, which the caller cannot choose; a team refers to
 * the tier of its root (spec platform 14).
 */
import { and, eq, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { insufficient, invalidField, Refusal } from '../../runtime/errors.js'
import { either, permission, signedIn } from '../../runtime/operation/access.js'
import { changed, type WriteContext } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { refuseConfined } from '../../runtime/operation/session-kind.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { enforcedTier, mayHaveTeams, TEAM_TIERS } from '../account/entitlements.js'
import { lockAccount } from '../account/organizations.js'
import { findOrganization, type OrganizationRow } from '../account/row.js'
import { actingUser } from '../actor.js'
import { sessionOf } from '../authenticator.js'
import { noActiveOrg } from '../authority.js'
import { credentialTables } from '../credential/tables.js'
import { checkDoor } from '../enforced-sign-on.js'
import { readStanding } from '../standing.js'
import { identityTables } from '../tables.js'
import { administers } from '../team/administers.js'
import { insertOrganization } from './insert.js'
import { checkOwnedRoots } from './owned-roots.js'
import {
  Description,
  DisplayName,
  OrganizationName,
  OrganizationRecord,
  organizationRecord,
  standingOfRoot,
} from './record.js'
import { withSeats } from './seats.js'

const TEAMS_MAX = 100

export const createOrganization = command({
  name: 'identity.organization.create',
  summary: 'Create an organization, or a team below a root',
  http: { method: 'post', path: '/organization', aliases: ['/organizations'], status: 201 },
  // A person without any organization has no permission, and may create their first one.
  access: either(permission('org:settings'), signedIn()),
  tenant: noTenant,
  acrossOrganizations: 'the new organization is another one than that of the request',
  audit: ['org.create'],
  idempotent: true,
  input: {
    body: strictObject({
      name: OrganizationName,
      displayName: Type.Optional(DisplayName),
      description: Type.Optional(Description),
      parentOrgId: Type.Optional(Uuid),
    }),
  },
  output: strictObject({ organization: OrganizationRecord }),
  errors: [
    'CONFLICT',
    'DUPLICATE_ENTRY',
    'INSUFFICIENT_PERMISSIONS',
    'ORG_MISMATCH',
    'RESERVED_ORG',
    'SEAT_LIMIT',
    'SSO_REQUIRED',
    'VALIDATION_ERROR',
  ],
  async run(context, { body }) {
    const { tx, runtime } = context
    const ownerId = actingUser(context)
    // guard: a-confined-session-makes-no-organization
    if (body.parentOrgId === undefined) refuseConfined(context.principal)
    const { parentOrgId, ...texts } = body
    const isFirst = await checkMayCreate(context, ownerId)
    const insert = (root?: OrganizationRow) =>
      insertOrganization(tx, runtime, { ...texts, ownerId, ...(root && { parentOrgId: root.id }) })
    let row: OrganizationRow
    let root: OrganizationRow
    if (parentOrgId === undefined) {
      // The person's row is the lock: of two concurrent requests, only one may take the last free place.
      await lockRow(tx, 'users', ownerId)
      await checkOwnedRoots(tx, ownerId)
      row = await insert()
      root = row
    } else {
      root = await checkParent(context, parentOrgId, ownerId)
      const { settings } = runtime
      row = await withSeats(tx, { rootOrgId: root.id, settings, nowMs: context.nowMs }, () => insert(root))
    }
    if (isFirst) await enter(tx, context, row.id, ownerId)
    await context.audit('org.create', {
      ...(isFirst ? { orgId: row.id } : {}),
      targetType: 'organization',
      targetId: row.id,
      affectedOrgId: row.id,
      details: { name: row.name, parentOrgId: row.parentOrgId },
    })
    const standing = standingOfRoot(root, runtime.settings)
    const facts = { standing, memberCount: 1, ssoConfigured: false }
    return changed({ organization: organizationRecord(row, facts) })
  },
})

/**
 * A person who acts in an organization needs `org:settings` there. A person without an organization may create their
 * first one.
 * @returns true for the first one.
 * @throws Refusal 403.
 */
async function checkMayCreate({ tx, authority, principal }: WriteContext, userId: string): Promise<boolean> {
  if (authority.org !== null) {
    // guard: a-member-without-org-settings-makes-no-organization
    if (authority.permissions.has('org:settings')) return false
    throw insufficient('permission', 'this needs the permission org:settings', {
      required: ['org:settings'],
      mode: 'all',
    })
  }
  sessionOf(principal)
  const { memberships, organizations } = identityTables(tx)
  const [elsewhere] = await tx
    .select({ id: organizations.id })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.orgId))
    .where(and(eq(memberships.userId, userId), eq(memberships.isActive, true), isNull(organizations.deletedAtMs)))
    .limit(1)
  if (elsewhere === undefined) return true
  throw noActiveOrg(authority)
}

/** The first organization becomes the active one of the person and of the session. */
async function enter(tx: Tx, { principal }: WriteContext, orgId: string, userId: string): Promise<void> {
  const { sessionId } = sessionOf(principal)
  await tx
    .update(identityTables(tx).users)
    .set({ activeOrgId: orgId })
    .where(eq(identityTables(tx).users.id, userId))
  const { sessions } = credentialTables(tx)
  await tx.update(sessions).set({ orgId }).where(eq(sessions.id, sessionId))
}

/** The root that gets a team, under its lock. A parent that the caller does not belong to looks like a missing one. */
async function checkParent(context: WriteContext, parentOrgId: string, userId: string): Promise<OrganizationRow> {
  const { tx, authority, runtime, principal } = context
  // A personal access token reaches only its own organization.
  // guard: a-bound-token-makes-teams-in-its-organization-alone
  const isReached = principal.kind !== 'user' || (principal.boundOrgId ?? parentOrgId) === parentOrgId
  const parent = isReached ? await findOrganization(tx, parentOrgId) : null
  const standing = parent === null ? null : await administers(tx, parent, userId)
  if (parent === null || parent.deletedAtMs !== null || (standing === 'stranger' && !authority.isSuperAdmin)) {
    throw invalidField('/body/parentOrgId', 'is not one of your organizations', 'unknown_organization')
  }
  const there = await readStanding(tx, runtime.settings, userId, parent.id)
  // An organization that requires its identity provider requires it of those who make its teams.
  if (there !== null) await checkDoor(context, there)
  if (parent.parentOrgId !== null) {
    throw invalidField('/body/parentOrgId', 'is a team: a team cannot have teams', 'not_a_root')
  }
  if (standing !== 'administrator' && !authority.isSuperAdmin) {
    throw insufficient('permission', 'only administrators of the organization create its teams', {
      required: ['org:settings'],
      mode: 'all',
    })
  }
  const root = await lockAccount(tx, parent.id)
  // Checked again under the lock: a person who was removed meanwhile must not create a team to keep access.
  if (!authority.isSuperAdmin && (await administers(tx, root, userId)) !== 'administrator') {
    throw invalidField('/body/parentOrgId', 'is not one of your organizations', 'unknown_organization')
  }
  if (!mayHaveTeams(root, runtime.settings)) {
    const tier = enforcedTier(root, runtime.settings)
    throw insufficient('feature', `the tier ${tier} has no teams: change to ${TEAM_TIERS.slice(0, 2).join(' or ')}`, {
      requiredFeature: 'teams',
      tiers: TEAM_TIERS.slice(0, 2),
    })
  }
  const { organizations } = identityTables(tx)
  const teams = await tx.$count(
    organizations,
    and(eq(organizations.parentOrgId, root.id), isNull(organizations.deletedAtMs)),
  )
  if (teams >= TEAMS_MAX)
    throw new Refusal('CONFLICT', `the organization has ${teams} teams, and the limit is ${TEAMS_MAX}`)
  return root
}
