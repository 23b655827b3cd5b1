/** Deletes a membership and the person's Roles in the organization. The caller checks the right to do so. */
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { provisioningTables } from '../provisioning-tables.js'
import { identityTables } from '../tables.js'

export async function deleteMembership(tx: Tx, orgId: string, userId: string): Promise<void> {
  const { memberships, roleAssignments, complianceRoles } = identityTables(tx)
  await tx.delete(roleAssignments).where(and(eq(roleAssignments.orgId, orgId), eq(roleAssignments.userId, userId)))
  // guard: a-compliance-role-ends-with-the-membership
  await tx.delete(complianceRoles).where(and(eq(complianceRoles.orgId, orgId), eq(complianceRoles.userId, userId)))
  const { idpGroupMembers, scimUsers } = provisioningTables(tx)
  // guard: a-person-who-left-is-in-no-group
  await tx.delete(idpGroupMembers).where(and(eq(idpGroupMembers.orgId, orgId), eq(idpGroupMembers.userId, userId)))
  await tx.delete(scimUsers).where(and(eq(scimUsers.orgId, orgId), eq(scimUsers.userId, userId)))
  await tx.delete(memberships).where(and(eq(memberships.orgId, orgId), eq(memberships.userId, userId)))
}
