import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { ownAccount, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { lockAccount } from '../account/organizations.js'
import { findOrganization, type OrganizationRow } from '../account/row.js'
import { actingUser } from '../actor.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { factsOf } from './facts.js'
import { checkOwnedRoots } from './owned-roots.js'
import { OrganizationRecord, organizationRecord } from './record.js'
import { withSeats } from './seats.js'

/**
 * `POST /organization/:id/restore`: by a system administrator or the recorded owner. A deleted organization is not a
 * tenant any more, so the caller is compared with its row here. For all other callers it does not exist.
 */
export const restoreOrganization = command({
  name: 'identity.organization.restore',
  summary: 'Restore a deleted organization',
  http: { method: 'post', ...organizationPath('/:id/restore') },
  access: withStepUp(ownAccount()),
  tenant: noTenant,
  audit: ['org.restore'],
  input: { path: Type.Object({ id: Type.String() }) },
  output: strictObject({ organization: OrganizationRecord }),
  errors: ['CONFLICT', 'NOT_FOUND', 'QUOTA_EXCEEDED', 'SEAT_LIMIT'],
  async run(context, { path: { id } }) {
    const { tx, runtime, authority, nowMs } = context
    const named = await findOrganization(tx, id.toLowerCase())
    // guard: who-restores-an-organization
    const mayRestore = named !== null && (authority.isSuperAdmin || named.ownerId === actingUser(context))
    if (named === null || !mayRestore) throw notFound('Organization')
    const root = await lockAccount(tx, named.rootOrgId)
    const org = await findOrganization(tx, named.id)
    // Without a purge time the purge has begun, so part of the rows may be deleted.
    // guard: what-is-half-purged-stays-deleted
    if (org === null || org.deletedAtMs === null || org.purgeAfterMs === null) throw notFound('Deleted organization')
    if (org.parentOrgId === null && org.ownerId !== null) await lockRow(tx, 'users', org.ownerId)
    await checkRoom(tx, org, root)
    const next = {
      ...org,
      ...NOT_DELETED,
      revision: org.revision + 1,
      updatedAtMs: nowMs,
    }
    const { organizations } = identityTables(tx)
    const revive = async () => {
      await tx.update(organizations).set(next).where(eq(organizations.id, org.id))
    }
    // A root has its own seats; a team uses those of its account.
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
    return changed({ organization: organizationRecord(next, await factsOf(tx, runtime, next)) })
  },
})

async function checkRoom(tx: Tx, org: OrganizationRow, root: OrganizationRow): Promise<void> {
  if (org.parentOrgId !== null) {
    if (root.deletedAtMs !== null) throw new Refusal('CONFLICT', 'restore the organization above it first')
  } else if (org.ownerId !== null) {
    await checkOwnedRoots(tx, org.ownerId)
  }
}
