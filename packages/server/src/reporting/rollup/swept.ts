/** Days whose facts were deleted are closed: a run that is reported again would count twice. */
import { and, desc, eq, type Placeholder } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { reportingTables } from '../tables.js'

const lastSwept = prepared((db, value: (name: 'orgId') => Placeholder) => {
  const { reportDailyRuns: t } = reportingTables(db)
  return db
    .select({ dayMs: t.dayMs })
    .from(t)
    .where(and(eq(t.orgId, value('orgId')), eq(t.part, 'swept')))
    .orderBy(desc(t.dayMs))
    .limit(1)
})

/** The end of the last closed day; −∞ if there is none. */
export async function sweptUntil(db: Db, orgId: string): Promise<number> {
  const [row] = await lastSwept(db, { orgId })
  return row === undefined ? Number.NEGATIVE_INFINITY : row.dayMs + DAY_MS
}
