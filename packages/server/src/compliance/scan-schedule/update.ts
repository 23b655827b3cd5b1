/** Change the target or the times of a schedule. */
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { ScanTargets } from '../scan/record.js'
import { evidenceOf, find, One, path, write } from './change.js'
import { CronExpression, requireNextRun, scheduleRecord } from './record.js'

export const updateSchedule = command({
  name: 'compliance.scan-schedule.update',
  summary: 'Change the target or the times of a schedule',
  http: { method: 'put', path: '/compliance/scan-schedules/:id' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.scan-schedule.update'],
  serverOwned: [
    'id',
    'orgId',
    'lastRunAt',
    'nextRunAt',
    'revision',
    'createdBy',
    'createdAt',
    'updatedBy',
    'updatedAt',
  ],
  input: {
    path,
    body: strictObject({ target: Type.Optional(ScanTargets), cronExpression: Type.Optional(CronExpression) }),
  },
  output: One,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path: { id }, body }) {
    const row = await find(context, id)
    context.checkRevision(row.revision)
    context.checkServerOwned(scheduleRecord(row))
    const { target = row.target, cronExpression = row.cronExpression } = body
    if (body.target === undefined && body.cronExpression === undefined) {
      throw invalidField('/body', 'has neither `target` nor `cronExpression`', 'required')
    }
    const nextRunAtMs = requireNextRun(cronExpression, context.nowMs)
    const fields = [
      ...(target === row.target ? [] : ['target']),
      ...(cronExpression === row.cronExpression ? [] : ['cronExpression']),
    ]
    if (fields.length === 0) return unchanged({ schedule: scheduleRecord(row) })
    const next = await write(context, row, {
      target,
      cronExpression,
      nextRunAtMs: row.isActive ? nextRunAtMs : null,
    })
    await context.audit('compliance.scan-schedule.update', evidenceOf(next, fields))
    return changed({ schedule: scheduleRecord(next) })
  },
})
