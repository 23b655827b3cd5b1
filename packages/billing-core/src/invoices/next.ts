/**
 * The next invoice of an account: the full price of the period, prorations that are not billed yet, then the credit.
 *
 * Combos, discounts and promotions are credit, so they lower no line: the roll grants them, and the invoice uses the
 * balance. LAW: what is shown is what is drawn. The lines sum to the total, and balance + grants + carried = used +
 * taken back + remaining.
 */
import type { Catalogue } from '../catalogue/types.js'
import type { Discount } from '../discounts/types.js'
import type { Step } from '../explain/step.js'
import { type AnnouncedGrant, planAnnounced } from '../grants/announced.js'
import { type PeriodGrant, planPeriodRoll } from '../grants/roll.js'
import { add, negate, smaller, subtract, subtractToZero, sum, sumSigned } from '../money/arithmetic.js'
import { type Cents, cents, type SignedCents, ZERO } from '../money/cents.js'
import type { Instant } from '../period/instant.js'
import type { Promotion, PromotionAccount } from '../promotions/types.js'
import { type Holding, type ProrationLine, prorationStep } from '../proration/prorate.js'
import { type PriceLine, priceLines } from '../quote/quote.js'
import { nextPeriod } from '../subscription/transition.js'
import type { PeriodBounds, Subscription } from '../subscription/types.js'

export type InvoiceLine =
  | PriceLine
  | ProrationLine
  | { readonly kind: 'credit'; readonly label: string; readonly quantity: 1; readonly cents: SignedCents }

export interface DrawnInvoice {
  /** Prices, then prorations, then the credit that is used. */
  readonly lines: readonly InvoiceLine[]
  /** The sum of the lines without credit; 0 when credits of prorations exceed the charges. */
  readonly subtotalCents: Cents
  readonly creditUsedCents: Cents
  readonly totalCents: Cents
  /** The amount by which credits of prorations exceed the charges. It becomes credit. */
  readonly carriedCents: Cents
  readonly creditRemainingCents: Cents
  readonly steps: readonly Step[]
}

/**
 * Draws an invoice: the lines less the credit. A balance smaller than the subtotal is used completely. A negative sum
 * becomes credit.
 */
export function drawInvoice(charges: readonly (PriceLine | ProrationLine)[], balance: Cents): DrawnInvoice {
  const net = sumSigned(charges.map((line) => line.cents))
  const subtotalCents = net > 0 ? cents(net) : ZERO
  const carriedCents = net < 0 ? cents(0 - net) : ZERO
  const creditUsedCents = smaller(balance, subtotalCents)
  const lines: InvoiceLine[] = [...charges]
  if (creditUsedCents > 0) lines.push({ kind: 'credit', label: 'Credit', quantity: 1, cents: negate(creditUsedCents) })
  if (carriedCents > 0) lines.push({ kind: 'credit', label: 'Added to credit', quantity: 1, cents: carriedCents })
  const totalCents = subtract(subtotalCents, creditUsedCents)
  const steps: Step[] = [
    ...charges.map((line): Step => {
      if (line.kind === 'proration') return prorationStep(line)
      return { kind: 'price', label: line.label, quantity: line.quantity, cents: line.cents }
    }),
    { kind: 'credit', balance, price: subtotalCents, used: creditUsedCents },
    { kind: 'total', cents: totalCents },
  ]
  const creditRemainingCents = add(subtract(balance, creditUsedCents), carriedCents)
  return { lines, subtotalCents, creditUsedCents, totalCents, carriedCents, creditRemainingCents, steps }
}

/** Everything that decides an account's next invoice. */
export interface InvoiceAccount {
  readonly subscription: Subscription
  /** The holding from the next period on; null when nothing changes. */
  readonly pendingChange: Holding | null
  /** Prorations that are not billed yet. */
  readonly prorations: readonly ProrationLine[]
  /** The balance less what is held for metering. */
  readonly availableCents: Cents
  readonly lastGrantedPeriodStart: Instant | null
  /** The discount of the standing rule; null when it was deleted or there is no rule. */
  readonly discount: Discount | null
  /** As in `RollInput`. */
  readonly promotions: readonly Promotion[]
  readonly isFirstSubscription: boolean
  readonly subscriptionStartedAt: Instant
  readonly creditSupported: boolean
  /**
   * Keys of credit that was granted before. The period after a trial may have the key of the trial; a key that exists
   * grants nothing.
   */
  readonly grantedKeys?: ReadonlySet<string>
  /** What was granted for the coming period already. Its keys may be among `grantedKeys`. */
  readonly announced?: readonly AnnouncedGrant[]
  /** Whether the account is changed so that announced credit which the coming period does not earn is taken back. */
  readonly takesBack?: boolean
  /** Whether a trial continues as a paid subscription when it ends. */
  readonly hasPaymentMethod: boolean
}

