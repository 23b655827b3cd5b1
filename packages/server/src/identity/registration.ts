/** What the identity domain gives to exports, purges, erasures and usage (rulings, Domains). */
import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm'
import { toIso, toIsoOrNull } from '../runtime/clock.js'
import type { DomainRegistration, ExportRow } from '../runtime/domain.js'
import type { Db, Tx } from '../runtime/store/db.js'
import { lockRows } from '../runtime/store/postgres.js'
import { credentialTables } from './credential/tables.js'
import { identityTables } from './tables.js'

const PAGE = 500

export const identityRegistration: DomainRegistration = {
  name: 'identity',
  exportSections: ['members', 'roles', 'roleAssignments', 'teams', 'invitations', 'servicePrincipals', 'secretNames'],
  async *exportRows(read, orgId, sections) {
    for (const [section, select] of Object.entries(SECTIONS)) {
      if (sections.has(section)) yield* pages(section, (after) => read((db) => select(db, orgId, after)))
    }
  },
  purge,
  async erase(tx, userId) {
    const { users, roleAssignments, memberships, invitations } = identityTables(tx)
    const [user] = await tx.select({ emailKey: users.emailKey }).from(users).where(eq(users.id, userId))
    await tx.delete(roleAssignments).where(eq(roleAssignments.userId, userId))
    await tx.delete(memberships).where(eq(memberships.userId, userId))
    // An invitation is the person's address and little else; that it was sent stands in the evidence.
    if (user !== undefined) await tx.delete(invitations).where(eq(invitations.emailKey, user.emailKey))
  },
  usage: {},
  async *blobs() {},
}

type Reader = (db: Db, orgId: string, after: string) => Promise<{ key: string; row: Record<string, unknown> }[]>

/** Reads page after page by key: a list that changes meanwhile is neither repeated nor skipped. */
async function* pages(
  section: string,
  read: (after: string) => Promise<{ key: string; row: Record<string, unknown> }[]>,
): AsyncGenerator<ExportRow> {
  for (let after = ''; ; ) {
    const rows = await read(after)
    for (const { row } of rows) yield { section, row }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.key
  }
}

const SECTIONS: Readonly<Record<string, Reader>> = {
  async members(db, orgId, after) {
    const { memberships, users } = identityTables(db)
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
    const rows = await db
      .select()
      .from(roles)
      .where(and(eq(roles.orgId, orgId), gt(roles.id, after)))
      .orderBy(asc(roles.id))
      .limit(PAGE)
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
    const rows = await db
      .select()
      .from(roleAssignments)
      .where(and(eq(roleAssignments.orgId, orgId), gt(roleAssignments.id, after)))
      .orderBy(asc(roleAssignments.id))
      .limit(PAGE)
    return rows.map(({ id, roleId, userId, createdAtMs }) => ({
      key: id,
      row: { roleId, userId, createdAt: toIso(createdAtMs) },
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
    const rows = await db
      .select()
      .from(invitations)
      .where(and(eq(invitations.orgId, orgId), gt(invitations.id, after)))
      .orderBy(asc(invitations.id))
      .limit(PAGE)
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
    const rows = await db
      .select()
      .from(servicePrincipals)
      .where(and(eq(servicePrincipals.orgId, orgId), gt(servicePrincipals.id, after)))
      .orderBy(asc(servicePrincipals.id))
      .limit(PAGE)
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
  async secretNames(db, orgId, after) {
    const { orgSecrets } = identityTables(db)
    const rows = await db
      .select({ id: orgSecrets.id, name: orgSecrets.name, updatedAtMs: orgSecrets.updatedAtMs })
      .from(orgSecrets)
      .where(and(eq(orgSecrets.orgId, orgId), gt(orgSecrets.id, after)))
      .orderBy(asc(orgSecrets.id))
      .limit(PAGE)
    return rows.map(({ id, name, updatedAtMs }) => ({ key: id, row: { name, updatedAt: toIso(updatedAtMs) } }))
  },
}

/** One table after the other; memberships last but one, so that an interrupted purge still knows who was a member. */
async function purge(tx: Tx, orgId: string, rowsMax: number): Promise<number> {
  const { users, memberships, roles, roleAssignments, invitations, servicePrincipals, orgSecrets } = identityTables(tx)
  const { personalAccessTokens, sessions } = credentialTables(tx)
  for (const table of [
    orgSecrets,
    servicePrincipals,
    invitations,
    personalAccessTokens,
    roleAssignments,
    roles,
    memberships,
  ]) {
    const due = tx.select({ id: table.id }).from(table).where(eq(table.orgId, orgId)).limit(rowsMax)
    const gone = await tx.delete(table).where(inArray(table.id, due)).returning({ id: table.id })
    if (gone.length > 0) return gone.length
  }
  // People and their sessions stay; they only forget where they were last.
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
