/** What the identity domain provides for exports, purges, erasures and usage (spec platform 27). */
import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import { toIso, toIsoOrNull } from '../runtime/clock.js'
import type { DomainRegistration } from '../runtime/operation/registration.js'
import { exportOf, ownRows, type ReadSection } from '../runtime/records/export.js'
import { purgeRows } from '../runtime/records/purge.js'
import type { Tx } from '../runtime/store/db.js'
import { lockRows } from '../runtime/store/postgres.js'
import { credentialTables } from './credential/tables.js'
import { eraseProvisioned, PROVISIONING_SECTIONS } from './provisioning/registration.js'
import { provisioningTables } from './provisioning-tables.js'
import { MEMBER_SEARCH } from './search/members.js'
import { identityTables } from './tables.js'

const PAGE = 500

const SECTIONS = {
  async members(db, orgId, after) {
    const { memberships, users } = identityTables(db)
    // guard: members-in-an-export
    const rows = await db
      .select({ membership: memberships, username: users.username, email: users.email })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(and(eq(memberships.orgId, orgId), gt(memberships.id, after)))
      .orderBy(asc(memberships.id))
      .limit(PAGE)
    return rows.map(({ membership, username, email }) => ({
      key: membership.id,
      row: {
        userId: membership.userId,
        username,
        email,
        isActive: membership.isActive,
        joinedAt: toIso(membership.joinedAtMs),
      },
    }))
  },
  async roles(db, orgId, after) {
    const { roles } = identityTables(db)
    const rows = await ownRows(db, roles, orgId, after)
    return rows.map(({ id, name, description, permissions, builtIn, createdAtMs, updatedAtMs }) => ({
      key: id,
      row: {
        id,
        name,
        description,
        permissions,
        builtIn,
        createdAt: toIso(createdAtMs),
        updatedAt: toIso(updatedAtMs),
      },
    }))
  },
  async roleAssignments(db, orgId, after) {
    const { roleAssignments } = identityTables(db)
    const rows = await ownRows(db, roleAssignments, orgId, after)
    return rows.map(({ id, roleId, userId, source, createdAtMs }) => ({
      key: id,
      row: { roleId, userId, source, createdAt: toIso(createdAtMs) },
    }))
  },
  async complianceRoles(db, orgId, after) {
    const { complianceRoles } = identityTables(db)
    const rows = await ownRows(db, complianceRoles, orgId, after)
    return rows.map(({ id, role, userId, createdAtMs }) => ({
      key: id,
      row: { role, userId, createdAt: toIso(createdAtMs) },
    }))
  },
  async teams(db, orgId, after) {
    const { organizations } = identityTables(db)
    const rows = await db
      .select()
      .from(organizations)
      .where(and(eq(organizations.parentOrgId, orgId), isNull(organizations.deletedAtMs), gt(organizations.id, after)))
      .orderBy(asc(organizations.id))
      .limit(PAGE)
    return rows.map(({ id, name, slug, createdAtMs }) => ({
      key: id,
      row: { id, name, slug, createdAt: toIso(createdAtMs) },
    }))
  },
  async invitations(db, orgId, after) {
    const { invitations } = identityTables(db)
    const rows = await ownRows(db, invitations, orgId, after)
    return rows.map((row) => ({
      key: row.id,
      row: {
        id: row.id,
        email: row.email,
        role: row.role,
        roleIds: row.roleIds,
        status: row.status,
        invitedBy: row.invitedBy,
        expiresAt: toIso(row.expiresAtMs),
        acceptedAt: toIsoOrNull(row.acceptedAtMs),
        acceptedBy: row.acceptedBy,
        createdAt: toIso(row.createdAtMs),
      },
    }))
  },
  async servicePrincipals(db, orgId, after) {
    const { servicePrincipals } = identityTables(db)
    const rows = await ownRows(db, servicePrincipals, orgId, after)
    return rows.map((row) => ({
      key: row.id,
      row: {
        id: row.id,
        name: row.name,
        clientId: row.clientId,
        scopes: row.scopes,
        includeTeams: row.includeTeams,
        expiresAt: toIso(row.expiresAtMs),
        disabledAt: toIsoOrNull(row.disabledAtMs),
        createdAt: toIso(row.createdAtMs),
      },
    }))
  },
  ...PROVISIONING_SECTIONS,
  async secretNames(db, orgId, after) {
    const { orgSecrets } = identityTables(db)
    const rows = await db
      .select({
        id: orgSecrets.id,
        name: orgSecrets.name,
        plugins: orgSecrets.plugins,
        updatedAtMs: orgSecrets.updatedAtMs,
      })
      .from(orgSecrets)
      .where(and(eq(orgSecrets.orgId, orgId), gt(orgSecrets.id, after)))
      .orderBy(asc(orgSecrets.id))
      .limit(PAGE)
    return rows.map(({ id, name, plugins, updatedAtMs }) => ({
      key: id,
      row: { name, plugins, updatedAt: toIso(updatedAtMs) },
    }))
  },
} satisfies Readonly<Record<string, ReadSection>>