export interface NextInvoice extends DrawnInvoice {
  /** The period that the invoice pays for; null when the subscription ends and only prorations are left. */
  readonly period: PeriodBounds | null
  readonly dueAt: Instant
  readonly grants: readonly PeriodGrant[]
  /** Announced credit that the period does not earn any more. */
  readonly takenBack: readonly AnnouncedGrant[]
  readonly availableCents: Cents
}

/**
 * Returns the invoice that the first roll at or after `at` draws. This is at the end of the period; or, for a late
 * roll, for the period that contains `at`. Null when no invoice will be drawn, because the subscription ends and
 * nothing is left to bill.
 */
export function nextInvoice(catalogue: Catalogue, account: InvoiceAccount, at: Instant): NextInvoice | null {
  const { subscription, prorations, availableCents, announced = [] } = account
  const boundary = subscription.currentPeriodEnd
  const dueAt = at < boundary ? boundary : at
  if (!renews(account)) {
    if (prorations.length === 0 || subscription.status === 'canceled') return null
    return {
      ...drawInvoice(prorations, availableCents),
      period: null,
      dueAt,
      grants: [],
      takenBack: [],
      availableCents,
    }
  }
  const holding = account.pendingChange ?? subscription
  const { start, end } = periodAfter(subscription, holding, at)
  const roll = planPeriodRoll(catalogue, {
    subscription: {
      ...holding,
      recurringDiscount: subscription.recurringDiscount,
      periodStart: start,
      lastGrantedPeriodStart: account.lastGrantedPeriodStart,
    },
    discount: account.discount,
    promotions: account.promotions,
    account: promotionAccount(catalogue, account, holding),
    creditSupported: account.creditSupported,
    now: dueAt,
  })
  const isAnnounced = new Set(announced.map(({ dedupeKey }) => dedupeKey))
  const earned = roll.grants.filter(({ dedupeKey: key }) => isAnnounced.has(key) || !account.grantedKeys?.has(key))
  const { grants, takenBack } = planAnnounced(earned, announced, account.takesBack === true)
  const kept = subtractToZero(availableCents, sum(takenBack.map(({ openCents }) => openCents)))
  const balance = add(kept, sum(grants.map((grant) => grant.cents)))
  const drawn = drawInvoice([...priceLines(catalogue, holding), ...prorations], balance)
  const steps = [...roll.steps, ...drawn.steps]
  return { ...drawn, steps, period: { start, end }, dueAt, grants, takenBack, availableCents }
}

function renews({ subscription, hasPaymentMethod }: InvoiceAccount): boolean {
  const { status, cancelAtPeriodEnd } = subscription
  if (status === 'canceled' || status === 'incomplete' || cancelAtPeriodEnd) return false
  return status !== 'trialing' || hasPaymentMethod
}

/** The end of a trial becomes the new anchor of the periods, as in the event `trial_ended`. */
function periodAfter(subscription: Subscription, { interval }: Holding, at: Instant): PeriodBounds {
  const { currentPeriodEnd, status } = subscription
  const periodAnchor = status === 'trialing' ? currentPeriodEnd : subscription.periodAnchor
  return nextPeriod({ periodAnchor, interval, currentPeriodEnd }, status === 'trialing' ? currentPeriodEnd : at)
}

/** The account as the roll sees it: on the plan of the coming period, and paying. */
function promotionAccount(catalogue: Catalogue, account: InvoiceAccount, holding: Holding): PromotionAccount {
  const { subscription } = account
  const [plan] = priceLines(catalogue, { ...holding, addons: [] })
  return {
    orgId: subscription.orgId,
    subscriptionId: subscription.id,
    tier: holding.planId,
    interval: holding.interval,
    planPriceCents: cents(plan?.cents ?? 0),
    isFirstSubscription: account.isFirstSubscription,
    isEntitled: subscription.status === 'active' || subscription.status === 'trialing',
    subscriptionStartedAt: account.subscriptionStartedAt,
  }
}
