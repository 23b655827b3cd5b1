/**
 * What one person may do in one organization, read from the database in one go: membership, Roles, ownership, parent
 * administration, system administration, and the features of the account. It decides authority for requests, and the
 * hints in a new access token. Source: spec platform 3.6, 3.8, 5, 12.2.
 */
import { and, eq, inArray } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../runtime/ids.js'
import { FEATURES, type Feature, PERMISSIONS, type Permission } from '../runtime/operation/access.js'
import type { OrgSummary } from '../runtime/operation/context.js'
import type { Db } from '../runtime/store/db.js'
import { type EntitlementSettings, enforcedTier, featuresOf } from './account/entitlements.js'
import { ADMIN_PERMISSIONS } from './permission/bundles.js'
import { type ComplianceRole, complianceRoleOf, PERMISSIONS_OF } from './permission/compliance-role.js'
import { identityTables } from './tables.js'

export interface Standing {
  readonly org: OrgSummary
  readonly role: 'owner' | 'admin' | 'member' | null
  /** An active member, or an administrator of the account whose team this is. */
  readonly isMember: boolean
  readonly isSuperAdmin: boolean
  readonly permissions: ReadonlySet<Permission>
  /** May decide about exemptions: by `compliance:write` from a Role or ownership, or by the compliance role `admin`. */
  readonly decidesExemptions: boolean
  readonly complianceRole: ComplianceRole | null
  /** The person's rights as a member, without system administration: a confined session has only these. */
  readonly asMember: Pick<Standing, 'permissions' | 'decidesExemptions'>
  /** The root whose identity provider must vouch for a session that acts here; null where none is required. */
  readonly enforcedBy: string | null
}

const ALL: ReadonlySet<Permission> = new Set(PERMISSIONS)
const isPermission = (name: string): name is Permission => ALL.has(name as Permission)

type OrganizationRow = ReturnType<typeof identityTables>['organizations']['$inferSelect']

/** A live organization with its account's root, or null. A team of a deleted root is not live. */
async function liveWithRoot(db: Db, orgId: string): Promise<{ org: OrganizationRow; root: OrganizationRow } | null> {
  const { organizations } = identityTables(db)
  const find = async (id: string) => (await db.select().from(organizations).where(eq(organizations.id, id)))[0]
  const org = await find(orgId)
  if (org === undefined || org.deletedAtMs !== null) return null
  const root = org.rootOrgId === org.id ? org : await find(org.rootOrgId)
  return root === undefined || root.deletedAtMs !== null ? null : { org, root }
}

function summary(
  { org, root }: { org: OrganizationRow; root: OrganizationRow },
  settings: EntitlementSettings,
  overrides: Readonly<Record<string, boolean>> = {},
): OrgSummary {
  const fromAccount = featuresOf(root, settings)
  const features = FEATURES.filter((name: Feature) => overrides[name] ?? fromAccount.has(name))
  return {
    id: org.id,
    name: org.name,
    slug: org.slug,
    parentOrgId: org.parentOrgId,
    rootOrgId: org.rootOrgId,
    isSystem: org.isSystem,
    tier: enforcedTier(root, settings),
    features: new Set(features),
    ownerId: org.ownerId,
    memberWriteScope: org.settings.memberWriteScope,
  }
}

/**
 * The organization as a machine sees it, without a person's own features; null when it does not exist or is deleted.
 */
export async function readOrganization(
  db: Db,
  settings: EntitlementSettings,
  orgId: string,
): Promise<OrgSummary | null> {
  const found = await liveWithRoot(db, orgId)
  return found === null ? null : summary(found, settings)
}

/** Null when the organization does not exist, is deleted, or the person has no relation to it. */
export async function readStanding(
  db: Db,
  settings: EntitlementSettings,
  userId: string,
  orgId: string,
): Promise<Standing | null> {
  const found = await liveWithRoot(db, orgId)
  if (found === null) return null
  const { org, root } = found
  const { users, memberships, roles, roleAssignments } = identityTables(db)
  const [user] = await db
    .select({ isActive: users.isActive, featureOverrides: users.featureOverrides })
    .from(users)
    .where(eq(users.id, userId))
  if (!user?.isActive) return null
  const held = await db
    .select({
      orgId: memberships.orgId,
      permissions: roles.permissions,
      level: roles.grantsLevel,
      builtIn: roles.builtIn,
    })
    .from(memberships)
    .leftJoin(
      roleAssignments,
      and(eq(roleAssignments.orgId, memberships.orgId), eq(roleAssignments.userId, memberships.userId)),
    )
    .leftJoin(roles, and(eq(roles.id, roleAssignments.roleId), eq(roles.orgId, memberships.orgId)))
    .where(
      and(
        eq(memberships.userId, userId),
        eq(memberships.isActive, true),
        inArray(memberships.orgId, [...new Set([org.id, root.id, SYSTEM_ORG_ID])]),
      ),
    )
  const holds = (where: string, level: string) =>
    held.some((each) => each.orgId === where && each.builtIn === true && each.level === level)
  const isSuperAdmin = holds(SYSTEM_ORG_ID, 'superadmin')
  const isOwner = org.ownerId === userId
  const isOwnMember = held.some((each) => each.orgId === org.id)
  // Owner or built-in Admin of the root. Other Roles of the root give no rights in teams.
  // guard: roles-of-a-parent-end-at-its-teams
  const isParentAdmin = root.id !== org.id && (root.ownerId === userId || holds(root.id, 'admin'))
  const isMember = isOwnMember || isParentAdmin
  // guard: standing-in-the-organization
  if (!isMember && !isSuperAdmin) return null

  const byRoles = new Set<Permission>((isOwner && isOwnMember) || isParentAdmin ? ADMIN_PERMISSIONS : [])
  for (const each of held) {
    if (each.orgId === org.id) for (const name of each.permissions ?? []) if (isPermission(name)) byRoles.add(name)
  }
  const complianceRole = isOwnMember ? await complianceRoleOf(db, org.id, userId) : null
  const asMember = {
    permissions: new Set([...byRoles, ...(complianceRole === null ? [] : PERMISSIONS_OF[complianceRole])]),
    decidesExemptions: byRoles.has('compliance:write') || complianceRole === 'admin',
  }
  const isAdmin = isParentAdmin || holds(org.id, 'admin') || holds(org.id, 'superadmin')
  return {
    org: summary(found, settings, user.featureOverrides),
    role: isOwner && isOwnMember ? 'owner' : isAdmin ? 'admin' : isMember ? 'member' : null,
    isMember,
    isSuperAdmin,
    permissions: isSuperAdmin ? ALL : asMember.permissions,
    decidesExemptions: isSuperAdmin || asMember.decidesExemptions,
    complianceRole,
    asMember,
    enforcedBy: root.ssoEnforcedAtMs === null ? null : root.id,
  }
}
