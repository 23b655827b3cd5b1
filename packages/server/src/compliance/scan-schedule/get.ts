/** One schedule of scans. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { complianceTables } from '../tables.js'
import { ScheduleRecord, scheduleRecord } from './record.js'

export const getSchedule = query({
  name: 'compliance.scan-schedule.get',
  summary: 'Show a schedule of scans',
  http: { method: 'get', path: '/compliance/scan-schedules/:id' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ schedule: ScheduleRecord }),
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
    return { schedule: scheduleRecord(row) }
  },
})
