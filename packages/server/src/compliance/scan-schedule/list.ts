/** List scan schedules, the newest first. */
import { and, eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { ScanTargets } from '../scan/record.js'
import { complianceTables } from '../tables.js'
import { ScheduleRecord, scheduleRecord } from './record.js'

const Filters = Type.Object({ target: Type.Optional(ScanTargets), isActive: Type.Optional(Type.Boolean()) })

const list = listOf({ key: 'schedules', item: ScheduleRecord, sortBy: ['createdAt'], filters: Filters.properties })

export const listSchedules = query({
  name: 'compliance.scan-schedule.list',
  summary: 'List scan schedules, the newest first',
  http: { method: 'get', path: '/compliance/scan-schedules' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: list.query },
  output: list.output,
  errors: ['VALIDATION_ERROR'],
  async run({ db, ...context }, { query: asked }) {
    const wanted: Static<typeof Filters> & PageQuery = asked
    const { scanSchedules: t } = complianceTables(db)
    return list.page(db, {
      table: t,
      // guard: the-list-of-schedules
      where: and(eq(t.orgId, tenantId(context)), equals(t.target, wanted.target), equals(t.isActive, wanted.isActive)),
      columns: { createdAt: t.createdAtMs },
      id: t.id,
      query: asked,
      present: scheduleRecord,
    })
  },
})
