/**
 * What one period roll grants: the standing discount, then the combos, then recurring promotions.
 *
 * The key of each grant contains the start of the billing period, so a late or repeated roll neither skips nor repeats
 * a grant. INVARIANT: a roll grants nothing unless its period starts later than the last period that was granted for.
 */
import { planOf } from '../catalogue/lookup.js'
import type { Addon, Catalogue } from '../catalogue/types.js'
import type { SoldTier } from '../catalogue/vocabulary.js'
import { pack } from '../combos/pack.js'
import { resolveValue } from '../discounts/resolve.js'
import { type StandingRule, type StandingRuleEnd, standingRuleEnd } from '../discounts/standing.js'
import type { Discount } from '../discounts/types.js'
import type { Step } from '../explain/step.js'
import { ledgerKey } from '../ledger/keys.js'
import type { Cents } from '../money/cents.js'
import type { Instant } from '../period/instant.js'
import type { Interval } from '../period/interval.js'
import { periodKey } from '../period/period.js'
import { byAge, isLive, meetsConditions } from '../promotions/match.js'
import { fitsBudget, promotionValue } from '../promotions/reserve.js'
import type { Promotion, PromotionAccount } from '../promotions/types.js'

export interface RollInput {
  readonly subscription: {
    readonly planId: SoldTier
    readonly interval: Interval
    readonly addons: readonly Addon[]
    readonly recurringDiscount: StandingRule | null
    /** The start of the period that the roll opens. */
    readonly periodStart: Instant
    /** The start of the last period that grants were made for. */
    readonly lastGrantedPeriodStart: Instant | null
  }
  /** The current record of the rule's discount; null when it was deleted or there is no rule. */
  readonly discount: Discount | null
  /** All recurring promotions. Include a `manual` one only when an operator granted it to the account. */
  readonly promotions: readonly Promotion[]
  readonly account: PromotionAccount
  readonly creditSupported: boolean
  readonly now: Instant
}

export interface PeriodGrant {
  readonly source: 'discount' | 'combo' | 'promotion'
  readonly sourceId: string
  readonly dedupeKey: string
  readonly cents: Cents
}

export interface PeriodRoll {
  readonly period: string
  readonly grants: readonly PeriodGrant[]
  /** Why the standing rule ends with this roll; null when it stays or there is none. */
  readonly ruleEnds: StandingRuleEnd | null
  readonly steps: readonly Step[]
}

/**
 * Plans the grants of one roll; writes nothing. Pass promotions to `grantPromotion` (which checks the budget) and the
 * others to `grant` of the ledger.
 */
export function planPeriodRoll(catalogue: Catalogue, input: RollInput): PeriodRoll {
  const { subscription, account, now } = input
  const period = periodKey(subscription.periodStart, subscription.interval)
  const none = (text: string): PeriodRoll => ({ period, grants: [], ruleEnds: null, steps: [{ kind: 'note', text }] })
  const last = subscription.lastGrantedPeriodStart
  if (last !== null && subscription.periodStart <= last) return none(`period ${period} was granted for already`)
  if (!account.isEntitled) return none('the subscription is not active or trialing')
  const ruleEnds = subscription.recurringDiscount === null ? null : standingRuleEnd(input.discount, now)
  if (!input.creditSupported) return { ...none('the provider cannot realise credit'), ruleEnds }
  const steps: Step[] = []
  const grants = [
    ...(ruleEnds === null ? discountGrant(catalogue, subscription, period, steps) : []),
    ...comboGrants(catalogue, subscription, period, steps),
    ...promotionGrants(input, period, steps),
  ]
  return { period, grants, ruleEnds, steps }
}

function discountGrant(
  catalogue: Catalogue,
  { planId, interval, recurringDiscount }: RollInput['subscription'],
  period: string,
  steps: Step[],
): readonly PeriodGrant[] {
  if (recurringDiscount === null) return []
  const value = resolveValue(recurringDiscount, planOf(catalogue, planId).prices[interval])
  steps.push(...value.steps)
  if (value.cents === 0) return []
  const { discountId } = recurringDiscount
  const dedupeKey = ledgerKey.discount(discountId, period)
  return [{ source: 'discount', sourceId: discountId, dedupeKey, cents: value.cents }]
}

function comboGrants(
  catalogue: Catalogue,
  { addons, interval }: RollInput['subscription'],
  period: string,
  steps: Step[],
): readonly PeriodGrant[] {
  const packing = pack(catalogue, addons, interval)
  steps.push(...packing.steps)
  return packing.combos.map(({ comboId, savingCents }) => ({
    source: 'combo',
    sourceId: `combo:${comboId}`,
    dedupeKey: ledgerKey.combo(comboId, period),
    cents: savingCents,
  }))
}

function promotionGrants(input: RollInput, period: string, steps: Step[]): readonly PeriodGrant[] {
  const { account, now } = input
  return input.promotions
    .filter(
      (promotion) =>
        promotion.kind === 'recurring' &&
        promotion.trigger.type !== 'referral' &&
        isLive(promotion, now) &&
        meetsConditions(promotion, account),
    )
    .sort(byAge)
    .flatMap((promotion): PeriodGrant[] => {
      const value = promotionValue(promotion, account.planPriceCents)
      steps.push(...value.steps)
      if (value.cents === 0) return []
      const { spentCents: spent, budgetCents: budget } = promotion
      const fits = fitsBudget(promotion, value.cents)
      steps.push({ kind: 'budget', spent, budget, cents: value.cents, fits })
      if (!fits) return []
      const dedupeKey = ledgerKey.promotion(promotion.id, account.orgId, period)
      return [{ source: 'promotion', sourceId: `promo:${promotion.id}`, dedupeKey, cents: value.cents }]
    })
}
