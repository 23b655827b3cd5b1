/** What was billed per month, as bars of text: a full block is paid, a shaded one is credit, a light one is due. */
import { cents, formatCents } from '@plumbline/billing-core'
import type { Invocation, Io } from '../command.js'
import { printData } from '../program/print-data.js'
import { count } from '../report/reporter.js'

interface Month {
  readonly periodStart: string
  readonly creditCents: number
  readonly netCents: number
  readonly paidCents: number
}

interface Bill {
  readonly totals: {
    readonly grossBilledCents: number
    readonly discountsCents: number
    readonly creditsCents: number
    readonly taxCents: number
    readonly netBilledCents: number
    readonly amountPaidCents: number
  }
  readonly timeline: readonly Month[]
  readonly invoiceCount: number
  readonly creditBalanceCents: number
}

export async function showBill(invocation: Invocation, io: Io, data: unknown): Promise<void> {
  const width = io.stdoutIsTty && invocation.options.output === undefined ? io.columns : WIDTH
  await printData(invocation, io, data, () => billText(data as Bill, width))
}

/** The width of a line that does not go to a terminal. */
const WIDTH = 80
const BAR_LEAST = 10
const BAR_MOST = 48
const PAID = '\u2588'
const DUE = '\u2591'
const CREDIT = '\u2592'

const money = (amount: number): string => formatCents(cents(amount))

function billText(bill: Bill, width: number): string {
  const { totals, timeline, invoiceCount, creditBalanceCents } = bill
  const head = `${money(totals.netBilledCents)} billed on ${count(invoiceCount, 'invoice')}, ${money(totals.amountPaidCents)} paid, ${money(creditBalanceCents)} credit left`
  const sums: readonly (readonly [string, number])[] = [
    ['gross', totals.grossBilledCents],
    ['discounts', -totals.discountsCents],
    ['credit', -totals.creditsCents],
    ['tax', totals.taxCents],
    ['net', totals.netBilledCents],
  ]
  const shown = sums.map(([name, amount]) => [name, `${amount < 0 ? '\u2212' : ''}${money(Math.abs(amount))}`] as const)
  const wide = Math.max(...shown.map(([, amount]) => amount.length))
  const table = shown.map(([name, amount]) => `${name.padEnd(9)}  ${amount.padStart(wide)}`)
  const chart = timeline.length === 0 ? [] : [...chartOf(timeline, width), LEGEND, '']
  return `${[head, '', ...chart, ...table].join('\n')}\n`
}

const LEGEND = `${PAID} paid  ${DUE} due  ${CREDIT} credit`

/** The month with the largest amount gets the longest bar, so that every line fits. */
function chartOf(timeline: readonly Month[], width: number): string[] {
  const amounts = timeline.map(({ netCents }) => money(netCents))
  const wide = Math.max(...amounts.map(({ length }) => length))
  const room = Math.min(BAR_MOST, Math.max(BAR_LEAST, width - 'yyyy-mm'.length - wide - 4))
  const most = Math.max(1, ...timeline.map(({ netCents, creditCents }) => netCents + creditCents))
  return timeline.map(({ periodStart, netCents, paidCents, creditCents }, index) => {
    // The end of each part is rounded instead of its length, so that the parts of a bar add up to its length.
    const end = (amount: number): number => Math.round((amount / most) * room)
    const paid = end(Math.min(paidCents, netCents))
    const due = end(netCents) - paid
    const credit = end(netCents + creditCents) - end(netCents)
    const bar = PAID.repeat(paid) + DUE.repeat(due) + CREDIT.repeat(credit)
    return `${periodStart.slice(0, 7)}  ${(amounts[index] ?? '').padStart(wide)}  ${bar}`.trimEnd()
  })
}
