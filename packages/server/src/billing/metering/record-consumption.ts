/**
 * Records what credit paid for at the marketplace, as one invoice for each period: charged there and paid by credit, so
 * its total is 0.
 */
import { formatCents } from '@plumbline/billing-core'
import { and, eq } from 'drizzle-orm'
import type { BillingWriting } from '../account/writing.js'
import type { StoredLine } from '../invoice-line.js'
import type { HourRow } from '../marketplace-tables.js'
import { billingTables, type SubscriptionRow } from '../tables.js'

const SOURCE = 'marketplace'

export async function recordConsumption(
  { tx, runtime, nowMs }: BillingWriting,
  row: SubscriptionRow,
  { plan, periodStartMs }: HourRow,
): Promise<void> {
  const { billingInvoices: t } = billingTables(tx)
  const externalId = `mp:${row.orgId}:${new Date(periodStartMs).toISOString()}`
  const [known] = await tx
    .select()
    .from(t)
    .where(and(eq(t.source, SOURCE), eq(t.externalId, externalId)))
  const cents = plan.consumedCents
  if (known !== undefined) {
    await tx
      .update(t)
      .set({
        lines: added(known.lines, plan),
        subtotalCents: known.subtotalCents + cents,
        creditCents: known.creditCents + cents,
      })
      .where(eq(t.id, known.id))
    return
  }
  await tx.insert(t).values({
    id: runtime.ids.next(),
    orgId: row.orgId,
    subscriptionId: row.id,
    source: SOURCE,
    externalId,
    periodStartMs,
    periodEndMs: null,
    lines: added([], plan),
    subtotalCents: cents,
    creditCents: cents,
    carriedCents: 0,
    taxCents: 0,
    totalCents: 0,
    amountPaidCents: 0,
    status: 'paid',
    createdAtMs: nowMs,
  })
}

/** One line for each dimension. Its units add up over the period. */
function added(lines: readonly StoredLine[], { lines: withheld }: HourRow['plan']): StoredLine[] {
  const next = [...lines]
  for (const { dimension, withheldUnits, withheldCents, priceCents } of withheld) {
    if (withheldUnits === 0 || priceCents === null) continue
    const at = next.findIndex((line) => line.id === dimension)
    const known = next[at]
    const quantity = (known?.quantity ?? 0) + withheldUnits
    const line: StoredLine = {
      kind: 'addon',
      id: dimension,
      label: `${dimension}, metered`,
      quantity,
      cents: (known?.cents ?? 0) + withheldCents,
      reason: `${quantity} × ${formatCents(priceCents)} withheld from the marketplace and paid by credit`,
    }
    if (at === -1) next.push(line)
    else next[at] = line
  }
  return next
}
