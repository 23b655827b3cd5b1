/** Switch a schedule on or off. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lockRules } from '../rule-stamp.js'
import { evidenceOf, find, One, path, requireRoom, write } from './change.js'
import { requireNextRun, scheduleRecord } from './record.js'

export const activateSchedule = command({
  name: 'compliance.scan-schedule.activate',
  summary: 'Switch a schedule on or off',
  http: { method: 'patch', path: '/compliance/scan-schedules/:id/active' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.scan-schedule.update'],
  input: { path, body: strictObject({ isActive: Type.Boolean() }) },
  output: One,
  errors: ['CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path: { id }, body: { isActive } }) {
    if (isActive) await lockRules(context.tx, tenantId(context))
    const row = await find(context, id)
    context.checkRevision(row.revision)
    if (row.isActive === isActive) return unchanged({ schedule: scheduleRecord(row) })
    if (isActive) await requireRoom(context.tx, row.orgId)
    const nextRunAtMs = isActive ? requireNextRun(row.cronExpression, context.nowMs) : null
    const next = await write(context, row, { isActive, nextRunAtMs })
    await context.audit('compliance.scan-schedule.update', evidenceOf(next, ['isActive']))
    return changed({ schedule: scheduleRecord(next) })
  },
})
