/** The next invoice on the wire. */
import type { NextInvoice } from '@plumbline/billing-core'
import Type from 'typebox'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { MoneyCents } from '../account/subscription.js'
import { InvoiceLineView } from '../invoice-line.js'
import { presentDrawn, totalsOf } from './line.js'

export const NextInvoiceView = strictObject({
  dueAt: Instant,
  periodStart: nullable(Instant),
  periodEnd: nullable(Instant),
  lines: Type.Array(InvoiceLineView),
  grants: Type.Array(
    strictObject({
      source: Type.Enum(['discount', 'combo', 'promotion']),
      sourceId: Type.String(),
      cents: MoneyCents,
    }),
    { description: 'Credit that the period grants' },
  ),
  takenBack: Type.Array(strictObject({ sourceId: Type.String(), cents: MoneyCents }), {
    description:
      'Credit of combos that was granted when the invoice was announced, and that the period no longer earns',
  }),
  ...totalsOf,
  creditRemainingCents: MoneyCents,
})

export const presentNext = (next: NextInvoice) => ({
  dueAt: next.dueAt,
  periodStart: next.period?.start ?? null,
  periodEnd: next.period?.end ?? null,
  grants: next.grants.map(({ source, sourceId, cents }) => ({ source, sourceId, cents })),
  takenBack: next.takenBack.map(({ sourceId, openCents }) => ({ sourceId, cents: openCents })),
  ...presentDrawn(next),
  creditRemainingCents: next.creditRemainingCents,
})
