/** A scan schedule as the API shows it: when scans of a target start by themselves (spec compliance 10.1). */
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { type ScanTarget, ScanTargets } from '../scan/record.js'
import type { ScheduleRow } from '../tables.js'
import { CRON_LENGTH, nextRun, parseCron } from './cron.js'

export const CronExpression = Type.String({
  minLength: CRON_LENGTH.min,
  maxLength: CRON_LENGTH.max,
  description: 'Five fields in UTC: minute, hour, day of month, month, day of week; such as `30 2 * * MON-FRI`',
})

export const ScheduleRecord = strictObject({
  id: Uuid,
  orgId: Uuid,
  target: ScanTargets,
  cronExpression: Type.String(),
  isActive: Type.Boolean(),
  lastRunAt: nullable(Type.String({ ...Instant, description: 'When its last scan began' })),
  nextRunAt: nullable(Instant),
  revision: Type.Integer(),
  createdBy: nullable(Type.String()),
  createdAt: Instant,
  updatedBy: nullable(Type.String()),
  updatedAt: Instant,
})

export const scheduleRecord = (row: ScheduleRow): Static<typeof ScheduleRecord> => ({
  id: row.id,
  orgId: row.orgId,
  target: row.target as ScanTarget,
  cronExpression: row.cronExpression,
  isActive: row.isActive,
  lastRunAt: toIsoOrNull(row.lastRunAtMs),
  nextRunAt: toIsoOrNull(row.nextRunAtMs),
  revision: row.revision,
  createdBy: row.createdBy,
  createdAt: toIso(row.createdAtMs),
  updatedBy: row.updatedBy,
  updatedAt: toIso(row.updatedAtMs),
})

/** The next run of an expression that a caller sends. @throws Refusal 400 with the position of the mistake. */
export function requireNextRun(expression: string, nowMs: number): number {
  const parsed = parseCron(expression)
  if ('mistake' in parsed) throw refuseCron(parsed.mistake.position, parsed.mistake.message)
  const run = nextRun(parsed.cron, nowMs)
  if (run === null) throw refuseCron(0, 'matches no minute of the next four years')
  return run
}

function refuseCron(position: number, message: string): Refusal {
  const path = '/body/cronExpression'
  return new Refusal('VALIDATION_ERROR', `${path}: ${message} (at character ${position + 1})`, {
    details: { field: 'cronExpression', position, issues: [{ path, message, code: 'cron' }] },
  })
}

/** For a stored expression, which was validated when it was written. Null when it has no further run. */
export function nextRunOf({ cronExpression }: Pick<ScheduleRow, 'cronExpression'>, nowMs: number): number | null {
  const parsed = parseCron(cronExpression)
  return 'cron' in parsed ? nextRun(parsed.cron, nowMs) : null
}

/** The next runs after an instant, up to the given number. */
export function nextRunsOf(
  { cronExpression }: Pick<ScheduleRow, 'cronExpression'>,
  nowMs: number,
  most: number,
): number[] {
  const parsed = parseCron(cronExpression)
  const runs: number[] = []
  if ('mistake' in parsed) return runs
  for (let at = nextRun(parsed.cron, nowMs); at !== null && runs.length < most; at = nextRun(parsed.cron, at))
    runs.push(at)
  return runs
}
