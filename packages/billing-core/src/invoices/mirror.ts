/**
 * Local copies of a provider's invoices, and the credit that they used.
 *
 * INVARIANT: an invoice that was refunded or disputed never becomes paid again, whatever is ingested later.
 */

import { adjust } from '../ledger/adjust.js'
import type { LedgerState } from '../ledger/book.js'
import { balanceOf, hasPendingRow } from '../ledger/book.js'
import { ledgerKey } from '../ledger/keys.js'
import type { LedgerOutcome, RowCommand } from '../ledger/types.js'
import { add, smaller, subtractToZero } from '../money/arithmetic.js'
import { type Cents, cents, type SignedCents, signedCents } from '../money/cents.js'
import type { Instant } from '../period/instant.js'
import { accept, type Result } from '../refusal/refusal.js'

export type InvoiceStatus = 'paid' | 'open' | 'void' | 'uncollectible' | 'refunded' | 'disputed'

export interface Invoice {
  readonly externalInvoiceId: string
  readonly orgId: string
  readonly source: 'card_provider' | 'marketplace' | 'stub'
  readonly periodStart: Instant
  readonly periodEnd: Instant
  readonly subtotalCents: Cents
  readonly discountCents: Cents
  readonly creditCents: Cents
  readonly taxCents: Cents
  readonly totalCents: Cents
  readonly amountPaidCents: Cents
  /** What the customer paid, before refunds. */
  readonly chargedCents: Cents
  readonly status: InvoiceStatus
}

const FINAL: ReadonlySet<InvoiceStatus> = new Set(['refunded', 'disputed'])

/**
 * Updates a stored invoice with a newer reading. The figures are the newer ones. A final status (`refunded`,
 * `disputed`) and refunds are kept.
 */
export function ingestInvoice(stored: Invoice | null, incoming: Invoice): Invoice {
  if (stored === null || !FINAL.has(stored.status)) return incoming
  const isStillFinal = FINAL.has(incoming.status)
  return {
    ...incoming,
    status: isStillFinal ? incoming.status : stored.status,
    amountPaidCents: smaller(incoming.amountPaidCents, stored.amountPaidCents),
  }
}

/** Applies a refund. The provider reports the total of all refunds so far, so a redelivery changes nothing. */
export function refundInvoice(invoice: Invoice, refundedInAllCents: Cents): Invoice {
  const left = subtractToZero(invoice.chargedCents, refundedInAllCents)
  return { ...invoice, status: 'refunded', amountPaidCents: smaller(invoice.amountPaidCents, left) }
}

/**
 * Returns the invoice with that status. An invoice in a final status is unchanged, except that it can become
 * `disputed`.
 */
export function markInvoice(invoice: Invoice, status: 'disputed' | 'void' | 'uncollectible'): Invoice {
  return FINAL.has(invoice.status) && status !== 'disputed' ? invoice : { ...invoice, status }
}

/**
 * Returns the credit that a settled invoice used, from the customer's balance before and after it. A provider's balance
 * is negative when the customer has credit: a balance that went from −50.00 to −20.00 used 30.00.
 */
export function consumedCredit(startingBalance: SignedCents, endingBalance: SignedCents): Cents {
  return cents(Math.max(0, endingBalance - startingBalance))
}

export interface ReconcileCommand extends RowCommand {
  readonly orgId: string
  readonly invoiceId: string
  /** The balance at the provider now. A negative balance is credit. */
  readonly providerBalance: SignedCents
}

/**
 * Sets the local balance to the provider's with one row, so that goodwill credit of the provider becomes visible.
 * Returns null when the balances agree, or while a push is pending, because the provider does not have every row yet.
 */
export function reconcileBalance(state: LedgerState, command: ReconcileCommand): Result<LedgerOutcome | null> {
  const { subscriptionId, orgId, invoiceId, providerBalance } = command
  if (hasPendingRow(state, subscriptionId)) return accept(null)
  const theirs = Math.max(0, 0 - providerBalance)
  const difference = signedCents(theirs - balanceOf(state, subscriptionId))
  if (difference === 0) return accept(null)
  const { id, at } = command
  const dedupeKey = ledgerKey.invoiceAdjustment(invoiceId)
  return adjust(state, { id, orgId, subscriptionId, at, cents: difference, dedupeKey, sourceId: 'provider' })
}

/**
 * For the invoice of a marketplace month: adds the credit that metering used to the subtotal and to the credit, so the
 * invoice nets to 0.
 */
export function addMeteredCredit(invoice: Invoice, consumed: Cents): Invoice {
  return {
    ...invoice,
    subtotalCents: add(invoice.subtotalCents, consumed),
    creditCents: add(invoice.creditCents, consumed),
  }
}
