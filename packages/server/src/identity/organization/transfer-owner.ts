/**
 * Passes an organization on to another member. There is exactly one owner before, while and after: the column of the
 * organization's row, changed under that row's lock.
 */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { insufficient, Refusal } from '../../runtime/errors.js'
import { either, owner, systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { lockRow, lockRows } from '../../runtime/store/postgres.js'
import { liveOrganization } from '../account/organizations.js'
import { actingUser } from '../actor.js'
import { activeMember } from '../membership/find.js'
import { organizationPath } from '../paths.js'
import { ADMIN_PERMISSIONS } from '../permission/bundles.js'
import { builtInRoleId } from '../role/built-in.js'
import { checkCeiling } from '../role/ceiling.js'
import { giveRole } from '../role/give.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { checkOwnedRoots } from './owned-roots.js'

/** `PATCH /organization/:id/transfer-owner`. */
export const transferOrganizationOwner = command({
  name: 'identity.organization.transfer-owner',
  summary: 'Pass an organization on to another member',
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
    // The new owner's row too: what counts a person's organizations holds it.
    await lockRows(tx, 'users', org.ownerId === null ? [newOwnerId] : [org.ownerId, newOwnerId])
    if (org.isSystem) throw new Refusal('RESERVED_ORG', 'the system organization has no owner')
    // Authority may be some seconds old: who owns it now is what the locked row says.
    if (!authority.isSuperAdmin && org.ownerId !== actingUser(context)) {
      throw insufficient('owner', 'only the present owner passes the organization on')
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
    await context.audit('org.ownership.transfer', {
      targetType: 'organization',
      targetId: orgId,
      details: { fromUserId: org.ownerId, toUserId: newOwnerId },
    })
    return changed(answer)
  },
})
