/**
 * Qualifies a referral: the first real payment of the referee earns the referrer credit. When budget or provider do not
 * allow the grant, the referral still qualifies and nothing is granted.
 */
import type { DiscountValue } from '../discounts/types.js'
import type { Step } from '../explain/step.js'
import type { LedgerState } from '../ledger/book.js'
import { grant } from '../ledger/grant.js'
import { ledgerKey } from '../ledger/keys.js'
import type { LedgerOutcome } from '../ledger/types.js'
import { type Cents, cents, ZERO } from '../money/cents.js'
import { percent } from '../money/percent.js'
import type { Instant } from '../period/instant.js'
import { isLive } from '../promotions/match.js'
import { promotionValue, reserveGrant } from '../promotions/reserve.js'
import type { Promotion, PromotionAccount } from '../promotions/types.js'
import type { Referral } from './record.js'

export interface QualifyInput {
  readonly referral: Referral
  /**
   * What the referee paid, in cents. 0 does not qualify. The first settlement of a marketplace account without a
   * refusal counts as 1.
   */
  readonly amountPaidCents: Cents
  /** Null when the promotion was deleted. */
  readonly promotion: Promotion | null
  /** The current state of the referrer; null when it has no subscription any more. */
  readonly referrer: PromotionAccount | null
  readonly creditSupported: boolean
  readonly rowId: string
  readonly now: Instant
  readonly fulfillment?: 'push'
}

export interface Qualification {
  readonly referral: Referral
  readonly promotion: Promotion | null
  /** The referrer's ledger row; null when nothing is granted. */
  readonly outcome: LedgerOutcome | null
  readonly reason: 'qualified' | 'already_qualified' | 'not_paid' | 'promotion_revoked' | 'unfundable'
  readonly steps: readonly Step[]
}

const STAYS = {
  already_qualified: 'the referral is qualified already',
  not_paid: 'the referee has paid nothing yet',
  promotion_revoked: 'the promotion is not live',
} as const

/** Qualifies a referral. `ledger` is the referrer's. */
export function qualifyReferral(ledger: LedgerState, input: QualifyInput): Qualification {
  const { referral, promotion, referrer, now } = input
  const stay = (reason: keyof typeof STAYS): Qualification => ({
    referral,
    promotion,
    outcome: null,
    reason,
    steps: [{ kind: 'note', text: `nothing changes: ${STAYS[reason]}` }],
  })
  if (referral.status === 'qualified') return stay('already_qualified')
  if (input.amountPaidCents === 0) return stay('not_paid')
  if (promotion === null || !isLive(promotion, now)) return stay('promotion_revoked')
  const qualified: Referral = { ...referral, status: 'qualified', qualifiedAt: now }
  const unfundable: Qualification = {
    referral: qualified,
    promotion,
    outcome: null,
    reason: 'unfundable',
    steps: [{ kind: 'note', text: 'qualified without credit: the referrer grant cannot be made' }],
  }
  if (referrer === null || !referrer.isEntitled || !input.creditSupported) return unfundable
  const value = promotionValue(promotion, referrer.planPriceCents, referrerValue(promotion))
  const reserved = value.cents === 0 ? null : reserveGrant(promotion, value.cents)
  if (reserved === null) return unfundable
  const written = grant(ledger, {
    id: input.rowId,
    orgId: referrer.orgId,
    subscriptionId: referrer.subscriptionId,
    sourceId: `promo:${promotion.id}`,
    cents: value.cents,
    dedupeKey: ledgerKey.referrer(promotion.id, referrer.orgId, referral.refereeOrgId),
    at: now,
    ...(input.fulfillment === undefined ? {} : { fulfillment: input.fulfillment }),
  })
  if (!written.ok) return unfundable
  return {
    referral: { ...qualified, referrerGrantCents: value.cents },
    promotion: reserved,
    outcome: written.value,
    reason: 'qualified',
    steps: [...value.steps, ...written.value.steps],
  }
}

/** Returns the referral with what was granted to the referee. */
export function withRefereeGrant(referral: Referral, cents: Cents = ZERO): Referral {
  return { ...referral, refereeGrantCents: cents }
}

/** `referrerValue` in the unit of the promotion, or its `value`. */
function referrerValue(promotion: Promotion): DiscountValue {
  const { referrerValue: own } = promotion
  if (own === undefined) return promotion
  return promotion.unit === 'percent' ? { unit: 'percent', value: percent(own) } : { unit: 'dollar', value: cents(own) }
}
