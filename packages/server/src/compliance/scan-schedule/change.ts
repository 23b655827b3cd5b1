/** Shared by the operations that change a schedule. */
import { and, count, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { lockRules } from '../rule-stamp.js'
import { complianceTables, type ScheduleRow } from '../tables.js'
import { ScheduleRecord } from './record.js'

export const ACTIVE_MAX = 20

export const One = strictObject({ schedule: ScheduleRecord })

export const path = Type.Object({ id: Uuid })

type Writing = Pick<WriteContext, 'tx' | 'nowMs' | 'actor' | 'authority' | 'principal' | 'request' | 'runtime'>

/** Locks the row, so that it does not change before `write`. @throws Refusal 404. */
export async function find(context: Writing, id: string): Promise<ScheduleRow> {
  const { scanSchedules: t } = complianceTables(context.tx)
  await lockRow(context.tx, 'compliance_scan_schedules', id)
  // guard: a-schedule-to-be-changed-is-an-own-one
  const [row] = await context.tx
    .select()
    .from(t)
    .where(and(eq(t.id, id), eq(t.orgId, tenantId(context))))
  if (row === undefined) throw notFound('Schedule')
  return row
}

/** @param row as `find` read and locked it. */
export async function write(
  { tx, nowMs, actor }: Writing,
  row: ScheduleRow,
  change: Partial<ScheduleRow>,
): Promise<ScheduleRow> {
  const { scanSchedules: t } = complianceTables(tx)
  const next = { ...row, ...change, revision: row.revision + 1, updatedBy: actor.id, updatedAtMs: nowMs }
  await tx
    .update(t)
    .set(next)
    .where(and(eq(t.id, row.id), eq(t.orgId, row.orgId)))
  return next
}

/** The lock serializes additions, so that the limit holds. @throws Refusal 409 at the limit. */
export async function requireRoom(tx: Tx, orgId: string): Promise<void> {
  await lockRules(tx, orgId)
  const { scanSchedules: t } = complianceTables(tx)
  const [row] = await tx
    .select({ active: count() })
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.isActive, true)))
  // guard: so-many-schedules-are-active
  if (Number(row?.active ?? 0) < ACTIVE_MAX) return
  throw new Refusal('CONFLICT', `the organization has ${ACTIVE_MAX} active schedules: switch one off first`)
}

export const evidenceOf = ({ id, target }: ScheduleRow, fields?: readonly string[]) => ({
  targetType: 'scan-schedule',
  targetId: id,
  details: { id, name: target, ...(fields === undefined ? {} : { changed: fields }) },
})
