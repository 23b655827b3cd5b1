/**
 * Our copies of the provider's invoices, the credit that they used, and what they say about the account's payments.
 *
 * Status and period of the subscription arrive with deliveries of their own. What is derived here is derived from all
 * invoices, so that their order does not matter.
 */
import {
  adjust,
  cents,
  consume,
  consumedCredit,
  countsAsFailure,
  ledgerKey,
  type Reversal,
  reconcileBalance,
  signedCents,
} from '@plumbline/billing-core'
import { and, desc, eq, inArray, type Placeholder } from 'drizzle-orm'
import { insertRows, prepared, updateRow } from '../../runtime/store/prepared.js'
import { StaleRead } from '../account/stale-read.js'
import { at } from '../account/subscription.js'
import { type BillingWriting, writeSubscription } from '../account/writing.js'
import { checkAlerts } from '../alert/check.js'
import type { ProviderBalance } from '../charge/read-balance.js'
import { recordEvent } from '../event/record.js'
import type { StoredLine } from '../invoice-line.js'
import { postEntry } from '../ledger/store.js'
import { clawBack } from '../promotion/give.js'
import { updateLink } from '../provider/link.js'
import type { ProviderInvoice, ProviderInvoiceLine } from '../provider/port.js'
import { notePayment } from '../referral/record.js'
import { move } from '../state/move.js'
import { billingTables, type InvoiceRow, type SubscriptionRow } from '../tables.js'
import { countFailures, rememberFailure } from './failures.js'
import type { Account } from './observe.js'
import { openPeriod } from './period.js'

const SOURCE = 'card_provider'

export interface Telling {
  readonly invoice: ProviderInvoice
  /** Null when the balance was not read. */
  readonly balance: ProviderBalance | null
  readonly refundedCents?: number
  readonly isDisputed?: boolean
  readonly isFailure?: boolean
}

/**
 * @returns The account afterwards, and a word for what was done.
 * @throws StaleRead when the balance was read before the newest row of the ledger.
 */
export async function takeInvoice(
  context: BillingWriting,
  account: Account,
  telling: Telling,
): Promise<{ account: Account; effect: string }> {
  const { root } = account
  let { row, link } = account
  const { invoice } = telling
  // guard: a-balance-is-of-this-ledger
  if (telling.balance !== null && telling.balance.afterSeq !== row.lastSeq) throw new StaleRead()
  const before = await findMirror(context, invoice.externalId)
  const stored = await mirror(context, row, telling, before)
  if (invoice.status === 'paid' && invoice.period !== null) row = await openPeriod(context, root, row, invoice.period)
  // Credit is used when the invoice is drawn, whether or not the rest is paid.
  if (invoice.status === 'paid' || invoice.status === 'open') row = await useCredit(context, row, invoice, stored.id)
  if (invoice.status === 'paid') {
    const startMs = invoice.period?.startMs ?? null
    if (startMs !== null && startMs > (link.paidPeriodStartMs ?? -1)) {
      link = await updateLink(context, link, { paidPeriodStartMs: startMs })
    }
    if (before?.status !== 'paid' && before?.status !== 'refunded' && before?.status !== 'disputed') {
      await tellPaid(context, row, stored, link.cancelUnconfirmed && invoice.period !== null && before === null)
    }
  }
  if (telling.isFailure === true) row = await fail(context, { root, row, link }, invoice)
  if (isReversed(stored) && !isReversed(before)) row = await clawBack(context, row)
  row = await followReversal(context, row)
  // guard: failures-are-counted-from-what-is-open
  row = await countFailures(context, row, link)
  row = await balance(context, row, stored.id, telling.balance)
  await checkAlerts(context, root)
  return { account: { root, row, link }, effect: `invoice ${stored.status}` }
}

export async function findMirror({ tx }: Pick<BillingWriting, 'tx'>, externalId: string): Promise<InvoiceRow | null> {
  const [row] = await mirrorOf(tx, { externalId })
  return row ?? null
}

const mirrorOf = prepared((db, value: (name: 'externalId') => Placeholder) => {
  const { billingInvoices: t } = billingTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.source, SOURCE), eq(t.externalId, value('externalId'))))
})

