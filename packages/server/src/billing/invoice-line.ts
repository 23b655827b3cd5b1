/** A line of an invoice, as it is stored and shown. */
import Type, { type Static } from 'typebox'
import { nullable, strictObject } from '../runtime/operation/schema.js'

export const InvoiceLineView = strictObject({
  kind: Type.Enum(['plan', 'addon', 'proration', 'credit']),
  id: nullable(Type.String({ description: 'The plan or bundle' })),
  label: Type.String(),
  quantity: Type.Integer({ minimum: 1 }),
  cents: Type.Integer({ description: 'US cents, below 0 for what is given back' }),
  reason: Type.String({ description: 'How the amount is calculated' }),
})

export type StoredLine = Static<typeof InvoiceLineView>
