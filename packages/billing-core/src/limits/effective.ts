/**
 * Effective limits: the baseline of the tier plus the grants of the held add-ons, with the terms of every field.
 *
 * INVARIANT: an unlimited baseline stays unlimited, no add-on lowers a limit, and no limit exceeds 2^53 − 1. Whether a
 * tier sells an add-on is not part of the formula: that is checked when an add-on is bought and when the plan changes.
 */
import { holdBundles } from '../addons/hold.js'
import type { Addon, Catalogue } from '../catalogue/types.js'
import {
  type Feature,
  features,
  isTier,
  type LimitField,
  type Limits,
  limitFields,
  type Tier,
  tiers,
} from '../catalogue/vocabulary.js'
import type { Addend, Step } from '../explain/step.js'
import { invalid, show, unwrap } from '../refusal/refusal.js'
import { didYouMean } from '../settings/nearest.js'

export interface EffectiveLimits {
  readonly tier: Tier
  readonly limits: Limits
  /** The features of the tier and of the add-ons together, in canonical order. */
  readonly features: readonly Feature[]
  /** The features that the add-ons unlock, even when the tier has them too, in canonical order. */
  readonly addonFeatures: readonly Feature[]
  readonly steps: readonly Step[]
}

/**
 * Calculates the effective limits. Add-ons that the catalogue does not know are ignored.
 *
 * @throws {RefusedError} for an unknown tier.
 */
export function effectiveLimits(catalogue: Catalogue, tier: Tier, addons: readonly Addon[]): EffectiveLimits {
  if (!isTier(tier)) {
    const near = didYouMean(tier, tiers)
    return unwrap(invalid('tier', `tier must be one of ${tiers.join(', ')}, not ${show(tier)}${near}`))
  }
  const steps: Step[] = []
  const own = tierSteps(catalogue, tier)
  const addends: (Addend[] | undefined)[] = new Array(limitFields.length).fill(undefined)
  const sources: (string | undefined)[] = new Array(features.length).fill(undefined)
  for (const { bundle, quantity } of holdBundles(catalogue, tier, addons, steps)) {
    for (const field of Object.keys(bundle.grants) as LimitField[]) {
      const at = fieldIndex.get(field) ?? 0
      const addend = { bundleId: bundle.id, quantity, amount: bundle.grants[field] ?? 0 }
      const list = addends[at]
      if (list === undefined) addends[at] = [addend]
      else list.push(addend)
    }
    for (const feature of bundle.features) sources[featureIndex.get(feature) ?? 0] ??= bundle.id
  }
  const limits = { ...catalogue.tiers[tier].limits }
  own.limits.forEach((step, at) => {
    const list = addends[at]
    if (list === undefined) {
      steps.push(step)
      return
    }
    const total = addTo(step.base, list)
    limits[step.field] = total
    steps.push({ kind: 'limit', field: step.field, tier, base: step.base, addends: list, total })
  })
  const addonFeatures: Feature[] = []
  const all: Feature[] = []
  features.forEach((feature, at) => {
    const source = sources[at]
    const step = own.features[at]
    if (source !== undefined) addonFeatures.push(feature)
    if (step !== undefined) steps.push(step)
    else if (source !== undefined) steps.push({ kind: 'feature', feature, from: 'addon', source })
    else return
    all.push(feature)
  })
  return { tier, limits, features: all, addonFeatures, steps }
}

const fieldIndex: ReadonlyMap<LimitField, number> = new Map(limitFields.map((field, at) => [field, at]))
const featureIndex: ReadonlyMap<Feature, number> = new Map(features.map((feature, at) => [feature, at]))

type LimitStep = Extract<Step, { kind: 'limit' }>

/**
 * The steps of a tier without add-ons. They are made once for each catalogue, because most fields of most accounts have
 * only these.
 */
interface TierSteps {
  readonly limits: readonly LimitStep[]
  /** By feature; undefined when the tier does not include it. */
  readonly features: readonly (Step | undefined)[]
}

const stepsOfCatalogues = new WeakMap<Catalogue, Partial<Record<Tier, TierSteps>>>()

function tierSteps(catalogue: Catalogue, tier: Tier): TierSteps {
  let byTier = stepsOfCatalogues.get(catalogue)
  if (byTier === undefined) {
    byTier = {}
    stepsOfCatalogues.set(catalogue, byTier)
  }
  byTier[tier] ??= makeTierSteps(catalogue, tier)
  return byTier[tier]
}

function makeTierSteps(catalogue: Catalogue, tier: Tier): TierSteps {
  const baseline = catalogue.tiers[tier]
  return {
    limits: limitFields.map((field) => {
      const base = baseline.limits[field]
      return { kind: 'limit', field, tier, base, addends: [], total: base }
    }),
    features: features.map((feature) =>
      baseline.features.includes(feature) ? { kind: 'feature', feature, from: 'tier', source: tier } : undefined,
    ),
  }
}

/** `base + Σ quantity × amount`, capped. Each product is compared before it is added, so that the cap is exact. */
function addTo(base: number, addends: readonly Addend[]): number {
  if (base === -1) return -1
  let total = base
  for (const { quantity, amount } of addends) {
    const grant = quantity * amount
    const room = Number.MAX_SAFE_INTEGER - total
    // A product above 2^53 is not exact, but it certainly exceeds what is left below the cap.
    total = grant >= room ? Number.MAX_SAFE_INTEGER : total + grant
  }
  return total
}
