/**
 * The price of a subscription for one period: plan and add-ons, then what reduces it.
 *
 * Without a balance, combos are negative lines. With a balance they are part of it, because the saving is granted as
 * credit at every period roll. INVARIANT: the lines sum to `totalCents`, which is never negative. Credit never exceeds
 * the price or the balance.
 */
import { sumQuantities } from '../addons/hold.js'
import { activeBundles, planOf } from '../catalogue/lookup.js'
import type { Addon, Bundle, Catalogue } from '../catalogue/types.js'
import type { BundleId, ComboId, SoldTier } from '../catalogue/vocabulary.js'
import { type Packing, pack } from '../combos/pack.js'
import type { Step } from '../explain/step.js'
import { negate, smaller, subtract, subtractToZero, sum, times } from '../money/arithmetic.js'
import { type Cents, cents, type SignedCents, ZERO } from '../money/cents.js'
import { type Interval, parseInterval } from '../period/interval.js'
import { unwrap } from '../refusal/refusal.js'

export interface QuoteInput {
  readonly planId: SoldTier
  readonly interval: Interval
  readonly addons: readonly Addon[]
  /** The credit of the account, including the credit of its combos. When absent, the quote shows what combos save. */
  readonly creditBalanceCents?: Cents
}

export type QuoteLine =
  | {
      readonly kind: 'plan'
      readonly id: SoldTier
      readonly label: string
      readonly quantity: 1
      readonly cents: Cents
    }
  | {
      readonly kind: 'addon'
      readonly id: BundleId
      readonly label: string
      readonly quantity: number
      readonly cents: Cents
    }
  | {
      readonly kind: 'combo'
      readonly id: ComboId
      readonly label: string
      readonly quantity: 1
      readonly cents: SignedCents
    }
  | { readonly kind: 'credit'; readonly label: string; readonly quantity: 1; readonly cents: SignedCents }

export interface Quote {
  readonly planId: SoldTier
  readonly interval: Interval
  /** Plan, add-ons in catalogue order, then combos in packing order or the credit that is used. */
  readonly lines: readonly QuoteLine[]
  /** Plan and add-ons, less combos when these are lines. */
  readonly subtotalCents: Cents
  readonly creditUsedCents: Cents
  readonly totalCents: Cents
  readonly creditRemainingCents: Cents
  readonly packing: Packing
  readonly steps: readonly Step[]
}

/**
 * Returns the price of the chosen plan and add-ons for one period of the interval, in cents.
 *
 * @throws {RefusedError} for an unknown interval or plan.
 */
export function quote(catalogue: Catalogue, input: QuoteInput): Quote {
  const interval = unwrap(parseInterval(input.interval))
  const lines: QuoteLine[] = [...priceLines(catalogue, { ...input, interval })]
  const gross = sum(lines.map((line) => cents(line.cents)))
  const packing = pack(catalogue, input.addons, interval)
  const combos = input.creditBalanceCents === undefined ? packing.combos : []
  for (const { comboId, name, savingCents } of combos) {
    lines.push({ kind: 'combo', id: comboId, label: `${name} combo`, quantity: 1, cents: negate(savingCents) })
  }
  const subtotalCents = subtractToZero(gross, sum(combos.map((combo) => combo.savingCents)))
  const balance = cents(input.creditBalanceCents ?? ZERO, 'creditBalanceCents')
  const creditUsedCents = smaller(balance, subtotalCents)
  if (creditUsedCents > 0) {
    lines.push({ kind: 'credit', label: 'Credit', quantity: 1, cents: negate(creditUsedCents) })
  }
  const totalCents = subtract(subtotalCents, creditUsedCents)
  const steps: Step[] = [
    ...packing.steps,
    ...lines.map(({ label, quantity, cents }): Step => ({ kind: 'price', label, quantity, cents })),
    { kind: 'credit', balance, price: subtotalCents, used: creditUsedCents },
    { kind: 'total', cents: totalCents },
  ]
  return {
    planId: input.planId,
    interval,
    lines,
    subtotalCents,
    creditUsedCents,
    totalCents,
    creditRemainingCents: subtract(balance, creditUsedCents),
    packing,
    steps,
  }
}

export type PriceLine = Extract<QuoteLine, { kind: 'plan' | 'addon' }>

/** Returns the lines of plan and add-ons at their full price for one period, in catalogue order. */
export function priceLines(
  catalogue: Catalogue,
  { planId, interval, addons }: Pick<QuoteInput, 'planId' | 'interval' | 'addons'>,
): readonly PriceLine[] {
  const plan = planOf(catalogue, planId)
  return [
    { kind: 'plan', id: planId, label: `${plan.name} plan`, quantity: 1, cents: plan.prices[interval] },
    ...billedBundles(catalogue, addons).map(
      ({ bundle, quantity }): PriceLine => ({
        kind: 'addon',
        id: bundle.id,
        label: bundle.name,
        quantity,
        cents: times(bundle.prices[interval], quantity),
      }),
    ),
  ]
}

/** The form for answers about add-ons: no credit, and the total is the sum of the items. */
export function addonBreakdown(from: Quote): {
  readonly interval: Interval
  readonly items: readonly { readonly label: string; readonly quantity: number; readonly cents: SignedCents }[]
  readonly totalCents: Cents
} {
  const items = from.lines
    .filter((line) => line.kind !== 'credit')
    .map(({ label, quantity, cents }) => ({ label, quantity, cents }))
  return { interval: from.interval, items, totalCents: from.subtotalCents }
}

/** The form for answers about discounts: what is left to pay, and what is left of the credit. */
export function creditBreakdown(from: Quote): {
  readonly interval: Interval
  readonly items: readonly { readonly label: string; readonly cents: SignedCents }[]
  readonly subtotalCents: Cents
  readonly totalCents: Cents
  readonly creditRemainingCents: Cents
} {
  return {
    interval: from.interval,
    items: from.lines.map(({ label, cents }) => ({ label, cents })),
    subtotalCents: from.subtotalCents,
    totalCents: from.totalCents,
    creditRemainingCents: from.creditRemainingCents,
  }
}

function billedBundles(
  catalogue: Catalogue,
  addons: readonly Addon[],
): readonly { readonly bundle: Bundle; readonly quantity: number }[] {
  return [...sumQuantities(catalogue, addons)]
    .map(([id, asked]) => {
      const bundle = activeBundles(catalogue).get(id) as Bundle
      return { bundle, quantity: Math.min(asked, bundle.max) }
    })
    .sort((a, b) => a.bundle.sortOrder - b.bundle.sortOrder)
}
