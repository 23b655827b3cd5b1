/** Switch a schedule off; it stays listed and can be switched on again. */
import type { Static } from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, type Outcome, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { evidenceOf, find, One, path, write } from './change.js'
import { scheduleRecord } from './record.js'

export const deleteSchedule = command({
  name: 'compliance.scan-schedule.delete',
  summary: 'Switch a schedule off; it stays listed and can be switched on again',
  http: { method: 'delete', path: '/compliance/scan-schedules/:id' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.scan-schedule.delete'],
  input: { path },
  output: One,
  errors: ['NOT_FOUND'],
  async run(context, { path: { id } }): Promise<Outcome<Static<typeof One>>> {
    const row = await find(context, id)
    context.checkRevision(row.revision)
    if (!row.isActive) return unchanged({ schedule: scheduleRecord(row) })
    const next = await write(context, row, { isActive: false, nextRunAtMs: null })
    await context.audit('compliance.scan-schedule.delete', evidenceOf(next))
    return changed({ schedule: scheduleRecord(next) })
  },
})
