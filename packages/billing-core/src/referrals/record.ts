/**
 * Records a referral when a subscription is created with a code. An invalid code never makes the subscription fail: it
 * is ignored, and the reason is returned.
 */
import type { SubscriptionStatus } from '../entitlements/entitlement.js'
import type { Cents } from '../money/cents.js'
import { ZERO } from '../money/cents.js'
import type { Instant } from '../period/instant.js'
import { matchingPromotions } from '../promotions/match.js'
import type { Promotion, PromotionAccount } from '../promotions/types.js'

export interface Referral {
  readonly promotionId: string
  readonly referrerOrgId: string
  readonly refereeOrgId: string
  readonly refereeGrantCents: Cents
  readonly referrerGrantCents: Cents
  readonly status: 'pending' | 'qualified'
  readonly qualifiedAt: Instant | null
  readonly createdAt: Instant
}

export type ReferralIgnored =
  | 'malformed_code'
  | 'unknown_referrer'
  | 'self_referral'
  | 'referrer_not_subscribed'
  | 'already_referred'
  | 'no_promotion'

export type ReferralRecording =
  | { readonly status: 'recorded'; readonly referral: Referral; readonly promotion: Promotion }
  | { readonly status: 'ignored'; readonly reason: ReferralIgnored }

export interface ReferralInput {
  readonly code: unknown
  /**
   * The account that the code names: its root organization and the status of its subscription. Null when there is no
   * such account.
   */
  readonly referrer: { readonly rootOrgId: string; readonly status: SubscriptionStatus | null } | null
  /** `orgId` is the referee's root organization. */
  readonly referee: PromotionAccount
  /** True when this referee was referred before, by any account. */
  readonly wasReferred: boolean
  readonly promotions: readonly Promotion[]
  readonly now: Instant
}

/**
 * Parses a referral code: the organization id of a referrer, with white space around it removed. Null when it cannot be
 * one.
 */
export function parseReferralCode(code: unknown): string | null {
  if (typeof code !== 'string') return null
  const trimmed = code.trim()
  return trimmed.length >= 1 && trimmed.length <= 64 ? trimmed : null
}

/** Returns the referral to store and its promotion, or the first reason to ignore the code. */
export function recordReferral(input: ReferralInput): ReferralRecording {
  const { referrer, referee, now } = input
  const code = parseReferralCode(input.code)
  if (code === null) return { status: 'ignored', reason: 'malformed_code' }
  // Organizations under one root are one account, so roots are compared, not ids.
  const refereeRoot = normalise(referee.orgId)
  if (normalise(code) === refereeRoot || (referrer !== null && normalise(referrer.rootOrgId) === refereeRoot)) {
    return { status: 'ignored', reason: 'self_referral' }
  }
  if (referrer === null) return { status: 'ignored', reason: 'unknown_referrer' }
  if (!isSubscribed(referrer.status)) return { status: 'ignored', reason: 'referrer_not_subscribed' }
  if (input.wasReferred) return { status: 'ignored', reason: 'already_referred' }
  const promotion = matchingPromotions(input.promotions, 'referral', referee, now)[0]
  if (promotion === undefined) return { status: 'ignored', reason: 'no_promotion' }
  return {
    status: 'recorded',
    promotion,
    referral: {
      promotionId: promotion.id,
      referrerOrgId: referrer.rootOrgId,
      refereeOrgId: referee.orgId,
      refereeGrantCents: ZERO,
      referrerGrantCents: ZERO,
      status: 'pending',
      qualifiedAt: null,
      createdAt: now,
    },
  }
}

function isSubscribed(status: SubscriptionStatus | null): boolean {
  return status === 'active' || status === 'trialing' || status === 'past_due'
}

function normalise(orgId: string): string {
  return orgId.trim().toLowerCase()
}
