/** An invoice as it is stored, also after its account is gone, and its lines as they are shown. */
import Type, { type Static } from 'typebox'
import { nullable, strictObject } from '../runtime/operation/schema.js'
import type { Kit } from '../runtime/store/kit.js'

export const InvoiceLineView = strictObject({
  kind: Type.Enum(['plan', 'addon', 'proration', 'credit']),
  id: nullable(Type.String({ description: 'The plan or bundle' })),
  label: Type.String(),
  quantity: Type.Integer({ minimum: 1 }),
  cents: Type.Integer({ description: 'US cents, below 0 for what is given back' }),
  reason: Type.String({ description: 'How the amount is calculated' }),
})

export type StoredLine = Static<typeof InvoiceLineView>

/** The columns that an invoice has in its account, and that are kept after it. */
export const invoiceColumns = (k: Kit) => ({
  subscriptionId: k.text('subscription_id').notNull(),
  source: k.text('source').notNull(),
  externalId: k.text('external_id').notNull(),
  /** Null for an invoice that bills a change within a period. */
  periodStartMs: k.epochMs('period_start_ms'),
  periodEndMs: k.epochMs('period_end_ms'),
  lines: k.json<readonly StoredLine[]>('lines').notNull(),
  subtotalCents: k.large('subtotal_cents').notNull(),
  creditCents: k.large('credit_cents').notNull(),
  carriedCents: k.large('carried_cents').notNull(),
  taxCents: k.large('tax_cents').notNull(),
  totalCents: k.large('total_cents').notNull(),
  amountPaidCents: k.large('amount_paid_cents').notNull(),
  status: k.text('status').notNull(),
  createdAtMs: k.epochMs('created_at_ms').notNull(),
})
