/**
 * The price ids of the card provider: `{"pro_monthly": "price_…", …}`. A key is the id of a plan or bundle and an
 * interval, split at the last underscore. Every price id is listed once, so that it identifies its key.
 */
import { defaultBundles } from '../catalogue/bundles.js'
import { type BundleId, soldTiers } from '../catalogue/vocabulary.js'
import { type Interval, intervals } from '../period/interval.js'
import { type Result, refuse, show } from '../refusal/refusal.js'
import { didYouMean } from '../settings/nearest.js'
import { type Loaded, parseJson, type SettingIssue } from '../settings/read.js'

/** Plans that are charged. Developer is free and has no price id. */
export const pricedPlans = soldTiers.filter((tier) => tier !== 'developer')

export interface PricedThing {
  readonly id: string
  readonly interval: Interval
}

export interface PriceMap {
  readonly byThing: ReadonlyMap<string, string>
  readonly byPrice: ReadonlyMap<string, PricedThing>
}

/** Parses the map and reports every mistake at once. A plan without a price id is a warning: it cannot be bought. */
export function parsePriceMap(
  text: string,
  bundleIds: readonly BundleId[] = defaultBundles.map((bundle) => bundle.id),
  field = 'CARD_PROVIDER_PRICE_MAP',
): Loaded<PriceMap> {
  const issues: SettingIssue[] = []
  const issue = (message: string): void => void issues.push({ field, message: `${field} ${message}` })
  const byThing = new Map<string, string>()
  const byPrice = new Map<string, PricedThing>()
  const ids: readonly string[] = [...pricedPlans, ...bundleIds]
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) issue('must be a JSON object')
  else {
    for (const [key, price] of Object.entries(value)) {
      const thing = splitKey(key)
      if (thing === null || !ids.includes(thing.id)) issue(describeKey(key, ids))
      else if (typeof price !== 'string' || price.trim() === '')
        issue(`must map ${key} to a price id, not ${show(price)}`)
      else if (byPrice.has(price))
        issue(`must not map ${key} and ${keyOf(byPrice.get(price) as PricedThing)} to one price`)
      else {
        byThing.set(key, price)
        byPrice.set(price, thing)
      }
    }
  }
  if (issues.length > 0) return { ok: false, issues, warnings: [] }
  const warnings = pricedPlans
    .flatMap((id) => intervals.map((interval) => keyOf({ id, interval })))
    .filter((key) => !byThing.has(key))
    .map((key) => ({ field, message: `${field} has no ${key}: that plan cannot be bought` }))
  return { ok: true, value: { byThing, byPrice }, warnings }
}

/** Returns the provider's price id of a plan, or a refusal when it has none. */
export function planPrice(map: PriceMap, id: string, interval: Interval): Result<string> {
  const price = map.byThing.get(keyOf({ id, interval }))
  if (price !== undefined) return { ok: true, value: price }
  return refuse('PRICE_NOT_CONFIGURED', `plan ${id} has no ${interval} price: ${repairOf({ id, interval })}`, {
    field: 'planId',
    details: { planId: id, interval },
  })
}

/** Returns the provider's price id of a bundle, or a refusal when it has none: it would be granted and never charged. */
export function bundlePrice(map: PriceMap, id: BundleId, interval: Interval): Result<string> {
  const price = map.byThing.get(keyOf({ id, interval }))
  if (price !== undefined) return { ok: true, value: price }
  return refuse('PRICE_NOT_CONFIGURED', `add-on ${id} has no ${interval} price: ${repairOf({ id, interval })}`, {
    field: 'addons',
    details: { bundleId: id, interval },
  })
}

const repairOf = (thing: PricedThing): string =>
  `the operator of the server adds ${keyOf(thing)} to CARD_PROVIDER_PRICE_MAP`

/** Returns what a price id of the provider is for: a plan or a bundle, with its interval. */
export function findPrice(map: PriceMap, price: string): PricedThing | null {
  return map.byPrice.get(price) ?? null
}

function keyOf({ id, interval }: PricedThing): string {
  return `${id}_${interval}`
}

function splitKey(key: string): PricedThing | null {
  const at = key.lastIndexOf('_')
  const interval = intervals.find((known) => known === key.slice(at + 1))
  return at < 1 || interval === undefined ? null : { id: key.slice(0, at), interval }
}

function describeKey(key: string, ids: readonly string[]): string {
  const known = ids.flatMap((id) => intervals.map((interval) => keyOf({ id, interval })))
  return `must have keys such as pro_monthly, not ${show(key)}${didYouMean(key, known)}`
}
