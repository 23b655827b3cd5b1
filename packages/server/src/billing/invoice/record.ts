/** An invoice on the wire. */
import Type from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { MoneyCents } from '../account/subscription.js'
import { InvoiceLineView } from '../invoice-line.js'
import type { InvoiceRow } from '../tables.js'
import { totalsOf } from './line.js'

const STATUSES = ['paid', 'open', 'void', 'uncollectible', 'refunded', 'disputed'] as const

export const InvoiceView = strictObject({
  id: Uuid,
  subscriptionId: Uuid,
  periodStart: nullable(Instant),
  periodEnd: nullable(Instant),
  lines: Type.Array(InvoiceLineView),
  ...totalsOf,
  taxCents: MoneyCents,
  amountPaidCents: MoneyCents,
  status: Type.Enum([...STATUSES]),
  createdAt: Instant,
})

export const presentInvoice = (row: InvoiceRow) => ({
  id: row.id,
  subscriptionId: row.subscriptionId,
  periodStart: toIsoOrNull(row.periodStartMs),
  periodEnd: toIsoOrNull(row.periodEndMs),
  lines: [...row.lines],
  subtotalCents: row.subtotalCents,
  creditCents: row.creditCents,
  carriedCents: row.carriedCents,
  totalCents: row.totalCents,
  currency: 'usd' as const,
  taxCents: row.taxCents,
  amountPaidCents: row.amountPaidCents,
  status: row.status as (typeof STATUSES)[number],
  createdAt: toIso(row.createdAtMs),
})
