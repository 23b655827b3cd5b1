/** `GET /billing/alerts`: the alerts of the account, and when each last notified. */
import { eq, inArray } from 'drizzle-orm'
import { permission } from '../../runtime/operation/access.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { billingTables } from '../tables.js'
import { AlertView, presentAlert } from './record.js'

const list = listOf({ key: 'alerts', item: AlertView, sortBy: ['createdAt'] })

export const listAlerts = query({
  name: 'billing.alert.list',
  summary: 'List the alerts of the account',
  http: { method: 'get', path: '/billing/alerts' },
  access: permission('billing:read'),
  tenant: fromAccount,
  input: { query: list.query },
  output: list.output,
  errors: BILLING_ERRORS,
  run: (context, { query: asked }) => page(context, asked),
})

async function page(context: ReadContext, asked: PageQuery) {
  requireBilling(context.runtime)
  const { db } = context
  const { billingAlerts: t, billingAlertFirings: firings } = billingTables(db)
  const own = db
    .select({ id: t.id })
    .from(t)
    .where(eq(t.orgId, tenantId(context)))
  const told = await db
    .select({ alertId: firings.alertId, at: firings.createdAtMs })
    .from(firings)
    .where(inArray(firings.alertId, own))
  const last = new Map<string, number>()
  for (const { alertId, at } of told) last.set(alertId, Math.max(at, last.get(alertId) ?? 0))
  const columns = { createdAt: t.createdAtMs }
  const where = eq(t.orgId, tenantId(context))
  const present = (row: Parameters<typeof presentAlert>[0]) => presentAlert(row, last.get(row.id) ?? null)
  return list.page(db, { table: t, where, columns, id: t.id, query: asked, present })
}