/** An invoice that was refunded or disputed never becomes paid again. */
function statusOf({ invoice, refundedCents = 0, isDisputed = false }: Telling, before: InvoiceRow | null): string {
  if (isDisputed || before?.status === 'disputed') return 'disputed'
  if (refundedCents > 0 || before?.status === 'refunded') return 'refunded'
  const isOver = before !== null && before.status !== 'open'
  // A late delivery does not reopen an invoice that is over.
  return invoice.status === 'open' && isOver ? before.status : invoice.status
}

async function mirror(
  context: BillingWriting,
  row: SubscriptionRow,
  telling: Telling,
  before: InvoiceRow | null,
): Promise<InvoiceRow> {
  const { tx, runtime } = context
  const { billingInvoices: t } = billingTables(tx)
  const { invoice, refundedCents = 0 } = telling
  const paid = Math.max(0, invoice.amountPaidCents - refundedCents)
  const values = {
    periodStartMs: invoice.period?.startMs ?? null,
    periodEndMs: invoice.period?.endMs ?? null,
    lines: invoice.lines.map(lineOf),
    subtotalCents: Math.max(0, invoice.subtotalCents),
    creditCents: consumed(invoice),
    carriedCents: Math.max(0, 0 - invoice.totalCents),
    taxCents: invoice.taxCents,
    totalCents: Math.max(0, invoice.totalCents - consumed(invoice)),
    // What was refunded stays refunded, whatever is reported about the invoice later.
    amountPaidCents: isGivenBack(before) ? Math.min(before.amountPaidCents, paid) : paid,
    status: statusOf(telling, before),
  }
  if (before === null) {
    const created: InvoiceRow = {
      id: runtime.ids.next(),
      orgId: row.orgId,
      subscriptionId: row.id,
      source: SOURCE,
      externalId: invoice.externalId,
      ...values,
      createdAtMs: invoice.createdAtMs,
    }
    await insertRows(tx, t, [created])
    return created
  }
  const isOlder = before.status !== 'open' && invoice.status === 'open'
  const next = isOlder ? { status: values.status } : values
  await updateRow(tx, t, before.id, next)
  return { ...before, ...next }
}

// guard: refunds-stay-after-a-dispute
const isGivenBack = (before: InvoiceRow | null): before is InvoiceRow =>
  before?.status === 'refunded' || before?.status === 'disputed'

const consumed = (invoice: ProviderInvoice): number =>
  consumedCredit(signedCents(invoice.startingBalanceCents), signedCents(Math.min(0, invoice.endingBalanceCents)))

const lineOf = ({ label, quantity, cents: amount, id, isProration }: ProviderInvoiceLine): StoredLine => ({
  kind: isProration ? 'proration' : id !== null && ['pro', 'team', 'enterprise'].includes(id) ? 'plan' : 'addon',
  id,
  label,
  quantity,
  cents: amount,
  reason: isProration
    ? 'for the time that is left, as the provider counts it'
    : 'for one period, as the provider charges it',
})

/** Books the credit that the invoice used, and the credit that it gave back beyond its charges; each once. */
async function useCredit(
  context: BillingWriting,
  row: SubscriptionRow,
  invoice: ProviderInvoice,
  id: string,
): Promise<SubscriptionRow> {
  const entry = {
    id: context.runtime.ids.next(),
    orgId: row.orgId,
    subscriptionId: row.id,
    at: at(invoice.createdAtMs),
  }
  const used = Math.min(consumed(invoice), row.balanceCents)
  const dedupeKey = ledgerKey.invoice(id)
  if (used > 0 && row.status !== 'canceled') {
    const taken = { ...entry, sourceId: 'provider' as const, cents: cents(used), dedupeKey, mode: 'upTo' as const }
    return postEntry(context, row, dedupeKey, (ledger) => consume(ledger, taken))
  }
  const given = Math.max(0, invoice.startingBalanceCents - invoice.endingBalanceCents)
  if (given === 0 || row.status === 'canceled') return row
  return postEntry(context, row, dedupeKey, (ledger) =>
    adjust(ledger, { ...entry, cents: signedCents(given), dedupeKey }),
  )
}

