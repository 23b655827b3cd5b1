/** The marketplace's settings, read together. All mistakes are reported at once. */
import {
  type BundleDimensionMap,
  type DimensionPriceMap,
  defaultBundles,
  type PlanDimensionMap,
  parseBundleDimensionMap,
  parseDimensionPriceMap,
  parsePlanDimensionMap,
  type Result,
} from '@plumbline/billing-core'
import type { SettingValues } from '../../runtime/settings/catalogue.js'

export interface MarketplaceSettings {
  readonly productCode: string
  readonly region: string
  readonly topicArns: readonly string[]
  readonly plans: PlanDimensionMap
  readonly bundles: BundleDimensionMap
  readonly prices: DimensionPriceMap
  /** Null for the marketplace's default address. */
  readonly apiUrl: string | null
  /** A fake marketplace on this machine: it needs no credentials, and its own notices are accepted. */
  readonly isLocal: boolean
}

type Read = Pick<
  SettingValues,
  | 'AWS_REGION'
  | 'BILLING_METERING_ENABLED'
  | 'BILLING_METERING_MODE'
  | 'BILLING_PROVIDER'
  | 'BILLING_TEST_CLOCKS'
  | 'MARKETPLACE_API_URL'
  | 'MARKETPLACE_BUNDLE_DIMENSION_MAP'
  | 'MARKETPLACE_DIMENSION_MAP'
  | 'MARKETPLACE_DIMENSION_PRICE_MAP'
  | 'MARKETPLACE_PRODUCT_CODE'
  | 'MARKETPLACE_REGION'
  | 'MARKETPLACE_SNS_TOPIC_ARN'
  | 'NODE_ENV'
  | 'SECRET_ENCRYPTION_KEYS'
>

type Mistake = { readonly name: keyof Read; readonly message: string }
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])
const DEFAULT_REGION = 'us-east-1'

/** Returns what is wrong with the settings when the provider is the marketplace. */
export function marketplaceMistakes(settings: Read): Mistake[] {
  if (settings.BILLING_PROVIDER !== 'marketplace') return []
  const found: Mistake[] = []
  const say = (name: keyof Read, message: string) => void found.push({ name, message })
  if (settings.MARKETPLACE_PRODUCT_CODE === null) {
    say('MARKETPLACE_PRODUCT_CODE', 'is required with BILLING_PROVIDER=marketplace')
  }
  const { plans, bundles, prices } = mapsOf(settings)
  const maps = [
    ['MARKETPLACE_DIMENSION_MAP', plans],
    ['MARKETPLACE_BUNDLE_DIMENSION_MAP', bundles],
    ['MARKETPLACE_DIMENSION_PRICE_MAP', prices],
  ] as const
  for (const [name, map] of maps) if (!map.ok) say(name, map.refusal.message.replace(`${name} `, ''))
  if (settings.MARKETPLACE_API_URL !== null) checkAddress(settings.MARKETPLACE_API_URL, say)
  if (settings.BILLING_TEST_CLOCKS) {
    say('BILLING_TEST_CLOCKS', 'must be false with BILLING_PROVIDER=marketplace: the marketplace has its own time')
  }
  if (bundles.ok && prices.ok) checkUnits(settings, bundles.value, prices.value, say)
  return found
}

const mapsOf = (settings: Read) => ({
  plans: parsePlanDimensionMap(settings.MARKETPLACE_DIMENSION_MAP ?? undefined),
  bundles: parseBundleDimensionMap(settings.MARKETPLACE_BUNDLE_DIMENSION_MAP ?? undefined),
  prices: parseDimensionPriceMap(settings.MARKETPLACE_DIMENSION_PRICE_MAP),
})

type Say = (name: keyof Read, message: string) => void

function checkAddress(text: string, say: Say): void {
  const { protocol, hostname, pathname, username, search } = new URL(text)
  // guard: plain-http-to-a-marketplace-leads-to-this-machine-alone
  if (protocol === 'http:' && !LOOPBACK.has(hostname)) {
    say('MARKETPLACE_API_URL', 'must begin with https://, except for this machine (127.0.0.1, [::1], localhost)')
  }
  if (pathname !== '/' || username !== '' || search !== '') {
    say('MARKETPLACE_API_URL', 'must be only an origin, such as http://127.0.0.1:4011')
  }
}

/** With one unit each hour, a monthly price would be billed 720 times a month. */
function checkUnits(settings: Read, bundles: BundleDimensionMap, prices: DimensionPriceMap, say: Say): void {
  const { BILLING_METERING_ENABLED, BILLING_METERING_MODE, NODE_ENV } = settings
  if (!BILLING_METERING_ENABLED || BILLING_METERING_MODE !== 'cycle' || NODE_ENV !== 'production') return
  const monthly = defaultBundles.filter(({ id, prices: list }) => {
    const price = prices.get(bundles.get(id) ?? '')
    return price !== undefined && price >= list.monthly
  })
  // guard: monthly-prices-are-not-billed-by-the-hour
  if (monthly.length > 0) {
    const named = monthly.map(({ id }) => bundles.get(id) ?? id).join(', ')
    say(
      'MARKETPLACE_DIMENSION_PRICE_MAP',
      `has monthly prices for ${named}, and BILLING_METERING_MODE=cycle bills a unit every hour, 720 times a month: set BILLING_METERING_MODE=period, or prices for an hour`,
    )
  }
}

/** @throws Error when `marketplaceMistakes` finds a mistake. */
export function marketplaceSettings(settings: Read): MarketplaceSettings {
  const [mistake] = marketplaceMistakes(settings)
  const { MARKETPLACE_PRODUCT_CODE: productCode, MARKETPLACE_API_URL: apiUrl } = settings
  if (mistake !== undefined || productCode === null) throw new Error(`${mistake?.name} ${mistake?.message}`)
  const { plans, bundles, prices } = mapsOf(settings)
  return {
    productCode,
    region: settings.MARKETPLACE_REGION ?? settings.AWS_REGION ?? DEFAULT_REGION,
    topicArns: settings.MARKETPLACE_SNS_TOPIC_ARN ?? [],
    plans: unwrap(plans),
    bundles: unwrap(bundles),
    prices: unwrap(prices),
    apiUrl: apiUrl === null ? null : new URL(apiUrl).origin,
    isLocal: apiUrl !== null && LOOPBACK.has(new URL(apiUrl).hostname),
  }
}

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.refusal.message)
  return result.value
}
