/**
 * Checks the alerts of an account in the transaction that changed its money, so that a notification reports what was
 * committed. INVARIANT: an alert notifies once in a period; a unique key enforces this.
 */
import { alertFigure, cents, formatCents, nextInvoice } from '@plumbline/billing-core'
import { and, eq, gte, inArray, type Placeholder } from 'drizzle-orm'
import { insertNew, prepared } from '../../runtime/store/prepared.js'
import { at, findLive } from '../account/subscription.js'
import type { Root } from '../account/writing.js'
import { invoiceAccount } from '../invoice/account.js'
import { sourcesOf } from '../invoice/sources.js'
import { type Telling, tellAccount } from '../notice/send.js'
import type { NoticeText } from '../notice/text.js'
import { type AlertRow, billingTables, type SubscriptionRow } from '../tables.js'

export async function checkAlerts(context: Telling, root: Root): Promise<void> {
  const { tx, runtime, nowMs } = context
  const { billingAlertFirings: firings } = billingTables(tx)
  const alerts = await alertsOf(tx, { orgId: root.id })
  const row = alerts.length === 0 ? null : await findLive(tx, root.id)
  if (row === null) return
  const figures = await figuresOf(context, row)
  for (const alert of alerts) {
    const asked = { kind: alert.kind as 'credit_below', thresholdCents: cents(alert.thresholdCents) }
    const figure = alertFigure(asked, figures)
    if (figure === null) continue
    const firing = {
      id: runtime.ids.next(),
      orgId: root.id,
      alertId: alert.id,
      periodStartMs: row.currentPeriodStartMs,
      cents: figure,
      createdAtMs: nowMs,
    }
    if (await insertNew(tx, firings, firing)) await tellAccount(context, root, textOf(alert, figure))
  }
}

const alertsOf = prepared((db, value: (name: 'orgId') => Placeholder) => {
  const { billingAlerts: t } = billingTables(db)
  return db
    .select()
    .from(t)
    .where(eq(t.orgId, value('orgId')))
})

async function figuresOf({ tx, runtime, nowMs }: Telling, row: SubscriptionRow) {
  const { billingInvoices: t } = billingTables(tx)
  const drawn = await tx
    .select({ totalCents: t.totalCents })
    .from(t)
    .where(
      and(eq(t.orgId, row.orgId), gte(t.createdAtMs, row.currentPeriodStartMs), inArray(t.status, ['paid', 'open'])),
    )
  const next = nextInvoice(runtime.settings.tiers, invoiceAccount(row, await sourcesOf(runtime, tx, row)), at(nowMs))
  return {
    nextInvoiceCents: next?.totalCents ?? null,
    periodSpendCents: cents(drawn.reduce((sum, each) => sum + each.totalCents, 0)),
    creditCents: cents(row.balanceCents),
  }
}

const SAYS = {
  next_invoice_over: (figure: string, threshold: string) => `The next invoice is ${figure}, above ${threshold}`,
  period_spend_over: (figure: string, threshold: string) =>
    `The invoices of this period are ${figure}, above ${threshold}`,
  credit_below: (figure: string, threshold: string) => `The credit is ${figure}, below ${threshold}`,
} as const

function textOf({ kind, thresholdCents }: AlertRow, figure: number): NoticeText {
  const subject = SAYS[kind as keyof typeof SAYS](formatCents(cents(figure)), formatCents(cents(thresholdCents)))
  return {
    subject,
    content: `${subject}. This alert changes nothing, and notifies once per period.`,
    isUrgent: false,
  }
}
