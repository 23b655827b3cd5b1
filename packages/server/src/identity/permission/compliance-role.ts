/**
 * Compliance roles: rights in compliance in addition to a member's Roles. They only add permissions, and end with the
 * membership. Source: spec compliance 12.
 */
import { and, asc, eq } from 'drizzle-orm'
import type { Permission } from '../../runtime/operation/access.js'
import type { Db } from '../../runtime/store/db.js'
import { identityTables } from '../tables.js'

export const COMPLIANCE_ROLES = ['viewer', 'editor', 'admin'] as const
export type ComplianceRole = (typeof COMPLIANCE_ROLES)[number]

/** `admin` also decides about exemptions, preferences and these roles. */
export const PERMISSIONS_OF: Readonly<Record<ComplianceRole, readonly Permission[]>> = {
  viewer: ['compliance:read'],
  editor: ['compliance:read', 'compliance:write'],
  admin: ['compliance:read', 'compliance:write'],
}

export type ComplianceRoleRow = ReturnType<typeof identityTables>['complianceRoles']['$inferSelect']

export async function findComplianceRole(db: Db, orgId: string, userId: string): Promise<ComplianceRoleRow | null> {
  const { complianceRoles: t } = identityTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.userId, userId)))
  return row ?? null
}

export async function complianceRoleOf(db: Db, orgId: string, userId: string): Promise<ComplianceRole | null> {
  const row = await findComplianceRole(db, orgId, userId)
  return COMPLIANCE_ROLES.find((role) => role === row?.role) ?? null
}

export async function complianceRolesOf(db: Db, orgId: string): Promise<readonly ComplianceRoleRow[]> {
  const { complianceRoles: t } = identityTables(db)
  return db.select().from(t).where(eq(t.orgId, orgId)).orderBy(asc(t.userId))
}
