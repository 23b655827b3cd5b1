/** When an alert about money is due. An alert notifies and blocks nothing. */
import type { Cents } from '../money/cents.js'

export const alertKinds = ['next_invoice_over', 'period_spend_over', 'credit_below'] as const
export type AlertKind = (typeof alertKinds)[number]

export interface Alert {
  readonly kind: AlertKind
  readonly thresholdCents: Cents
}

export interface AlertFigures {
  /** Null when no further invoice will be drawn. */
  readonly nextInvoiceCents: Cents | null
  /** The sum of the invoices of the period. */
  readonly periodSpendCents: Cents
  readonly creditCents: Cents
}

/** Returns the figure that passed the threshold, in cents; null when it did not pass it. */
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
