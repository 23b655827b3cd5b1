/** `GET /billing/ledger`: the credit of the account, row by row, the newest first. */
import Type from 'typebox'
import { Uuid } from '../../runtime/operation/schema.js'
import { listOfAccount } from '../newest-first.js'
import { billingTables } from '../tables.js'
import { LedgerRowView, presentEntry } from './record.js'

export const listLedger = listOfAccount({
  name: 'billing.ledger.list',
  summary: 'List the credit ledger of the account',
  description: 'Rows are never changed or deleted: the sum of their cents is the balance.',
  path: '/billing/ledger',
  key: 'entries',
  item: LedgerRowView,
  filters: { subscriptionId: Type.Optional(Uuid) },
  rows(db) {
    const { billingCreditEntries: t } = billingTables(db)
    const filters = { subscriptionId: t.subscriptionId }
    return { table: t, id: t.id, createdAt: t.grantedAtMs, orgId: t.orgId, filters }
  },
  present: presentEntry,
})
