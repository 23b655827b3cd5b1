/** One schedule of scans. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { complianceTables } from '../tables.js'
import { nextRunsOf, ScheduleRecord, scheduleRecord } from './record.js'

const RUNS_SHOWN = 5

export const getSchedule = query({
  name: 'compliance.scan-schedule.get',
  summary: 'Show a schedule of scans',
  http: { method: 'get', path: '/compliance/scan-schedules/:id' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({
    schedule: ScheduleRecord,
    nextRuns: Type.Array(Instant, { maxItems: RUNS_SHOWN, description: 'When it runs next; empty while it is off' }),
  }),
  errors: ['NOT_FOUND'],
  async run({ db, ...context }, { path }) {
    const { scanSchedules: t } = complianceTables(db)
    const [row] = await db
      .select()
      .from(t)
      .where(
        and(
          // guard: a-schedule-of-the-own-organization
          eq(t.orgId, tenantId(context)),
          eq(t.id, path.id),
        ),
      )
    if (row === undefined) throw notFound('Schedule')
    return {
      schedule: scheduleRecord(row),
      nextRuns: row.isActive ? nextRunsOf(row, context.nowMs, RUNS_SHOWN).map(toIso) : [],
    }
  },
})
