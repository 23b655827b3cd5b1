/**
 * Our copy of a provider's invoices, and the credit that they used up.
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
  /** What the customer paid before any refund; refunds are subtracted from it. */
  readonly chargedCents: Cents
  readonly status: InvoiceStatus
}

const FINAL: ReadonlySet<InvoiceStatus> = new Set(['refunded', 'disputed'])

/** An invoice read again: figures are the newer ones, a final status and what was refunded stay. */
export function ingestInvoice(stored: Invoice | null, incoming: Invoice): Invoice {
  if (stored === null || !FINAL.has(stored.status)) return incoming
  const isStillFinal = FINAL.has(incoming.status)
  return {
    ...incoming,
    status: isStillFinal ? incoming.status : stored.status,
    amountPaidCents: smaller(incoming.amountPaidCents, stored.amountPaidCents),
  }
}

/** A refund. The provider reports the sum of all refunds so far, so a redelivery changes nothing. */
export function refundInvoice(invoice: Invoice, refundedInAllCents: Cents): Invoice {
  const left = subtractToZero(invoice.chargedCents, refundedInAllCents)
  return { ...invoice, status: 'refunded', amountPaidCents: smaller(invoice.amountPaidCents, left) }
}

/** The invoice in that status. One in a final status stays as it is, unless it is disputed. */
export function markInvoice(invoice: Invoice, status: 'disputed' | 'void' | 'uncollectible'): Invoice {
  return FINAL.has(invoice.status) && status !== 'disputed' ? invoice : { ...invoice, status }
}

/**
 * The credit that a settled invoice used, from the customer balances around it. Balances at the provider are negative
 * when the customer has credit: a balance that went from −50.00 to −20.00 used 30.00.
 */
export function consumedCredit(startingBalance: SignedCents, endingBalance: SignedCents): Cents {
  return cents(Math.max(0, endingBalance - startingBalance))
}

export interface ReconcileCommand extends RowCommand {
  readonly orgId: string
  readonly invoiceId: string
  /** The provider's balance now; negative is credit. */
  readonly providerBalance: SignedCents
}

/**
 * Brings our balance to the provider's with one row, so that goodwill credit shows. Null when they agree, or while a
 * push is under way (the provider does not know everything yet).
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

/** A marketplace month: the credit that metering used appears as subtotal and as credit, so the invoice nets to 0. */
export function addMeteredCredit(invoice: Invoice, consumed: Cents): Invoice {
  return {
    ...invoice,
    subtotalCents: add(invoice.subtotalCents, consumed),
    creditCents: add(invoice.creditCents, consumed),
  }
}
