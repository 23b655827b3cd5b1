/**
 * One grant of one promotion to one account: everything that has to be written in one transaction, which is the
 * counters and the ledger row. Nothing is reserved for a grant that cannot happen.
 */
import type { Step } from '../explain/step.js'
import { findRow, type LedgerState } from '../ledger/book.js'
import { grant } from '../ledger/grant.js'
import { ledgerKey } from '../ledger/keys.js'
import type { LedgerOutcome } from '../ledger/types.js'
import type { Cents } from '../money/cents.js'
import type { Instant } from '../period/instant.js'
import { accept, type Result, refuse } from '../refusal/refusal.js'
import { isLive, matchPromotion } from './match.js'
import { promotionValue, reserveGrant } from './reserve.js'
import { hasGrantOf } from './spend.js'
import type { Promotion, PromotionAccount, TriggerType } from './types.js'

export type PromotionGrantReason =
  | 'granted'
  | 'already_granted'
  | 'budget_exhausted'
  | 'unrealizable'
  | 'zero'
  | 'ineligible'

export interface PromotionGrant {
  readonly promotionId: string
  readonly granted: boolean
  readonly cents: Cents | null
  readonly reason: PromotionGrantReason
  /** When the result is a grant, the promotion with that grant reserved; otherwise unchanged. */
  readonly promotion: Promotion
  readonly outcome: LedgerOutcome | null
  readonly steps: readonly Step[]
}

export interface PromotionGrantCommand {
  /** The id of the ledger row. */
  readonly rowId: string
  readonly promotion: Promotion
  readonly account: PromotionAccount
  /**
   * What asks for the grant. `manual`: an operator asks; trigger and conditions are skipped. `roll`: a recurring
   * promotion is renewed for `period`.
   */
  readonly cause: TriggerType | 'roll'
  /** The period key. Required for recurring promotions. */
  readonly period?: string
  readonly creditSupported: boolean
  readonly now: Instant
  readonly actorId?: string
  /** `push` when a provider has to be notified. */
  readonly fulfillment?: 'push'
}

const NOT_GRANTED: Readonly<Record<Exclude<PromotionGrantReason, 'granted'>, string>> = {
  already_granted: 'the account has it already',
  budget_exhausted: 'budget or number of grants is used up',
  unrealizable: 'the credit cannot be realised',
  zero: 'it is worth nothing on this plan',
  ineligible: 'the account is not eligible now',
}

/**
 * Returns the promotion with its new counters and the ledger row to write, or the reason why there is no grant. Without
 * a grant, the caller must write nothing.
 */
export function grantPromotion(ledger: LedgerState, command: PromotionGrantCommand): PromotionGrant {
  const { promotion, account } = command
  const steps: Step[] = []
  const end = (reason: Exclude<PromotionGrantReason, 'granted'>, cents: Cents | null = null): PromotionGrant => ({
    promotionId: promotion.id,
    granted: false,
    cents,
    reason,
    promotion,
    outcome: null,
    steps: [...steps, { kind: 'note', text: `not granted: ${NOT_GRANTED[reason]}` }],
  })
  if (!isEligible(command, ledger, steps)) return end('ineligible')
  if (!command.creditSupported) return end('unrealizable')
  const value = promotionValue(promotion, account.planPriceCents)
  steps.push(...value.steps)
  if (value.cents === 0) return end('zero')
  const period = promotion.kind === 'recurring' ? command.period : undefined
  const dedupeKey = ledgerKey.promotion(promotion.id, account.orgId, period)
  if (findRow(ledger, dedupeKey) !== null) return end('already_granted', value.cents)
  const reserved = reserveGrant(promotion, value.cents)
  const { spentCents: spent, budgetCents: budget } = promotion
  steps.push({ kind: 'budget', spent, budget, cents: value.cents, fits: reserved !== null })
  if (reserved === null) return end('budget_exhausted', value.cents)
  const written = grant(ledger, {
    id: command.rowId,
    orgId: account.orgId,
    subscriptionId: account.subscriptionId,
    sourceId: `promo:${promotion.id}`,
    cents: value.cents,
    dedupeKey,
    at: command.now,
    actorId: command.actorId ?? null,
    ...(command.fulfillment === undefined ? {} : { fulfillment: command.fulfillment }),
  })
  // Key and account were checked above. The grant can fail only when the balance would exceed its maximum; then nothing
  // is granted.
  if (!written.ok) return end('unrealizable', value.cents)
  return {
    promotionId: promotion.id,
    granted: true,
    cents: value.cents,
    reason: 'granted',
    promotion: reserved,
    outcome: written.value,
    steps: [...steps, ...written.value.steps],
  }
}

function isEligible(command: PromotionGrantCommand, ledger: LedgerState, steps: Step[]): boolean {
  const { promotion, account, cause, now } = command
  const recurring = promotion.kind === 'recurring'
  if (recurring && command.period === undefined) return false
  if (cause === 'manual') return isLive(promotion, now) && account.isEntitled
  // Triggers start one-time promotions. Recurring promotions are granted by the roll of a period.
  if ((cause === 'roll') !== recurring) return false
  if (cause === 'roll') {
    if (promotion.trigger.type === 'referral') return false
    // After an operator granted it once, it continues at every roll. Without such a grant it never starts.
    if (promotion.trigger.type === 'manual' && !hasGrantOf(ledger, promotion.id, account.subscriptionId)) return false
  }
  const match = matchPromotion(promotion, cause === 'roll' ? promotion.trigger.type : cause, account, now)
  steps.push(...match.steps)
  return match.matches
}

/** Checks an operator's grant or activation. A promotion that is not live is refused with 409. */
export function checkManualGrant(promotion: Promotion, now: Instant): Result<Promotion> {
  if (isLive(promotion, now)) return accept(promotion)
  return refuse('PROMOTION_INACTIVE', 'the promotion is not active now; check isActive, startsAt and endsAt')
}
