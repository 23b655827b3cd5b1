/** Totals of invoices: against sums in BigInt, and against the months. */
import { expect, test } from 'vitest'
import { Random } from '../proof/random.js'
import { type BilledInvoice, cents, instant, summarizeInvoices } from '../src/index.js'

const invoice = (at: string, subtotal: number, more: Partial<BilledInvoice> = {}): BilledInvoice => ({
  at: instant(`${at}T00:00:00.000Z`),
  status: 'paid',
  subtotalCents: cents(subtotal),
  creditCents: cents(0),
  taxCents: cents(0),
  totalCents: cents(subtotal),
  amountPaidCents: cents(subtotal),
  ...more,
})

test('nothing is nothing', () => {
  const { totals, timeline, invoiceCount } = summarizeInvoices([])
  expect([Object.values(totals), timeline, invoiceCount]).toEqual([[0, 0, 0, 0, 0, 0], [], 0])
})

test('months are those of UTC, in their order; a voided invoice was never billed, an uncollectible one was not paid', () => {
  const summary = summarizeInvoices([
    invoice('2026-12-31', 500),
    invoice('2026-05-31', 4_900, {
      creditCents: cents(1_000),
      totalCents: cents(3_900),
      amountPaidCents: cents(3_900),
    }),
    invoice('2026-05-01', 9_999, { status: 'void' }),
    invoice('2026-05-02', 100, { status: 'uncollectible', amountPaidCents: cents(0) }),
  ])
  expect(summary.timeline.map(({ periodStart, netCents }) => [periodStart, netCents])).toEqual([
    ['2026-05-01T00:00:00.000Z', 4_000],
    ['2026-12-01T00:00:00.000Z', 500],
  ])
  expect(summary.totals).toEqual({
    grossBilledCents: 5_500,
    discountsCents: 0,
    creditsCents: 1_000,
    taxCents: 0,
    netBilledCents: 4_500,
    amountPaidCents: 4_400,
  })
  expect(summary.invoiceCount).toBe(3)
})

test('the totals are the sums of the invoices and of the months, and gross + tax − discounts − credit = net', () => {
  const random = new Random(17)
  const below = (max: number) => random.whole(0, max - 1)
  const statuses = ['paid', 'open', 'void', 'uncollectible', 'refunded', 'disputed'] as const
  for (let round = 0; round < 300; round++) {
    const invoices = Array.from({ length: below(40) }, () => {
      const [gross, tax] = [below(1_000_000), below(1_000)]
      const off = below(gross + 1)
      const credit = below(gross - off + 1)
      const month = String(1 + below(12)).padStart(2, '0')
      return invoice(`20${26 + below(3)}-${month}-1${below(10)}`, gross, {
        status: statuses[below(statuses.length)] ?? 'paid',
        taxCents: cents(tax),
        creditCents: cents(credit),
        totalCents: cents(gross - off - credit + tax),
        amountPaidCents: cents(below(gross + 1)),
      })
    })
    const { totals, timeline, invoiceCount } = summarizeInvoices(invoices)
    const billed = invoices.filter(({ status }) => status !== 'void')
    const big = (of: (each: BilledInvoice) => number) =>
      Number(billed.reduce((sum, each) => sum + BigInt(of(each)), 0n))
    expect(invoiceCount).toBe(billed.length)
    expect(totals.grossBilledCents).toBe(big(({ subtotalCents }) => subtotalCents))
    expect(totals.creditsCents).toBe(big(({ creditCents }) => creditCents))
    expect(totals.netBilledCents).toBe(big(({ totalCents }) => totalCents))
    expect(totals.amountPaidCents).toBe(big(({ amountPaidCents }) => amountPaidCents))
    const { grossBilledCents, taxCents, discountsCents, creditsCents, netBilledCents } = totals
    expect(grossBilledCents + taxCents - discountsCents - creditsCents).toBe(netBilledCents)
    expect(timeline.reduce((sum, { netCents }) => sum + netCents, 0)).toBe(netBilledCents)
    expect(new Set(timeline.map(({ periodStart }) => periodStart)).size).toBe(timeline.length)
  }
})
