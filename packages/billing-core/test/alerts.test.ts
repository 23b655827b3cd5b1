/** An alert tells strictly beyond its threshold, whatever the other figures are. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alertFigure, cents } from '../src/index.js'

const money = fc.integer({ min: 0, max: 1_000_000 }).map((value) => cents(value))

test('LAW: each kind looks at its own figure alone', () => {
  fc.assert(
    fc.property(money, fc.option(money), money, money, (thresholdCents, next, spend, credit) => {
      const figures = { nextInvoiceCents: next, periodSpendCents: spend, creditCents: credit }
      const of = (kind: 'next_invoice_over' | 'period_spend_over' | 'credit_below') =>
        alertFigure({ kind, thresholdCents }, figures)
      expect(of('next_invoice_over')).toBe(next !== null && next > thresholdCents ? next : null)
      expect(of('period_spend_over')).toBe(spend > thresholdCents ? spend : null)
      expect(of('credit_below')).toBe(credit < thresholdCents ? credit : null)
    }),
  )
})

test('the threshold itself tells nothing', () => {
  const figures = { nextInvoiceCents: cents(500), periodSpendCents: cents(500), creditCents: cents(500) }
  for (const kind of ['next_invoice_over', 'period_spend_over', 'credit_below'] as const) {
    expect(alertFigure({ kind, thresholdCents: cents(500) }, figures)).toBeNull()
  }
})
