/**
 * An organization that an external purchase creates before its owner has an account: it is inserted, adopted by its
 * owner, or dropped.
 */
import { eq } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { insertMembership, type OrganizationRow } from '../account/row.js'
import { builtInRoleId } from '../role/built-in.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { insertOrganization } from './insert.js'
import { checkOwnedRoots } from './owned-roots.js'

export const insertOwnerless = (
  tx: Tx,
  runtime: Runtime,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<OrganizationRow> => insertOrganization(tx, runtime, { id, name, ownerId: null })

interface Adopting {
  readonly tx: Tx
  readonly runtime: Runtime
  readonly nowMs: number
}

/**
 * Makes the person its owner and first member. Its row is locked. @throws Refusal 409 for an organization that has an
 * owner
 */
export async function adoptOrganization(context: Adopting, org: OrganizationRow, userId: string): Promise<void> {
  const { tx, runtime, nowMs } = context
  if (org.ownerId !== null || org.deletedAtMs !== null) {
    throw new Refusal(
      'CONFLICT',
      'the organization of the purchase has an owner or was deleted: open the product at the marketplace again',
    )
  }
  await lockRow(tx, 'users', userId)
  await checkOwnedRoots(tx, userId)
  const { organizations } = identityTables(tx)
  await tx
    .update(organizations)
    .set({ ownerId: userId, revision: org.revision + 1, updatedAtMs: nowMs })
    .where(eq(organizations.id, org.id))
  const roleId = await builtInRoleId(tx, org.id, 'Admin')
  await insertMembership(tx, runtime, { orgId: org.id, userId, roleIds: [roleId] })
  dropStale(context, { orgId: org.id }, { userId })
}

/**
 * For a purchase that went to another organization: this one never had a member, so it is soft-deleted and later
 * purged.
 */
export async function dropOwnerless(context: Adopting, org: OrganizationRow): Promise<void> {
  const { tx, runtime, nowMs } = context
  if (org.ownerId !== null || org.deletedAtMs !== null) return
  const { organizations } = identityTables(tx)
  const purgeAfterMs = nowMs + runtime.settings.ORG_DELETION_RETENTION_DAYS * DAY_MS
  await tx
    .update(organizations)
    .set({ deletedAtMs: nowMs, purgeAfterMs, revision: org.revision + 1, updatedAtMs: nowMs })
    .where(eq(organizations.id, org.id))
  dropStale(context, { orgId: org.id })
}
