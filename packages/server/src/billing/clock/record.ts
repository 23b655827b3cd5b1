/** A test clock in the API, and whether test clocks are on. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { notFound, Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { requireBilling } from '../account/gate.js'
import { billingTables, type ClockRow } from '../tables.js'

export const ClockView = strictObject({
  id: Uuid,
  name: Type.String(),
  now: Instant,
  sandbox: Type.Literal(true),
  failsFrom: nullable(Instant),
  failsUntil: nullable(Instant),
  createdAt: Instant,
})

export const presentClock = (row: ClockRow) => ({
  id: row.id,
  name: row.name,
  now: toIso(row.nowMs),
  sandbox: true as const,
  failsFrom: toIsoOrNull(row.failFromMs),
  failsUntil: row.failFromMs === null ? null : toIsoOrNull(row.failUntilMs),
  createdAt: toIso(row.createdAtMs),
})

/** @throws Refusal 404 while test clocks are off; 503 while billing is */
export function requireClocks(runtime: Pick<Runtime, 'settings'>): void {
  requireBilling(runtime)
  if (runtime.settings.BILLING_TEST_CLOCKS) return
  throw new Refusal('NOT_FOUND', 'test clocks are off: BILLING_TEST_CLOCKS is `false`')
}

/** The clock of this account. @throws Refusal 404 */
export async function requireClock(db: Db, rootOrgId: string, id: string): Promise<ClockRow> {
  const { billingClocks: t } = billingTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.orgId, rootOrgId), eq(t.id, id)))
  if (row === undefined) throw notFound('Clock')
  return row
}
