/** An alert as it is stored and as the API returns it. */
import { type AlertKind, alertKinds } from '@plumbline/billing-core'
import { and, desc, eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { choice, Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { type AlertRow, billingTables } from '../tables.js'

export const Kind = choice(alertKinds, {
  description:
    '`next_invoice_over`: the next invoice is above the threshold; `period_spend_over`: the invoices of the period are; `credit_below`: the credit is below it',
})
export const ThresholdCents = Type.Integer({ minimum: 0, maximum: 100_000_000_000, description: 'US cents' })

export const AlertView = strictObject({
  id: Uuid,
  kind: Kind,
  thresholdCents: ThresholdCents,
  lastToldAt: nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
})

export const presentAlert = (row: AlertRow, lastToldMs: number | null) => ({
  id: row.id,
  kind: row.kind as AlertKind,
  thresholdCents: row.thresholdCents,
  lastToldAt: toIsoOrNull(lastToldMs),
  createdAt: toIso(row.createdAtMs),
  updatedAt: toIso(row.updatedAtMs),
})

/** The alert of this account. @throws Refusal 404 */
export async function requireAlert(db: Db, rootOrgId: string, id: string): Promise<AlertRow> {
  const { billingAlerts: t } = billingTables(db)
  // guard: an-alert-is-its-account-s
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), eq(t.orgId, rootOrgId)))
  if (row === undefined) throw notFound('Alert')
  return row
}

/** When the alert last notified; null for never. */
export async function lastTold(db: Db, alertId: string): Promise<number | null> {
  const { billingAlertFirings: t } = billingTables(db)
  const [row] = await db
    .select({ at: t.createdAtMs })
    .from(t)
    .where(eq(t.alertId, alertId))
    .orderBy(desc(t.periodStartMs))
    .limit(1)
  return row?.at ?? null
}

export const evidenceOf = ({ id, orgId, kind, thresholdCents }: AlertRow) => ({
  targetType: 'billing_alert',
  targetId: id,
  affectedOrgId: orgId,
  details: { alertId: id, kind, cents: thresholdCents },
})
