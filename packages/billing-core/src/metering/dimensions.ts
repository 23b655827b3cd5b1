/**
 * The three maps of the marketplace: tier dimension to plan, bundle to metered dimension, dimension to cents per unit.
 * `listing` selects the dimension keys and list prices under which the product is listed.
 */
import { defaultBundles } from '../catalogue/bundles.js'
import { type BundleId, isSoldTier, type SoldTier, soldTiers } from '../catalogue/vocabulary.js'
import { type Cents, cents } from '../money/cents.js'
import { invalid, type Result, show } from '../refusal/refusal.js'
import { didYouMean } from '../settings/nearest.js'
import { parseJson } from '../settings/read.js'

/** Tier dimension to plan. When the setting is absent, each sold tier maps to itself. */
export type PlanDimensionMap = ReadonlyMap<string, SoldTier>
/** Bundle to dimension. A bundle without an entry is not metered. */
export type BundleDimensionMap = ReadonlyMap<BundleId, string>
/** Dimension to cents per unit and billing cycle. */
export type DimensionPriceMap = ReadonlyMap<string, Cents>

/** `seat_pack` → `SeatPack`. */
export function listingDimension(bundleId: BundleId): string {
  return bundleId.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * Parses the map from tier dimension to plan. When the setting is absent, each sold tier is its own dimension. A
 * refusal lists every mistake.
 */
export function parsePlanDimensionMap(
  text: string | undefined,
  field = 'MARKETPLACE_DIMENSION_MAP',
): Result<PlanDimensionMap> {
  if (text === undefined) return { ok: true, value: new Map(soldTiers.map((tier) => [tier, tier])) }
  const entries = readEntries(text, field)
  if (!entries.ok) return entries
  const map = new Map<string, SoldTier>()
  const mistakes: string[] = []
  for (const [dimension, plan] of entries.value) {
    if (isSoldTier(plan)) map.set(dimension, plan)
    else mistakes.push(`must map ${show(dimension)} to a plan (${soldTiers.join(', ')}), not ${show(plan)}`)
  }
  return unlessMistaken(map, mistakes, field)
}

/**
 * Parses the map from bundle to metered dimension. When the setting is absent, each bundle is its own dimension, or has
 * the key of the listing when `listing` is given. A refusal lists every mistake.
 */
export function parseBundleDimensionMap(
  text: string | undefined,
  bundleIds: readonly BundleId[] = defaultBundles.map((bundle) => bundle.id),
  field = 'MARKETPLACE_BUNDLE_DIMENSION_MAP',
): Result<BundleDimensionMap> {
  if (text === undefined) return { ok: true, value: new Map(bundleIds.map((id) => [id, id])) }
  if (text === 'listing') return { ok: true, value: new Map(bundleIds.map((id) => [id, listingDimension(id)])) }
  const entries = readEntries(text, field)
  if (!entries.ok) return entries
  const map = new Map<BundleId, string>()
  const mistakes: string[] = []
  for (const [id, dimension] of entries.value) {
    if (!bundleIds.includes(id)) {
      mistakes.push(`must name bundles, not ${show(id)}${didYouMean(id, bundleIds)}`)
    } else if (typeof dimension !== 'string' || dimension === '') {
      mistakes.push(`must map ${id} to a dimension, not ${show(dimension)}`)
    } else map.set(id, dimension)
  }
  return unlessMistaken(map, mistakes, field)
}

/**
 * Parses the map from dimension to whole cents per unit. When the setting is absent, the map is empty, or has the
 * monthly list prices when `listing` is given. A refusal lists every mistake.
 */
export function parseDimensionPriceMap(
  text: string | undefined,
  field = 'MARKETPLACE_DIMENSION_PRICE_MAP',
): Result<DimensionPriceMap> {
  if (text === undefined) return { ok: true, value: new Map() }
  if (text === 'listing') {
    return { ok: true, value: new Map(defaultBundles.map(({ id, prices }) => [listingDimension(id), prices.monthly])) }
  }
  const entries = readEntries(text, field)
  if (!entries.ok) return entries
  const map = new Map<string, Cents>()
  const mistakes: string[] = []
  for (const [dimension, price] of entries.value) {
    if (typeof price !== 'number' || !Number.isSafeInteger(price) || price < 1) {
      mistakes.push(`must map ${show(dimension)} to whole cents from 1, not ${show(price)}`)
    } else map.set(dimension, cents(price))
  }
  return unlessMistaken(map, mistakes, field)
}

/** Returns the own entries of a JSON object. `__proto__` is an entry like any other. */
function readEntries(text: string, field: string): Result<readonly (readonly [string, unknown])[]> {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid(field, `${field} must be a JSON object, not ${show(text)}`)
  }
  return { ok: true, value: Object.entries(value) }
}

/** Returns the map, or one refusal that lists every mistake of it. */
function unlessMistaken<T>(map: T, mistakes: readonly string[], field: string): Result<T> {
  return mistakes.length === 0 ? { ok: true, value: map } : invalid(field, `${field} ${mistakes.join('; ')}`)
}
