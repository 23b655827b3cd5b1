/** `PUT /billing/alerts/:id`: changes the threshold. Notifications at the old threshold do not count. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromAccount } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { openAccount } from '../account/open.js'
import { billingTables } from '../tables.js'
import { checkAlerts } from './check.js'
import { AlertView, evidenceOf, lastTold, presentAlert, requireAlert, ThresholdCents } from './record.js'

export const updateAlert = command({
  name: 'billing.alert.update',
  summary: 'Change the threshold of an alert',
  description: 'It can notify again in this period.',
  http: { method: 'put', path: '/billing/alerts/:id' },
  access: permission('billing:manage'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  audit: ['billing.alert.update'],
  input: { path: Type.Object({ id: Uuid }), body: strictObject({ thresholdCents: ThresholdCents }) },
  output: strictObject({ alert: AlertView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(request, { path: { id }, body: { thresholdCents } }) {
    requireBilling(request.runtime)
    const { inTime: context, root } = await openAccount(request, tenantId(request))
    const { tx, nowMs } = context
    const row = await requireAlert(tx, root.id, id)
    if (row.thresholdCents === thresholdCents) {
      return unchanged({ alert: presentAlert(row, await lastTold(tx, id)) })
    }
    const { billingAlerts: t, billingAlertFirings: firings } = billingTables(tx)
    const next = { ...row, thresholdCents, updatedAtMs: nowMs }
    await tx.update(t).set({ thresholdCents, updatedAtMs: nowMs }).where(eq(t.id, id))
    await tx.delete(firings).where(eq(firings.alertId, id))
    await context.audit('billing.alert.update', evidenceOf(next))
    await checkAlerts(context, root)
    return changed({ alert: presentAlert(next, await lastTold(tx, id)) })
  },
})
