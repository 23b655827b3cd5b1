/**
 * The account: a root organization and its teams. Seats, tier and features are pooled over the account and stored in
 * the root's row. A transaction that changes them holds the lock of that row.
 *
 * INVARIANT: rows are locked in one order, so that transactions cannot deadlock: root organizations by id, teams by id,
 * Roles, people by id.
 */
import { and, asc, eq, inArray, isNotNull, isNull, or, type SQL } from 'drizzle-orm'
import { notFound } from '../../runtime/errors.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { lockRows } from '../../runtime/store/postgres.js'
import { identityTables } from '../tables.js'
import { findLocked, findOrganization, type OrganizationRow } from './row.js'

/** Locks the root's row until the transaction ends, and reads it under the lock. */
export async function lockAccount(tx: Tx, rootOrgId: string): Promise<OrganizationRow> {
  const root = await findLocked(tx, rootOrgId)
  if (root === null) throw notFound('Organization')
  return root
}

/** Locks the rows of these accounts in the order of the invariant, and reads nothing. */
export const lockAccounts = (tx: Tx, rootOrgIds: readonly string[]): Promise<void> =>
  lockRows(tx, 'organizations', rootOrgIds)

/** Locks the rows of these organizations in the order of the invariant. */
export async function lockOrganizations(tx: Tx, ids: readonly string[]): Promise<void> {
  const { organizations } = identityTables(tx)
  const rows = await tx
    .select({ id: organizations.id, parentOrgId: organizations.parentOrgId })
    .from(organizations)
    .where(inArray(organizations.id, [...ids]))
  const idsOf = (areTeams: boolean) => rows.filter((row) => (row.parentOrgId !== null) === areTeams).map(({ id }) => id)
  await lockRows(tx, 'organizations', idsOf(false))
  await lockRows(tx, 'organizations', idsOf(true))
}

/** The row of an organization that was not deleted. */
export async function liveOrganization(db: Db, id: string): Promise<OrganizationRow> {
  const row = await findOrganization(db, id)
  if (row === null || row.deletedAtMs !== null) throw notFound('Organization')
  return row
}

/** The live organizations of the account, the root first. */
export function accountOrganizations(db: Db, rootOrgId: string): Promise<OrganizationRow[]> {
  return rootFirst(db, rootOrgId, isNull(identityTables(db).organizations.deletedAtMs))
}

/** Like `accountOrganizations`, with the deleted teams that can be restored: their members and owners come back then. */
export function restorableOrganizations(db: Db, rootOrgId: string): Promise<OrganizationRow[]> {
  const { deletedAtMs, purgeAfterMs } = identityTables(db).organizations
  // guard: a-restored-team-brings-nobody-back-who-left
  return rootFirst(db, rootOrgId, or(isNull(deletedAtMs), isNotNull(purgeAfterMs)))
}

async function rootFirst(db: Db, rootOrgId: string, which: SQL | undefined): Promise<OrganizationRow[]> {
  const { organizations } = identityTables(db)
  const rows = await db
    .select()
    .from(organizations)
    .where(and(eq(organizations.rootOrgId, rootOrgId), which))
    .orderBy(asc(organizations.createdAtMs), asc(organizations.id))
  return rows.sort((a, b) => Number(b.id === rootOrgId) - Number(a.id === rootOrgId))
}
