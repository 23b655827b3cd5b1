/**
 * Plans what one hour of metering reports: the units of each dimension, less those that credit pays for.
 *
 * INVARIANT: reported + withheld = units in every dimension. The value that is withheld never exceeds the credit. While
 * priced units are still reported, the credit that is left is smaller than the price of one more unit.
 */
import { sumQuantities } from '../addons/hold.js'
import { activeBundles, compareIds } from '../catalogue/lookup.js'
import type { Addon, Catalogue } from '../catalogue/types.js'
import type { BundleId } from '../catalogue/vocabulary.js'
import type { Step } from '../explain/step.js'
import { subtract, sum, times } from '../money/arithmetic.js'
import { type Cents, ZERO } from '../money/cents.js'
import type { BundleDimensionMap, DimensionPriceMap } from './dimensions.js'

export interface MeteringLine {
  readonly dimension: string
  readonly bundles: readonly BundleId[]
  readonly units: number
  /** Null when the dimension has no price; 0 when it is free. In both cases it is reported in full. */
  readonly priceCents: Cents | null
  readonly withheldUnits: number
  readonly withheldCents: Cents
  /** The units less the withheld units. A dry run sends all units in any case: `records` contains what is sent. */
  readonly reportedUnits: number
}

export interface MeteringRecord {
  readonly dimension: string
  readonly quantity: number
}

export interface MeteringPlan {
  readonly lines: readonly MeteringLine[]
  /** The records to send. No record has 0 units. */
  readonly records: readonly MeteringRecord[]
  readonly creditCents: Cents
  readonly consumedCents: Cents
  /** The credit that is carried forward to the next hour. */
  readonly remainingCents: Cents
  /** True when there is credit and none of it can be used. */
  readonly isUnrealizable: boolean
  readonly isDryRun: boolean
  readonly steps: readonly Step[]
}

export interface MeteringInput {
  readonly addons: readonly Addon[]
  readonly dimensions: BundleDimensionMap
  readonly prices: DimensionPriceMap
  /** The credit that may be withheld: the balance less what is held. */
  readonly creditCents: Cents
  /** When true, the withholding is computed and everything is reported in full. */
  readonly dryRun?: boolean
}

/** The most records that the marketplace accepts in one call. */
export const RECORDS_PER_CALL = 25

/**
 * Returns the records to send for one hour, and what credit withholds from each dimension, in whole units, in the order
 * of the dimensions. A dimension without a price, or with a price of 0, is reported in full. A dry run reports
 * everything.
 */
export function planMetering(catalogue: Catalogue, input: MeteringInput): MeteringPlan {
  const steps: Step[] = []
  const lines: MeteringLine[] = []
  let left = input.creditCents
  for (const { dimension, bundles, units } of mergeDimensions(catalogue, input, steps)) {
    const priceCents = input.prices.get(dimension) ?? null
    // Credit does not pay for units that cost nothing, so they are reported in full.
    const affordable = priceCents === null || priceCents === 0 ? 0 : (left - (left % priceCents)) / priceCents
    const withheldUnits = Math.min(affordable, units)
    const withheldCents = times(priceCents ?? ZERO, withheldUnits)
    left = subtract(left, withheldCents)
    const reportedUnits = units - withheldUnits
    lines.push({ dimension, bundles, units, priceCents, withheldUnits, withheldCents, reportedUnits })
    steps.push({ kind: 'withheld', dimension, units, withheld: withheldUnits, price: priceCents, left })
  }
  const dryRun = input.dryRun ?? false
  const records = lines
    .map((line) => ({ dimension: line.dimension, quantity: dryRun ? line.units : line.reportedUnits }))
    .filter((record) => record.quantity > 0)
  for (const { dimension, quantity } of records) {
    const bundles = lines.find((line) => line.dimension === dimension)?.bundles ?? []
    steps.push({ kind: 'reported', dimension, units: quantity, bundles })
  }
  if (dryRun) steps.push({ kind: 'note', text: 'dry run: everything is reported in full and no credit is used' })
  const consumedCents = sum(lines.map((line) => line.withheldCents))
  return {
    lines,
    records,
    creditCents: input.creditCents,
    consumedCents,
    remainingCents: left,
    isUnrealizable: input.creditCents > 0 && consumedCents === 0,
    isDryRun: dryRun,
    steps,
  }
}

/** Splits records into calls of at most 25. */
export function batchRecords(records: readonly MeteringRecord[]): readonly (readonly MeteringRecord[])[] {
  const batches: MeteringRecord[][] = []
  for (let at = 0; at < records.length; at += RECORDS_PER_CALL) batches.push(records.slice(at, at + RECORDS_PER_CALL))
  return batches
}

interface MergedDimension {
  readonly dimension: string
  readonly bundles: BundleId[]
  units: number
}

/**
 * By bundle id. Bundles of one dimension are merged at the place of the first one, because a call may name a dimension
 * once.
 */
function mergeDimensions(catalogue: Catalogue, input: MeteringInput, steps: Step[]): readonly MergedDimension[] {
  const merged = new Map<string, MergedDimension>()
  const held = [...sumQuantities(catalogue, input.addons)].sort(([a], [b]) => compareIds(a, b))
  for (const [bundleId, asked] of held) {
    const dimension = input.dimensions.get(bundleId)
    if (dimension === undefined) {
      steps.push({ kind: 'unmapped', bundleId })
      continue
    }
    const units = Math.min(asked, activeBundles(catalogue).get(bundleId)?.max ?? asked)
    const line = merged.get(dimension)
    if (line === undefined) merged.set(dimension, { dimension, bundles: [bundleId], units })
    else {
      line.bundles.push(bundleId)
      line.units += units
    }
  }
  return [...merged.values()]
}
