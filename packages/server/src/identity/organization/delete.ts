/**
 * Deletes an organization by a tombstone: all access ends, the seats are free, every row stays until the purge, so that
 * restoring brings everything back. Source: platform decisions 14.
 */
import { and, eq, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { insufficient, notFound, Refusal } from '../../runtime/errors.js'
import { either, owner, signedIn, systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromPath, noTenant } from '../../runtime/operation/operation.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { actingUser } from '../actor.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { liveOrganization, lockAccount } from './account.js'
import { findOrganization, type OrganizationRow } from './insert.js'
import { checkOwnedRoots } from './owned-roots.js'
import { memberCount, OrganizationRecord, organizationRecord, standingOf } from './record.js'
import { withSeats } from './seats.js'

const DAY_MS = 86_400_000

/** `DELETE /organization/:id`. */
export const deleteOrganization = command({
  name: 'identity.organization.delete',
  summary: 'Delete an organization; it can be restored until it is purged',
  http: { method: 'delete', ...organizationPath('/:id'), status: 202 },
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
    // The root's lock stands against a team that is created meanwhile.
    await lockAccount(tx, named.rootOrgId)
    const org = await liveOrganization(tx, orgId)
    if (!authority.isSuperAdmin) {
      if (!ORG_SELF_DELETE) throw insufficient('system-admin', 'only system administrators delete organizations here')
      if (org.ownerId !== actingUser(context)) throw insufficient('owner', 'only the owner deletes the organization')
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

/**
 * `POST /organization/:id/restore`: by a system administrator or the recorded owner. A deleted organization is no tenant
 * any more, so the caller is compared with its row here; to everybody else it does not exist.
 */
export const restoreOrganization = command({
  name: 'identity.organization.restore',
  summary: 'Restore a deleted organization',
  http: { method: 'post', ...organizationPath('/:id/restore') },
  access: withStepUp(signedIn()),
  tenant: noTenant,
  audit: ['org.restore'],
  input: { path: Type.Object({ id: Type.String() }) },
  output: strictObject({ organization: OrganizationRecord }),
  errors: ['CONFLICT', 'NOT_FOUND', 'QUOTA_EXCEEDED', 'SEAT_LIMIT'],
  async run(context, { path: { id } }) {
    const { tx, runtime, authority, nowMs } = context
    const named = await findOrganization(tx, id.toLowerCase())
    const mayRestore = named !== null && (authority.isSuperAdmin || named.ownerId === actingUser(context))
    if (named === null || !mayRestore) throw notFound('Organization')
    const root = await lockAccount(tx, named.rootOrgId)
    const org = await findOrganization(tx, named.id)
    // Without an instant of purge it is purged already, perhaps half.
    if (org === null || org.deletedAtMs === null || org.purgeAfterMs === null) throw notFound('Deleted organization')
    if (org.parentOrgId === null && org.ownerId !== null) await lockRow(tx, 'users', org.ownerId)
    await checkRoom(tx, org, root)
    const next = {
      ...org,
      deletedAtMs: null,
      deletedBy: null,
      purgeAfterMs: null,
      revision: org.revision + 1,
      updatedAtMs: nowMs,
    }
    const { organizations } = identityTables(tx)
    const revive = async () => {
      await tx.update(organizations).set(next).where(eq(organizations.id, org.id))
    }
    // A root brings its own seats; a team takes those of its account.
    if (org.parentOrgId === null) await revive()
    else {
      await capacityOf(runtime).takeBack(tx, org.id)
      await withSeats(tx, { rootOrgId: org.rootOrgId, settings: runtime.settings, nowMs }, revive)
    }
    dropStale(context, { orgId: org.id })
    await context.audit('org.restore', {
      targetType: 'organization',
      targetId: org.id,
      affectedOrgId: org.id,
      details: { name: org.name },
    })
    const standing = await standingOf(tx, next, runtime.settings)
    return changed({ organization: organizationRecord(next, standing, await memberCount(tx, org.id)) })
  },
})

async function checkRoom(tx: Tx, org: OrganizationRow, root: OrganizationRow): Promise<void> {
  if (org.parentOrgId !== null) {
    if (root.deletedAtMs !== null) throw new Refusal('CONFLICT', 'restore the organization above it first')
  } else if (org.ownerId !== null) {
    await checkOwnedRoots(tx, org.ownerId)
  }
}
