/**
 * `POST /billing/alerts`: notifies the account when a figure of its money passes a threshold, and at once when it has
 * passed it already.
 */
import { eq } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromAccount } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { openAccount } from '../account/open.js'
import { type AlertRow, billingTables } from '../tables.js'
import { checkAlerts } from './check.js'
import { AlertView, evidenceOf, Kind, lastTold, presentAlert, ThresholdCents } from './record.js'

const ALERTS_MAX = 50

export const createAlert = command({
  name: 'billing.alert.create',
  summary: 'Add an alert about the spending of the account',
  description: 'It notifies people who manage billing once per period, by inbox and e-mail, and changes nothing.',
  http: { method: 'post', path: '/billing/alerts', status: 201 },
  access: permission('billing:manage'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  audit: ['billing.alert.create'],
  idempotent: true,
  input: { body: strictObject({ kind: Kind, thresholdCents: ThresholdCents }) },
  output: strictObject({ alert: AlertView }),
  errors: [...BILLING_ERRORS, 'CONFLICT', 'VALIDATION_ERROR'],
  async run(request, { body: { kind, thresholdCents } }) {
    requireBilling(request.runtime)
    const { inTime: context, root } = await openAccount(request, tenantId(request))
    const { tx, runtime, nowMs } = context
    const { billingAlerts: t } = billingTables(tx)
    const known = await tx.select({ id: t.id }).from(t).where(eq(t.orgId, root.id))
    if (known.length >= ALERTS_MAX) {
      throw new Refusal('CONFLICT', `an account has ${ALERTS_MAX} alerts at most: delete one, or change its threshold`)
    }
    const id = runtime.ids.next()
    const row: AlertRow = { id, orgId: root.id, kind, thresholdCents, createdAtMs: nowMs, updatedAtMs: nowMs }
    await tx.insert(t).values(row)
    await context.audit('billing.alert.create', evidenceOf(row))
    await checkAlerts(context, root)
    return changed({ alert: presentAlert(row, await lastTold(tx, id)) })
  },
})
