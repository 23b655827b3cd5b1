/** Gives a compliance role to a member, or takes it away. The operations check the right to do so. */
import { and, eq } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { activeMember } from '../membership/find.js'
import {
  type ComplianceRole,
  type ComplianceRoleRow,
  complianceRoleOf,
  findComplianceRole,
} from '../permission/compliance-role.js'
import { dropStale, type Writing } from '../stale.js'
import { identityTables } from '../tables.js'

interface Grant {
  readonly orgId: string
  readonly userId: string
  readonly role: ComplianceRole
  readonly grantedBy: string
}

/**
 * Gives the role to an active member and replaces the one that they have. The caller has checked the right to do so.
 * @returns the row, and whether the role changed.
 * @throws Refusal 404 for a person who is not an active member.
 */
export async function grantComplianceRole(
  writing: Writing & { readonly runtime: Runtime },
  { orgId, userId, role, grantedBy }: Grant,
): Promise<{ row: ComplianceRoleRow; isNew: boolean }> {
  const { tx, runtime } = writing
  // A concurrent removal holds this lock too, so no role outlives its membership.
  await lockRow(tx, 'organizations', orgId)
  // guard: a-compliance-role-is-for-active-members
  await activeMember(tx, orgId, userId)
  const before = await findComplianceRole(tx, orgId, userId)
  if (before?.role === role) return { row: before, isNew: false }
  const { complianceRoles: t } = identityTables(tx)
  const nowMs = runtime.clock.now()
  const [row] =
    before === null
      ? await tx
          .insert(t)
          .values({ id: runtime.ids.next(), orgId, userId, role, grantedBy, createdAtMs: nowMs, updatedAtMs: nowMs })
          .returning()
      : await tx
          .update(t)
          .set({ role, grantedBy, updatedAtMs: nowMs })
          .where(and(eq(t.id, before.id), eq(t.orgId, orgId)))
          .returning()
  if (row === undefined) throw new Error('a compliance role was not written')
  dropStale(writing, { userId })
  return { row, isNew: true }
}

/** @returns the role that was taken away; null when the person had none. */
export async function revokeComplianceRole(
  writing: Writing,
  { orgId, userId }: Pick<Grant, 'orgId' | 'userId'>,
): Promise<ComplianceRole | null> {
  const { tx } = writing
  // guard: a-compliance-role-is-taken-once
  await lockRow(tx, 'organizations', orgId)
  const before = await complianceRoleOf(tx, orgId, userId)
  if (before === null) return null
  const { complianceRoles: t } = identityTables(tx)
  await tx.delete(t).where(and(eq(t.orgId, orgId), eq(t.userId, userId)))
  dropStale(writing, { userId })
  return before
}
