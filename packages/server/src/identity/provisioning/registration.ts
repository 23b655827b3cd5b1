/** The data of groups and directories that is exported with an organization, and erased with a person. */
import { eq } from 'drizzle-orm'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { ownRows, type ReadSection } from '../../runtime/records/export.js'
import type { Tx } from '../../runtime/store/db.js'
import { provisioningTables } from '../provisioning-tables.js'

export const PROVISIONING_SECTIONS = {
  async groups(db, orgId, after) {
    const rows = await ownRows(db, provisioningTables(db).idpGroups, orgId, after)
    return rows.map(({ id, providerId, name, externalId, isScim, createdAtMs }) => ({
      key: id,
      row: { id, providerId, name, externalId, isScim, createdAt: toIso(createdAtMs) },
    }))
  },
  async groupMembers(db, orgId, after) {
    const rows = await ownRows(db, provisioningTables(db).idpGroupMembers, orgId, after)
    return rows.map(({ id, groupId, userId, createdAtMs }) => ({
      key: id,
      row: { groupId, userId, createdAt: toIso(createdAtMs) },
    }))
  },
  async groupRoles(db, orgId, after) {
    const rows = await ownRows(db, provisioningTables(db).groupRoles, orgId, after)
    return rows.map(({ id, groupId, roleId, authorId, createdAtMs }) => ({
      key: id,
      row: { groupId, roleId, authorId, createdAt: toIso(createdAtMs) },
    }))
  },
  async scimUsers(db, orgId, after) {
    const rows = await ownRows(db, provisioningTables(db).scimUsers, orgId, after)
    return rows.map((row) => ({
      key: row.id,
      row: {
        id: row.id,
        providerId: row.providerId,
        userId: row.userId,
        userName: row.userName,
        externalId: row.externalId,
        email: row.email,
        displayName: row.displayName,
        givenName: row.givenName,
        familyName: row.familyName,
        formattedName: row.formattedName,
        title: row.title,
        createdAt: toIso(row.createdAtMs),
        updatedAt: toIso(row.updatedAtMs),
      },
    }))
  },
  async scimTokens(db, orgId, after) {
    const rows = await ownRows(db, provisioningTables(db).scimTokens, orgId, after)
    return rows.map(({ id, providerId, name, createdBy, createdAtMs, expiresAtMs, lastUsedAtMs }) => ({
      key: id,
      row: {
        id,
        providerId,
        name,
        createdBy,
        createdAt: toIso(createdAtMs),
        expiresAt: toIso(expiresAtMs),
        lastUsedAt: toIsoOrNull(lastUsedAtMs),
      },
    }))
  },
} satisfies Readonly<Record<string, ReadSection>>

export async function eraseProvisioned(tx: Tx, userId: string): Promise<void> {
  const { idpGroupMembers, scimUsers, groupRoles, scimTokens } = provisioningTables(tx)
  await tx.delete(idpGroupMembers).where(eq(idpGroupMembers.userId, userId))
  await tx.delete(scimUsers).where(eq(scimUsers.userId, userId))
  await tx.update(groupRoles).set({ authorId: 'erased' }).where(eq(groupRoles.authorId, userId))
  await tx.update(scimTokens).set({ createdBy: 'erased' }).where(eq(scimTokens.createdBy, userId))
}
