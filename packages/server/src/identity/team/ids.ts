/** The live teams of an organization by id, for work of other domains over each of them. */
import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { identityTables } from '../tables.js'

export async function liveTeamIds(db: Db, rootOrgId: string, afterId: string, limit: number): Promise<string[]> {
  const { organizations: t } = identityTables(db)
  const rows = await db
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.parentOrgId, rootOrgId), isNull(t.deletedAtMs), gt(t.id, afterId)))
    .orderBy(asc(t.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}
