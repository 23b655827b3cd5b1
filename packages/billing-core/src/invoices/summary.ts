/**
 * What an account was billed over a time: totals, and totals by month. A voided invoice counts as never billed.
 *
 * INVARIANT: the totals are the sums of the invoices and of the months. Gross + tax − discounts − credit = net.
 */
import { add, subtractToZero, sum } from '../money/arithmetic.js'
import { type Cents, ZERO } from '../money/cents.js'
import { type Instant, instant } from '../period/instant.js'
import type { InvoiceStatus } from './mirror.js'

export interface BilledInvoice {
  /** The start of the invoice's period. For a change within a period, the instant at which the invoice was drawn. */
  readonly at: Instant
  readonly status: InvoiceStatus
  readonly subtotalCents: Cents
  readonly creditCents: Cents
  readonly taxCents: Cents
  readonly totalCents: Cents
  readonly amountPaidCents: Cents
}

/** The sums of the invoices of one day or less. Voided invoices are left out. */
export interface BilledDay {
  readonly at: Instant
  readonly invoices: number
  readonly subtotalCents: Cents
  /** Reductions that a provider made by itself. */
  readonly discountCents: Cents
  readonly creditCents: Cents
  readonly taxCents: Cents
  readonly totalCents: Cents
  readonly amountPaidCents: Cents
}

export interface BilledMonth {
  /** The first day of a month, in UTC. */
  readonly periodStart: Instant
  readonly grossCents: Cents
  readonly discountCents: Cents
  readonly creditCents: Cents
  readonly taxCents: Cents
  readonly netCents: Cents
  readonly paidCents: Cents
}

export interface BillingSummary {
  readonly totals: {
    readonly grossBilledCents: Cents
    readonly discountsCents: Cents
    readonly creditsCents: Cents
    readonly taxCents: Cents
    readonly netBilledCents: Cents
    readonly amountPaidCents: Cents
  }
  readonly timeline: readonly BilledMonth[]
  readonly invoiceCount: number
}

/** Sums invoices by month, in order. Months without an invoice are left out. */
export function summarizeInvoices(invoices: Iterable<BilledInvoice>): BillingSummary {
  return summarizeDays([...invoices].filter(({ status }) => status !== 'void').map(dayOf))
}

/** Like `summarizeInvoices`, over sums by day. Days are in UTC, as months are. */
export function summarizeDays(days: Iterable<BilledDay>): BillingSummary {
  const months = new Map<string, BilledMonth>()
  let invoiceCount = 0
  for (const day of days) {
    invoiceCount += day.invoices
    const key = day.at.slice(0, 7)
    months.set(key, addTo(months.get(key) ?? emptyMonth(key), day))
  }
  const timeline = [...months.values()].sort((a, b) => (a.periodStart < b.periodStart ? -1 : 1))
  const total = (of: (month: BilledMonth) => Cents): Cents => sum(timeline.map(of))
  return {
    totals: {
      grossBilledCents: total(({ grossCents }) => grossCents),
      discountsCents: total(({ discountCents }) => discountCents),
      creditsCents: total(({ creditCents }) => creditCents),
      taxCents: total(({ taxCents }) => taxCents),
      netBilledCents: total(({ netCents }) => netCents),
      amountPaidCents: total(({ paidCents }) => paidCents),
    },
    timeline,
    invoiceCount,
  }
}

function emptyMonth(key: string): BilledMonth {
  const nothing = { grossCents: ZERO, discountCents: ZERO, creditCents: ZERO, taxCents: ZERO, netCents: ZERO }
  return { periodStart: instant(`${key}-01T00:00:00.000Z`), ...nothing, paidCents: ZERO }
}

function dayOf({ at, subtotalCents, creditCents, taxCents, totalCents, amountPaidCents }: BilledInvoice): BilledDay {
  // A difference that neither the credit nor the total explains is a reduction that a provider made by itself.
  const discountCents = subtractToZero(add(subtotalCents, taxCents), add(creditCents, totalCents))
  return { at, invoices: 1, subtotalCents, discountCents, creditCents, taxCents, totalCents, amountPaidCents }
}

function addTo(month: BilledMonth, day: BilledDay): BilledMonth {
  const { subtotalCents, discountCents, creditCents, taxCents, totalCents, amountPaidCents } = day
  return {
    periodStart: month.periodStart,
    grossCents: add(month.grossCents, subtotalCents),
    discountCents: add(month.discountCents, discountCents),
    creditCents: add(month.creditCents, creditCents),
    taxCents: add(month.taxCents, taxCents),
    netCents: add(month.netCents, totalCents),
    paidCents: add(month.paidCents, amountPaidCents),
  }
}
