/** What each account has bought: a subscription with an add-on, its invoices, and an alert that nobody else sees. */
import type { Maker } from './maker.js'

export async function makeBilling({ index, children, things, post, mark }: Maker): Promise<void> {
  const family = [index, ...children]
  const { data } = await post('/billing/subscriptions', { planId: 'enterprise' })
  const { id } = data.subscription
  const added = await post(`/billing/subscriptions/${id}/addons`, { bundleId: 'pipeline_pack', quantity: 1 + index })
  const alert = await post('/billing/alerts', { kind: 'next_invoice_over', thresholdCents: 1_000_000 + index })
  things.subscription.push(id)
  things.alert.push(alert.data.alert.id)
  const invoiceId = added.data.invoiceId
  things.invoice.push(invoiceId)
  for (const text of [id, alert.data.alert.id, invoiceId]) mark(text, family)
}