async function tellPaid(
  context: BillingWriting,
  row: SubscriptionRow,
  invoice: InvoiceRow,
  isAgainstWill: boolean,
): Promise<void> {
  const { totalCents, creditCents, id: invoiceId } = invoice
  const ids = { orgId: row.orgId, subscriptionId: row.id }
  await notePayment(context, row.orgId, totalCents)
  await recordEvent(context, { ...ids, type: 'payment_succeeded', details: { invoiceId, totalCents, creditCents } })
  if (!isAgainstWill) return
  await recordEvent(context, {
    ...ids,
    type: 'subscription_updated',
    details: { reason: 'cancel_unconfirmed', invoiceId },
  })
  context.runtime.log?.write('billing.cancel_unconfirmed', { org: row.orgId, invoice: invoiceId })
}

/**
 * A failure counts unless that invoice, or a later period, was paid since. A failure that does not count is stored too.
 */
async function fail(context: BillingWriting, account: Account, invoice: ProviderInvoice): Promise<SubscriptionRow> {
  const { root, row, link } = account
  const stored = await findMirror(context, invoice.externalId)
  const isOver = stored !== null && stored.status !== 'open'
  const failure = { invoiceId: invoice.externalId, periodStart: at(invoice.period?.startMs ?? invoice.createdAtMs) }
  const last = link.paidPeriodStartMs
  const paid = {
    paidInvoiceIds: new Set(isOver ? [invoice.externalId] : []),
    lastPaidPeriodStart: last === null ? null : at(last),
  }
  const told = { invoiceId: invoice.externalId, attempt: Math.max(1, invoice.attempt) }
  const counts = countsAsFailure(failure, paid) && row.status !== 'incomplete'
  return counts ? move(context, root, row, { type: 'payment_failed', ...told }) : rememberFailure(context, row, told)
}

const REVERSED = ['refunded', 'disputed', 'void', 'uncollectible'] as const

/** Benefits that were granted for paying are taken back with the payment, whichever invoice is the newest. */
const isReversed = (invoice: InvoiceRow | null): boolean => REVERSED.some((each) => each === invoice?.status)

/** The newest invoice that is over decides, so a payment after a refund clears the reversal. */
async function followReversal(context: BillingWriting, row: SubscriptionRow): Promise<SubscriptionRow> {
  const { tx, nowMs } = context
  const { billingInvoices: t } = billingTables(tx)
  const [newest] = await tx
    .select()
    .from(t)
    .where(and(eq(t.orgId, row.orgId), eq(t.subscriptionId, row.id), inArray(t.status, ['paid', ...REVERSED])))
    .orderBy(desc(t.createdAtMs), desc(t.externalId))
    .limit(1)
  const reason = REVERSED.find((each) => each === newest?.status)
  if (newest === undefined || reason === undefined) {
    return row.reversal === null ? row : writeSubscription(context, row, { reversal: null })
  }
  if (row.reversal?.invoiceId === newest.id && row.reversal.reason === reason) return row
  const reversal: Reversal = { reason, invoiceId: newest.id, at: at(nowMs) }
  const details = { reason, invoiceId: newest.id }
  await recordEvent(context, { orgId: row.orgId, subscriptionId: row.id, type: 'subscription_updated', details })
  return writeSubscription(context, row, { reversal })
}

/** Books credit that was granted by hand at the provider, as one row. */
export async function balance(
  context: BillingWriting,
  row: SubscriptionRow,
  invoiceId: string,
  there: ProviderBalance | null,
): Promise<SubscriptionRow> {
  if (there === null || row.status === 'canceled' || row.pendingRows > 0) return row
  if (Math.max(0, 0 - there.cents) === row.balanceCents) return row
  const command = {
    id: context.runtime.ids.next(),
    orgId: row.orgId,
    subscriptionId: row.id,
    at: at(context.nowMs),
    invoiceId,
    providerBalance: signedCents(there.cents),
  }
  return postEntry(context, row, ledgerKey.invoiceAdjustment(invoiceId), (ledger) => {
    const result = reconcileBalance(ledger, command)
    if (!result.ok) return result
    if (result.value === null) throw new TypeError('the balances are the same and differ')
    return { ok: true, value: result.value }
  })
}
