/** How many members an organization has. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { identityTables } from '../tables.js'

/** Active members of each of the organizations. */
export async function memberCounts(db: Db, orgIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (orgIds.length === 0) return new Map()
  const { memberships } = identityTables(db)
  const rows = await db
    .select({ orgId: memberships.orgId, count: sql<number>`count(*)`.mapWith(Number) })
    .from(memberships)
    .where(and(inArray(memberships.orgId, [...orgIds]), eq(memberships.isActive, true)))
    .groupBy(memberships.orgId)
  return new Map(rows.map(({ orgId, count }) => [orgId, count]))
}

export const memberCount = async (db: Db, orgId: string): Promise<number> =>
  (await memberCounts(db, [orgId])).get(orgId) ?? 0
