/**
 * Steps: how a result was calculated, as data. A result contains its steps, and `renderSteps` makes sentences of them.
 * Each kind of step is one rule, so that a program can look for it and a person can read it.
 */
import type { BundleId, ComboId, Feature, LimitField, Tier } from '../catalogue/vocabulary.js'
import type { Cents, SignedCents } from '../money/cents.js'
import type { Percent } from '../money/percent.js'
import type { Interval } from '../period/interval.js'
import type { RefusalCode } from '../refusal/codes.js'

/** One term of a limit: quantity × amount of one bundle. */
export interface Addend {
  readonly bundleId: BundleId
  readonly quantity: number
  readonly amount: number
}

export type Step =
  | {
      readonly kind: 'limit'
      readonly field: LimitField
      readonly tier: Tier
      readonly base: number
      readonly addends: readonly Addend[]
      readonly total: number
    }
  | { readonly kind: 'feature'; readonly feature: Feature; readonly from: 'tier' | 'addon'; readonly source: string }
  | { readonly kind: 'addon_ignored'; readonly bundleId: BundleId; readonly reason: 'unknown' | 'no_quantity' }
  | { readonly kind: 'addon_without_requirement'; readonly bundleId: BundleId; readonly missing: readonly BundleId[] }
  | {
      readonly kind: 'addon_clamped'
      readonly bundleId: BundleId
      readonly asked: number
      readonly quantity: number
    }
  | { readonly kind: 'addon_set'; readonly bundleId: BundleId; readonly before: number; readonly after: number }
  | {
      readonly kind: 'addon_removed'
      readonly bundleId: BundleId
      readonly reason: 'tier_included' | 'tier_ineligible' | 'requires_missing'
      /** The bundle whose loss removed this one. */
      readonly cascadedFrom?: BundleId
    }
  | { readonly kind: 'addon_kept'; readonly bundleId: BundleId; readonly soldOnTier: boolean }
  | {
      readonly kind: 'combo_applied'
      readonly comboId: ComboId
      readonly interval: Interval
      readonly separate: Cents
      readonly together: Cents
      readonly saving: Cents
    }
  | {
      readonly kind: 'combo_unsatisfied'
      readonly comboId: ComboId
      readonly missing: readonly { readonly bundleId: BundleId; readonly held: number; readonly needed: number }[]
    }
  | { readonly kind: 'combo_without_saving'; readonly comboId: ComboId; readonly interval: Interval }
  | {
      readonly kind: 'combo_outbid'
      readonly comboId: ComboId
      readonly by: readonly ComboId[]
      /** The best total of a set that contains this combo. */
      readonly bestWith: Cents
      readonly chosen: Cents
    }
  | { readonly kind: 'combo_total'; readonly combos: readonly ComboId[]; readonly saving: Cents }
  | { readonly kind: 'percent'; readonly price: Cents; readonly percent: Percent; readonly cents: Cents }
  | { readonly kind: 'fixed'; readonly cents: Cents }
  | { readonly kind: 'clamped'; readonly from: Cents; readonly to: Cents; readonly limit: string }
  | { readonly kind: 'check'; readonly check: string; readonly passed: boolean; readonly code?: RefusalCode }
  | { readonly kind: 'price'; readonly label: string; readonly quantity: number; readonly cents: SignedCents }
  | {
      /** A part of a price: `cents` of `price`, for `left` of `total` seconds. */
      readonly kind: 'prorated'
      readonly label: string
      readonly cents: SignedCents
      readonly price: Cents
      readonly left: number
      readonly total: number
    }
  | { readonly kind: 'credit'; readonly balance: Cents; readonly price: Cents; readonly used: Cents }
  | { readonly kind: 'total'; readonly cents: Cents }
  | { readonly kind: 'drained'; readonly grant: string; readonly cents: Cents; readonly left: Cents }
  | { readonly kind: 'granted'; readonly key: string; readonly cents: Cents; readonly balance: Cents }
  | {
      readonly kind: 'recovered'
      readonly grant: string
      readonly granted: Cents
      readonly recovered: Cents
      readonly spent: Cents
    }
  | {
      readonly kind: 'withheld'
      readonly dimension: string
      readonly units: number
      readonly withheld: number
      readonly price: Cents | null
      readonly left: Cents
    }
  | {
      readonly kind: 'reported'
      readonly dimension: string
      readonly units: number
      readonly bundles: readonly BundleId[]
    }
  | { readonly kind: 'unmapped'; readonly bundleId: BundleId }
  | { readonly kind: 'share'; readonly name: string; readonly weight: number; readonly cents: Cents }
  | {
      readonly kind: 'budget'
      readonly spent: Cents
      readonly cents: Cents
      readonly budget: Cents
      readonly fits: boolean
    }
  | { readonly kind: 'note'; readonly text: string }
