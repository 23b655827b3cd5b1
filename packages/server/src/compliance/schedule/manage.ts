/** Schedules: list, create, change, switch on and off. A deleted one is switched off and stays listed (compliance decisions 10.1). */
import { and, count, eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { invalidField, notFound, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, type Outcome, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { command, fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRules } from '../rule-set/stamp.js'
import { ScanTargets } from '../scan/record.js'
import { complianceTables, type ScheduleRow } from '../tables.js'
import { CronExpression, requireNextRun, ScheduleRecord, scheduleRecord } from './record.js'

const ACTIVE_MAX = 20

const Filters = Type.Object({ target: Type.Optional(ScanTargets), isActive: Type.Optional(Type.Boolean()) })
const list = listOf({ key: 'schedules', item: ScheduleRecord, sortBy: ['createdAt'], filters: Filters.properties })
const One = strictObject({ schedule: ScheduleRecord })
const path = Type.Object({ id: Uuid })

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
      where: and(eq(t.orgId, tenantId(context)), equals(t.target, wanted.target), equals(t.isActive, wanted.isActive)),
      columns: { createdAt: t.createdAtMs },
      id: t.id,
      query: asked,
      present: scheduleRecord,
    })
  },
})

export const createSchedule = command({
  name: 'compliance.scan-schedule.create',
  summary: 'Let scans begin by themselves',
  description: `Times are UTC. At most ${ACTIVE_MAX} active schedules an organization.`,
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
      throw invalidField('/body', 'names neither `target` nor `cronExpression`', 'required')
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

type Writing = Pick<WriteContext, 'tx' | 'nowMs' | 'actor' | 'authority' | 'principal' | 'request' | 'runtime'>

/** @throws Refusal 404. */
async function find(context: Writing, id: string): Promise<ScheduleRow> {
  const { scanSchedules: t } = complianceTables(context.tx)
  const [row] = await context.tx
    .select()
    .from(t)
    .where(and(eq(t.id, id), eq(t.orgId, tenantId(context))))
  if (row === undefined) throw notFound('Schedule')
  return row
}

/** @throws Refusal 409 when it was changed, or has begun its scan, since it was read. */
async function write(
  { tx, nowMs, actor }: Writing,
  row: ScheduleRow,
  change: Partial<ScheduleRow>,
): Promise<ScheduleRow> {
  const { scanSchedules: t } = complianceTables(tx)
  const [next] = await tx
    .update(t)
    .set({ ...change, revision: row.revision + 1, updatedBy: actor.id, updatedAtMs: nowMs })
    .where(and(eq(t.id, row.id), eq(t.orgId, row.orgId), eq(t.revision, row.revision)))
    .returning()
  if (next === undefined) throw new Refusal('CONFLICT', 'somebody else changed the schedule at this moment')
  return next
}

/** Those who add one take turns, so that the number holds. @throws Refusal 409. */
async function requireRoom(tx: Tx, orgId: string): Promise<void> {
  await lockRules(tx, orgId)
  const { scanSchedules: t } = complianceTables(tx)
  const [row] = await tx
    .select({ active: count() })
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.isActive, true)))
  if (Number(row?.active ?? 0) < ACTIVE_MAX) return
  throw new Refusal('CONFLICT', `the organization has ${ACTIVE_MAX} active schedules: switch one off first`)
}

const evidenceOf = ({ id, target }: ScheduleRow, fields?: readonly string[]) => ({
  targetType: 'scan-schedule',
  targetId: id,
  details: { id, name: target, ...(fields === undefined ? {} : { changed: fields }) },
})
