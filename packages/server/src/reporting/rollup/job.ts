/** Rebuilds the sums of marked days from their facts. */
import { gt, min } from 'drizzle-orm'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { reportingTables } from '../tables.js'
import { rebuildDays } from './rebuild.js'

const KIND = 'reporting.roll-up'
/** Small, so that ingest does not wait long for a batch. */
const MARKS_AT_ONCE = 200

export const rollUpJob = defineJob({
  kind: KIND,
  payload: strictObject({}),
  audit: none('sums follow from facts'),
  concurrency: 1,
  async run(context) {
    for (const orgId of await context.read(organizationsWithMarks)) {
      for (;;) {
        const taken = await context.write(({ tx }) => rebuildDays(tx, orgId, MARKS_AT_ONCE))
        if (taken < MARKS_AT_ONCE) break
      }
    }
  },
})

export const rollUpSchedule = defineSchedule({ name: KIND, kind: KIND, everyMs: 60_000, payload: {} })

/** Finds each organization by a seek along the key of the table. */
async function organizationsWithMarks(db: Db): Promise<string[]> {
  const { reportDirty: t } = reportingTables(db)
  const found: string[] = []
  for (let after = ''; ; after = found.at(-1) as string) {
    const [row] = await db
      .select({ orgId: min(t.orgId) })
      .from(t)
      .where(gt(t.orgId, after))
    if (row?.orgId == null) return found
    found.push(row.orgId)
  }
}
