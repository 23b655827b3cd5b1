/** Add a schedule that starts scans. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { ScanTargets } from '../scan/record.js'
import { complianceTables, type ScheduleRow } from '../tables.js'
import { ACTIVE_MAX, evidenceOf, One, requireRoom } from './change.js'
import { CronExpression, requireNextRun, scheduleRecord } from './record.js'

export const createSchedule = command({
  name: 'compliance.scan-schedule.create',
  summary: 'Create a schedule of scans',
  description: `Times are UTC. At most ${ACTIVE_MAX} active schedules per organization.`,
  http: { method: 'post', path: '/compliance/scan-schedules', status: 201 },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.scan-schedule.create'],
  idempotent: true,
  input: {
    body: strictObject({
      target: ScanTargets,
      cronExpression: CronExpression,
      isActive: Type.Optional(Type.Boolean({ default: true })),
    }),
  },
  output: One,
  errors: ['CONFLICT', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { tx, runtime, nowMs, actor } = context
    const { target, cronExpression, isActive = true } = body
    const nextRunAtMs = requireNextRun(cronExpression, nowMs)
    const orgId = tenantId(context)
    if (isActive) await requireRoom(tx, orgId)
    const row: ScheduleRow = {
      id: runtime.ids.next(),
      orgId,
      target,
      cronExpression,
      isActive,
      lastRunAtMs: null,
      nextRunAtMs: isActive ? nextRunAtMs : null,
      revision: 1,
      createdBy: actor.id,
      createdAtMs: nowMs,
      updatedBy: actor.id,
      updatedAtMs: nowMs,
    }
    await tx.insert(complianceTables(tx).scanSchedules).values(row)
    await context.audit('compliance.scan-schedule.create', evidenceOf(row))
    return changed({ schedule: scheduleRecord(row) })
  },
})
