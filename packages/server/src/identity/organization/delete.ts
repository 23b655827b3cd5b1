/**
 * Soft-deletes an organization (tombstone): all access ends and the seats are free, but every row stays until the
 * purge, so that restoring brings everything back. Source: spec platform 14.
 */
import { and, eq, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { DAY_MS, toIso } from '../../runtime/clock.js'
import { insufficient, notFound, Refusal } from '../../runtime/errors.js'
import { either, owner, systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { liveOrganization, lockAccount } from '../account/organizations.js'
import { findOrganization } from '../account/row.js'
import { actingUser } from '../actor.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'

/** `DELETE /organization/:id`. */
export const deleteOrganization = command({
  name: 'identity.organization.delete',
  summary: 'Delete an organization; it can be restored until it is purged',
  http: { method: 'delete', ...organizationPath('/:id'), status: 202 },
  // guard: the-confirmation-of-a-deletion
  access: withStepUp(either(systemAdmin(), owner())),
  tenant: fromPath('id'),
  acrossOrganizations: 'an organization with live teams stays',
  audit: ['org.soft_delete'],
  input: { path: Type.Object({ id: Type.String() }), query: Type.Object({ force: Type.Optional(Type.Boolean()) }) },
  output: strictObject({ deletedAt: Instant, purgeAfter: Instant }),
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'RESERVED_ORG'],
  async run(context, { query: { force } }) {
    const { tx, runtime, authority, nowMs } = context
    const { ORG_SELF_DELETE, ORG_DELETION_RETENTION_DAYS } = runtime.settings
    const orgId = tenantId(context)
    const named = await findOrganization(tx, orgId)
    if (named === null) throw notFound('Organization')
    if (named.isSystem) throw new Refusal('RESERVED_ORG', 'the system organization cannot be deleted')
    // The lock of the root prevents a team from being created meanwhile.
    await lockAccount(tx, named.rootOrgId)
    const org = await liveOrganization(tx, orgId)
    if (!authority.isSuperAdmin) {
      if (!ORG_SELF_DELETE)
        throw insufficient('system-admin', 'only system administrators can delete organizations on this server')
      if (org.ownerId !== actingUser(context)) throw insufficient('owner', 'only the owner can delete the organization')
    }
    await checkNothingHolds(context, orgId, force ?? false)
    const purgeAfterMs = nowMs + ORG_DELETION_RETENTION_DAYS * DAY_MS
    const { organizations } = identityTables(tx)
    await tx
      .update(organizations)
      .set({
        deletedAtMs: nowMs,
        deletedBy: actingUser(context),
        purgeAfterMs,
        revision: org.revision + 1,
        updatedAtMs: nowMs,
      })
      .where(eq(organizations.id, orgId))
    for (const domain of runtime.domains) await domain.holdsPurge?.(tx, orgId, context.enqueue)
    dropStale(context, { orgId })
    await context.audit('org.soft_delete', {
      targetType: 'organization',
      targetId: orgId,
      details: { name: org.name, force: force ?? false },
    })
    return changed({ deletedAt: toIso(nowMs), purgeAfter: toIso(purgeAfterMs) })
  },
})

async function checkNothingHolds({ tx, runtime }: WriteContext, orgId: string, force: boolean): Promise<void> {
  const { organizations } = identityTables(tx)
  const isLiveTeam = and(eq(organizations.parentOrgId, orgId), isNull(organizations.deletedAtMs))
  const teams = await tx.$count(organizations, isLiveTeam)
  if (teams > 0) throw new Refusal('CONFLICT', `the organization has ${teams} teams: delete them first`)
  if (force) return
  for (const domain of runtime.domains) {
    const reason = (await domain.holdsOrganization?.(tx, orgId)) ?? null
    if (reason !== null) throw new Refusal('CONFLICT', `${reason}; send \`force=true\` to delete anyway`)
  }
}