export const identityRegistration: DomainRegistration = {
  name: 'identity',
  searches: [MEMBER_SEARCH],
  ...exportOf(SECTIONS, {
    // Every member reads these.
    members: 'org:settings',
    roles: 'org:settings',
    roleAssignments: 'org:settings',
    teams: 'org:settings',
    complianceRoles: 'compliance:read',
    invitations: 'invitations:manage',
    servicePrincipals: 'org:settings',
    groups: 'org:idp',
    groupMembers: 'org:idp',
    groupRoles: 'org:idp',
    scimUsers: 'org:idp',
    scimTokens: 'org:idp',
    secretNames: 'secrets:manage',
  }),
  purge,
  async erase(tx, userId) {
    const { users, roleAssignments, complianceRoles, memberships, invitations } = identityTables(tx)
    const [user] = await tx.select({ emailKey: users.emailKey }).from(users).where(eq(users.id, userId))
    await tx.delete(roleAssignments).where(eq(roleAssignments.userId, userId))
    await tx.delete(complianceRoles).where(eq(complianceRoles.userId, userId))
    await tx.update(complianceRoles).set({ grantedBy: null }).where(eq(complianceRoles.grantedBy, userId))
    await eraseProvisioned(tx, userId)
    await tx.delete(memberships).where(eq(memberships.userId, userId))
    // An invitation holds little more than the person's address. The audit log records that it was sent.
    if (user !== undefined) await tx.delete(invitations).where(eq(invitations.emailKey, user.emailKey))
  },
  usage: {},
  async *blobs() {},
}

/** One table after the other. Memberships are last but one, so that an interrupted purge still knows the members. */
async function purge(tx: Tx, orgId: string, rowsMax: number): Promise<number> {
  const { users, memberships, roles, roleAssignments, complianceRoles, invitations, servicePrincipals, orgSecrets } =
    identityTables(tx)
  const { personalAccessTokens, sessions } = credentialTables(tx)
  const { scimTokens, scimUsers, groupRoles, idpGroupMembers, idpGroups } = provisioningTables(tx)
  const gone = await purgeRows(
    tx,
    [
      orgSecrets,
      servicePrincipals,
      invitations,
      personalAccessTokens,
      scimTokens,
      scimUsers,
      groupRoles,
      idpGroupMembers,
      idpGroups,
      complianceRoles,
      roleAssignments,
      roles,
      memberships,
    ],
    orgId,
    rowsMax,
  )
  if (gone > 0) return gone
  // People and their sessions stay; only their last active organization is cleared.
  const present = await tx.select({ id: users.id }).from(users).where(eq(users.activeOrgId, orgId))
  await lockRows(
    tx,
    'users',
    present.map(({ id }) => id),
  )
  await tx.update(users).set({ activeOrgId: null }).where(eq(users.activeOrgId, orgId))
  await tx.update(sessions).set({ orgId: null }).where(eq(sessions.orgId, orgId))
  return 0
}
