/**
 * Look-up tables that calculations need. They are built once for each catalogue and kept in a `WeakMap`, so that a
 * catalogue stays plain data that can be printed and compared.
 */
import { type Cents, cents } from '../money/cents.js'
import { intervals } from '../period/interval.js'
import { invalid, show, unwrap } from '../refusal/refusal.js'
import { didYouMean } from '../settings/nearest.js'
import type { Bundle, Catalogue, CatalogueDefinition, Combo, Plan, Prices } from './types.js'
import type { BundleId, ComboId, SoldTier, Tier } from './vocabulary.js'

/** A combo that an account can satisfy: it is active, and every member is an active bundle. */
export interface OfferedCombo {
  readonly combo: Combo
  /** The sum of the member prices, each times its minimum quantity. */
  readonly separate: Prices
  /** max(0, separate − together). */
  readonly savings: Prices
  /** A bit mask of the offered combos that share a member with this one. Bit i stands for the i-th; its own bit is 0. */
  readonly conflicts: number
}

interface Index {
  /** Contains only active bundles. */
  readonly bundles: ReadonlyMap<BundleId, Bundle>
  readonly plans: ReadonlyMap<string, Plan>
  readonly combos: ReadonlyMap<ComboId, Combo>
  /** Sorted by id in code units, so that the order of bits is the order for ties. */
  readonly offered: readonly OfferedCombo[]
}

const indexes = new WeakMap<CatalogueDefinition, Index>()

/** Indexes a definition, which must have passed `checkDefinition`. */
export function indexCatalogue(definition: CatalogueDefinition): Catalogue {
  const catalogue = definition as Catalogue
  const bundles = new Map(definition.bundles.filter((bundle) => bundle.isActive).map((bundle) => [bundle.id, bundle]))
  const combos = definition.combos.filter((combo) => combo.isActive)
  indexes.set(catalogue, {
    bundles,
    plans: new Map(definition.plans.map((plan) => [plan.id, plan])),
    combos: new Map(combos.map((combo) => [combo.id, combo])),
    offered: offer(combos, bundles),
  })
  return catalogue
}

function indexOf(catalogue: Catalogue): Index {
  const index = indexes.get(catalogue)
  if (index === undefined)
    throw new TypeError('a catalogue is made by createCatalogue, loadCatalogue or defaultCatalogue')
  return index
}

/** Returns the active bundle with that id; undefined when the catalogue has none. */
export function findBundle(catalogue: Catalogue, id: BundleId): Bundle | undefined {
  return indexOf(catalogue).bundles.get(id)
}

/** Returns the plan with that id. A plan's id is a tier that is sold; undefined for any other id. */
export function findPlan(catalogue: Catalogue, id: string): Plan | undefined {
  return indexOf(catalogue).plans.get(id)
}

/**
 * Returns the plan of a sold tier; `createCatalogue` verifies that each has one.
 *
 * @throws {RefusedError} for any other id.
 */
export function planOf(catalogue: Catalogue, tier: SoldTier): Plan {
  const plan = indexOf(catalogue).plans.get(tier)
  if (plan === undefined)
    return unwrap(
      invalid(
        'planId',
        `planId must name a plan, not ${show(tier)}${didYouMean(tier, indexOf(catalogue).plans.keys())}`,
      ),
    )
  return plan
}

/** Returns the active combo with that id; undefined when the catalogue has none. */
export function findCombo(catalogue: Catalogue, id: ComboId): Combo | undefined {
  return indexOf(catalogue).combos.get(id)
}

export function activeBundles(catalogue: Catalogue): ReadonlyMap<BundleId, Bundle> {
  return indexOf(catalogue).bundles
}

export function offeredCombos(catalogue: Catalogue): readonly OfferedCombo[] {
  return indexOf(catalogue).offered
}

/** Returns the active bundles that the tier can buy, in catalogue order. */
export function bundlesFor(catalogue: Catalogue, tier: Tier | null): readonly Bundle[] {
  return [...indexOf(catalogue).bundles.values()]
    .filter((bundle) => tier === null || (bundle.tiers as readonly Tier[]).includes(tier))
    .sort((a, b) => a.sortOrder - b.sortOrder)
}

/** Returns the combos to show on a tier: those whose members can all be bought there. */
export function combosFor(catalogue: Catalogue, tier: Tier | null): readonly OfferedCombo[] {
  const sold = new Set(bundlesFor(catalogue, tier).map((bundle) => bundle.id))
  return offeredCombos(catalogue)
    .filter(({ combo }) => combo.members.every((member) => sold.has(member.bundleId)))
    .sort((a, b) => a.combo.sortOrder - b.combo.sortOrder || compareIds(a.combo.id, b.combo.id))
}

export function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function offer(combos: readonly Combo[], bundles: ReadonlyMap<BundleId, Bundle>): OfferedCombo[] {
  const possible = combos
    .filter((combo) => combo.members.every((member) => bundles.has(member.bundleId)))
    .sort((a, b) => compareIds(a.id, b.id))
  const members = possible.map((combo) => new Set(combo.members.map((member) => member.bundleId)))
  return possible.map((combo, index) => {
    const separate = perInterval((interval) =>
      combo.members.reduce(
        (total, { bundleId, minQuantity }) => total + (bundles.get(bundleId)?.prices[interval] ?? 0) * minQuantity,
        0,
      ),
    )
    const savings = perInterval((interval) => Math.max(0, separate[interval] - combo.prices[interval]))
    let conflicts = 0
    members.forEach((other, bit) => {
      if (bit !== index && combo.members.some((member) => other.has(member.bundleId))) conflicts |= 1 << bit
    })
    return { combo, separate, savings, conflicts }
  })
}

function perInterval(amount: (interval: (typeof intervals)[number]) => number): Prices {
  return Object.fromEntries(intervals.map((interval) => [interval, cents(amount(interval))])) as Record<
    (typeof intervals)[number],
    Cents
  >
}
