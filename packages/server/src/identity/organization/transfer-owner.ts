/**
 * Transfers an organization to another member. There is exactly one owner at any time: the column of the organization's
 * row, changed under that row's lock.
 */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { insufficient, Refusal } from '../../runtime/errors.js'
import { either, owner, systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { lockRow, lockRows } from '../../runtime/store/postgres.js'
import { liveOrganization } from '../account/organizations.js'
import { actingUser } from '../actor.js'
import { credentialTables } from '../credential/tables.js'
import { activeMember } from '../membership/find.js'
import { organizationPath } from '../paths.js'
import { ADMIN_PERMISSIONS } from '../permission/bundles.js'
import { builtInRoleId } from '../role/built-in.js'
import { checkCeiling } from '../role/ceiling.js'
import { giveRole } from '../role/give.js'
import { identityOf } from '../services.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { checkOwnedRoots } from './owned-roots.js'

/** `PATCH /organization/:id/transfer-owner`. */
export const transferOrganizationOwner = command({
  name: 'identity.organization.transfer-owner',
  summary: 'Transfer an organization to another member',
  http: { method: 'patch', ...organizationPath('/:id/transfer-owner') },
  access: withStepUp(either(owner(), systemAdmin())),
  tenant: fromPath('id'),
  acrossOrganizations: 'the organizations that the new owner has already are counted',
  audit: ['org.ownership.transfer'],
  input: {
    path: Type.Object({ id: Type.String() }),
    body: strictObject({ newOwnerId: Uuid }),
  },
  output: strictObject({ id: Uuid, previousOwnerId: nullable(Uuid), ownerId: Uuid }),
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'RESERVED_ORG'],
  async run(context, { body: { newOwnerId } }) {
    const { tx, runtime, authority, nowMs } = context
    const orgId = tenantId(context)
    await lockRow(tx, 'organizations', orgId)
    const org = await liveOrganization(tx, orgId)
    // Locks the new owner's row too, because the count of a person's organizations is taken under that lock.
    await lockRows(tx, 'users', org.ownerId === null ? [newOwnerId] : [org.ownerId, newOwnerId])
    if (org.isSystem) throw new Refusal('RESERVED_ORG', 'the system organization has no owner')
    // Cached authority may be some seconds old, so the locked row decides who the owner is now.
    if (!authority.isSuperAdmin && org.ownerId !== actingUser(context)) {
      throw insufficient('owner', 'only the owner can transfer the organization')
    }
    checkCeiling(authority, ADMIN_PERMISSIONS)
    const answer = { id: orgId, previousOwnerId: org.ownerId, ownerId: newOwnerId }
    if (org.ownerId === newOwnerId) return unchanged(answer)
    // guard: a-new-owner-is-an-active-member
    await activeMember(tx, orgId, newOwnerId)
    if (org.parentOrgId === null) await checkOwnedRoots(tx, newOwnerId)
    const adminRoleId = await builtInRoleId(tx, orgId, 'Admin')
    const { organizations } = identityTables(tx)
    await tx
      .update(organizations)
      .set({ ownerId: newOwnerId, revision: org.revision + 1, updatedAtMs: nowMs })
      .where(eq(organizations.id, orgId))
    const both = [newOwnerId, ...(org.ownerId === null ? [] : [org.ownerId])]
    for (const userId of both) await giveRole(tx, runtime, { orgId, roleId: adminRoleId, userId })
    dropStale(context, { orgId }, ...both.map((userId) => ({ userId })))
    await endBreakGlass(context, orgId)
    await context.audit('org.ownership.transfer', {
      targetType: 'organization',
      targetId: orgId,
      details: { fromUserId: org.ownerId, toUserId: newOwnerId },
    })
    return changed(answer)
  },
})

/** Break-glass is the owner's way in, so it ends with the ownership. */
async function endBreakGlass({ tx, runtime }: WriteContext, orgId: string): Promise<void> {
  const { sessionProofs: t } = credentialTables(tx)
  // guard: break-glass-ends-with-the-ownership
  const ended = await tx
    .delete(t)
    .where(and(eq(t.orgId, orgId), eq(t.method, 'break-glass')))
    .returning({ sessionId: t.sessionId })
  tx.afterCommit(() => {
    for (const { sessionId } of ended) identityOf({ runtime }).directory.drop({ sessionId })
  })
}
