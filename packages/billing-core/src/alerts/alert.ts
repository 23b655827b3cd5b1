/** When an alert about money is due: it stops nothing, it tells. */
import type { Cents } from '../money/cents.js'

export const alertKinds = ['next_invoice_over', 'period_spend_over', 'credit_below'] as const
export type AlertKind = (typeof alertKinds)[number]

export interface Alert {
  readonly kind: AlertKind
  readonly thresholdCents: Cents
}

export interface AlertFigures {
  /** Null where no invoice will come. */
  readonly nextInvoiceCents: Cents | null
  /** What the invoices of the period sum to. */
  readonly periodSpendCents: Cents
  readonly creditCents: Cents
}

/** The figure that passed its threshold; null where it did not. */
export function alertFigure({ kind, thresholdCents }: Alert, figures: AlertFigures): Cents | null {
  switch (kind) {
    case 'next_invoice_over': {
      const { nextInvoiceCents: next } = figures
      return next !== null && next > thresholdCents ? next : null
    }
    case 'period_spend_over':
      return figures.periodSpendCents > thresholdCents ? figures.periodSpendCents : null
    case 'credit_below':
      return figures.creditCents < thresholdCents ? figures.creditCents : null
  }
}
