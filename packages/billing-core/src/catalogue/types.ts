/** The types of the catalogue. A definition is plain data; a `Catalogue` is a definition that passed every check. */
import type { Cents } from '../money/cents.js'
import type { Interval } from '../period/interval.js'
import type { BundleId, ComboId, Feature, LimitField, Limits, SoldTier, Tier } from './vocabulary.js'

export type Prices = Readonly<Record<Interval, Cents>>

export interface Bundle {
  readonly id: BundleId
  readonly name: string
  readonly grants: Readonly<Partial<Record<LimitField, number>>>
  readonly features: readonly Feature[]
  readonly prices: Prices
  /** The tiers on which the bundle can be bought. */
  readonly tiers: readonly SoldTier[]
  readonly stackable: boolean
  /** The highest quantity; 1 when the bundle is not stackable. */
  readonly max: number
  readonly requires: readonly BundleId[]
  readonly sortOrder: number
  readonly isActive: boolean
}

export interface ComboMember {
  readonly bundleId: BundleId
  readonly minQuantity: number
}

export interface Combo {
  readonly id: ComboId
  readonly name: string
  readonly members: readonly ComboMember[]
  /** The price of all members together. */
  readonly prices: Prices
  readonly sortOrder: number
  readonly isActive: boolean
}

export interface TierBaseline {
  readonly tier: Tier
  readonly limits: Limits
  readonly features: readonly Feature[]
}

export interface Plan {
  readonly id: SoldTier
  readonly name: string
  readonly description: string
  readonly tier: SoldTier
  readonly prices: Prices
  /** What the list of plans shows: the features of the tier, unless a setting says otherwise. */
  readonly features: readonly string[]
  readonly isDefault: boolean
  readonly sortOrder: number
  /** The length of the trial of an account's first subscription, in days; 0 for no trial. */
  readonly trialDays: number
}

export interface CatalogueDefinition {
  readonly tiers: Readonly<Record<Tier, TierBaseline>>
  readonly plans: readonly Plan[]
  readonly bundles: readonly Bundle[]
  readonly combos: readonly Combo[]
}

/** An add-on of a subscription. */
export interface Addon {
  readonly bundleId: BundleId
  readonly quantity: number
}

declare const catalogueBrand: unique symbol
/** A definition that was checked and indexed. Only `createCatalogue` makes one. */
export interface Catalogue extends CatalogueDefinition {
  readonly [catalogueBrand]: true
}

/** One mistake in a definition or a setting. */
export interface CatalogueIssue {
  /** A path into the definition (`bundles.sso.requires`), or the name of a setting. */
  readonly field: string
  readonly message: string
}
