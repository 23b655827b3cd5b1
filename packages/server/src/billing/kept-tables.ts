/**
 * Invoices of purged accounts. An invoice is kept for ten years after the purge of its organization. It contains what
 * an invoice must contain, including whose it was, and names no person and no live organization.
 */
import { global, tableSet } from '../runtime/store/table-set.js'
import { invoiceColumns } from './invoice-line.js'

export const keptTables = tableSet(
  'billing',
  (k) => {
    const billingKeptInvoices = k.table(
      'billing_kept_invoices',
      {
        id: k.text('id').primaryKey(),
        /** The id of the purged organization; none of its rows exists any more. */
        accountId: k.text('account_id').notNull(),
        /** The organization's name, because an invoice must name its recipient. */
        customerName: k.text('customer_name').notNull(),
        ...invoiceColumns(k),
        closedAtMs: k.epochMs('closed_at_ms').notNull(),
        keptUntilMs: k.epochMs('kept_until_ms').notNull(),
      },
      (t) => [
        k.index('billing_kept_invoices_account').on(t.accountId, t.createdAtMs, t.id),
        k.index('billing_kept_invoices_time').on(t.createdAtMs, t.id),
        k.index('billing_kept_invoices_due').on(t.keptUntilMs),
      ],
    )
    return { billingKeptInvoices }
  },
  { billingKeptInvoices: global('the organization that the invoice was drawn for is gone') },
)
