/**
 * Counts failed attempts to charge. The number is derived from the reported attempts and from the current invoices. So
 * deliveries that are reordered, repeated or partly lost lead to the same number.
 */
import type { PaymentFailure } from '@plumbline/billing-core'
import { and, eq, inArray } from 'drizzle-orm'
import { type BillingWriting, writeSubscription } from '../account/writing.js'
import type { LinkRow } from '../provider-tables.js'
import { billingTables, type SubscriptionRow } from '../tables.js'

/** Stores a reported attempt, whether it counts or not. */
export async function rememberFailure(
  context: BillingWriting,
  row: SubscriptionRow,
  failure: PaymentFailure,
): Promise<SubscriptionRow> {
  const isKnown = row.countedFailures.some(
    ({ invoiceId, attempt }) => invoiceId === failure.invoiceId && attempt === failure.attempt,
  )
  if (isKnown || row.status === 'canceled') return row
  return writeSubscription(context, row, { countedFailures: [...row.countedFailures, failure].slice(-REMEMBERED) })
}

const REMEMBERED = 64

/** Adds up the newest attempt of each invoice that is still open; 0 when nothing is due. */
export async function countFailures(
  context: BillingWriting,
  row: SubscriptionRow,
  link: Pick<LinkRow, 'paidPeriodStartMs'>,
): Promise<SubscriptionRow> {
  const attempts = row.status === 'past_due' ? await attemptsOf(context, row, link.paidPeriodStartMs ?? -1) : 0
  if (attempts === row.failedPaymentAttempts) return row
  return writeSubscription(context, row, { failedPaymentAttempts: attempts })
}

async function attemptsOf({ tx }: BillingWriting, row: SubscriptionRow, paidStartMs: number): Promise<number> {
  const { billingInvoices: t } = billingTables(tx)
  const ids = [...new Set(row.countedFailures.map(({ invoiceId }) => invoiceId))]
  if (ids.length === 0) return 0
  const open = await tx
    .select({ id: t.externalId, startMs: t.periodStartMs, createdAtMs: t.createdAtMs })
    .from(t)
    .where(and(eq(t.source, 'card_provider'), inArray(t.externalId, ids), eq(t.status, 'open')))
  return open
    .filter(({ startMs, createdAtMs }) => (startMs ?? createdAtMs) >= paidStartMs)
    .map(({ id }) =>
      Math.max(...row.countedFailures.filter((each) => each.invoiceId === id).map((each) => each.attempt)),
    )
    .reduce((sum, each) => sum + each, 0)
}
