/** `DELETE /billing/alerts/:id`: the alert notifies no more. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromAccount } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { openAccount } from '../account/open.js'
import { billingTables } from '../tables.js'
import { evidenceOf, requireAlert } from './record.js'

export const deleteAlert = command({
  name: 'billing.alert.delete',
  summary: 'Delete an alert',
  http: { method: 'delete', path: '/billing/alerts/:id' },
  access: permission('billing:manage'),
  tenant: fromAccount,
  audit: ['billing.alert.delete'],
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ deleted: Uuid }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run(request, { path: { id } }) {
    requireBilling(request.runtime)
    const { inTime: context, root } = await openAccount(request, tenantId(request))
    const { tx } = context
    const row = await requireAlert(tx, root.id, id)
    const { billingAlerts: t, billingAlertFirings: firings } = billingTables(tx)
    await tx.delete(firings).where(eq(firings.alertId, id))
    await tx.delete(t).where(eq(t.id, id))
    await context.audit('billing.alert.delete', evidenceOf(row))
    return changed({ deleted: id })
  },
})
