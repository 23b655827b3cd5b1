/** Days whose facts were removed: they are closed, since a run that is told again would count twice. */
import { and, desc, eq } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import type { Db } from '../../runtime/store/db.js'
import { reportingTables } from '../tables.js'

/** The end of the last of them; −∞ where there is none. */
export async function sweptUntil(db: Db, orgId: string): Promise<number> {
  const { reportDailyRuns: t } = reportingTables(db)
  const [row] = await db
    .select({ dayMs: t.dayMs })
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.part, 'swept')))
    .orderBy(desc(t.dayMs))
    .limit(1)
  return row === undefined ? Number.NEGATIVE_INFINITY : row.dayMs + DAY_MS
}
