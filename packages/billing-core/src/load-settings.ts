/**
 * Loads the settings of billing and reports every mistake at once. Messages never contain the value of a secret.
 * `loadCatalogue` reads the overrides of the catalogue.
 */
import { defaultDefinition } from './catalogue/create.js'
import type { CatalogueDefinition } from './catalogue/types.js'
import type { Tier } from './catalogue/vocabulary.js'
import {
  type BundleDimensionMap,
  type DimensionPriceMap,
  type PlanDimensionMap,
  parseBundleDimensionMap,
  parseDimensionPriceMap,
  parsePlanDimensionMap,
} from './metering/dimensions.js'
import { type Cents, cents, MAX_CENTS } from './money/cents.js'
import type { ProviderKind } from './providers/credit-support.js'
import { type PriceMap, parsePriceMap } from './providers/price-map.js'
import type { Result } from './refusal/refusal.js'
import { didYouMean } from './settings/nearest.js'
import { type Loaded, SettingReader, type SettingValues } from './settings/read.js'
import { catalogueSettings, type ScalarSettingName, type SettingSpec, scalarSettings } from './settings/table.js'
import { type KeyRing, parseKeyRing } from './tokens/key-ring.js'

export interface BillingSettings {
  readonly enabled: boolean
  readonly provider: ProviderKind
  readonly defaultTier: Tier
  readonly bundlesEnabled: boolean
  readonly discountsEnabled: boolean
  /** False when discounts are off, whatever the setting says. */
  readonly promotionsEnabled: boolean
  readonly discountKeys: KeyRing | null
  readonly discountMaxPercent: number
  readonly discountMaxCents: Cents
  readonly backfillIntervalMs: number
  readonly clawbackWindowMs: number
  readonly refereeAt: 'subscription' | 'first_payment'
  readonly meteringEnabled: boolean
  readonly meteringIntervalMs: number
  readonly meteringDryRun: boolean
  readonly marketplace: {
    readonly productCode: string | null
    readonly region: string
    readonly topicArn: string | null
    readonly planDimensions: PlanDimensionMap
    readonly bundleDimensions: BundleDimensionMap
    readonly prices: DimensionPriceMap
  }
  readonly card: {
    readonly secretKey: string | null
    readonly webhookSecret: string | null
    readonly prices: PriceMap
  }
  readonly gracePeriodDays: number
  readonly renewalReminderDays: number
  readonly lifecycleIntervalMs: number
  readonly driftMaxPerTick: number
  readonly driftIntervalMs: number
  readonly webhookLeaseSeconds: number
  readonly usageFallbackDays: number
  readonly plansCacheSeconds: number
  readonly frontendUrl: string | null
}

/** Loads the settings. `definition` decides which bundle ids the maps may contain. */
export function loadBillingSettings(
  values: SettingValues,
  definition: CatalogueDefinition = defaultDefinition,
): Loaded<BillingSettings> {
  const reader = new SettingReader(values)
  const read = <T>(name: ScalarSettingName, parse: (spec: SettingSpec, reader: SettingReader) => T): T =>
    parse(specOf(name), reader)
  const bundleIds = definition.bundles.map((bundle) => bundle.id)
  const provider = read('BILLING_PROVIDER', choice) as ProviderKind
  const enabled = read('BILLING_ENABLED', boolean)
  const discountsEnabled = read('BILLING_DISCOUNTS_ENABLED', boolean)
  const keys = read('BILLING_DISCOUNT_KEYS', text)
  const settings: BillingSettings = {
    enabled,
    provider,
    defaultTier: read('DEFAULT_QUOTA_TIER', choice) as Tier,
    bundlesEnabled: read('BILLING_BUNDLES_ENABLED', boolean),
    discountsEnabled,
    promotionsEnabled: read('BILLING_PROMOTIONS_ENABLED', boolean) && discountsEnabled,
    discountKeys: keys === null ? null : take(reader, parseKeyRing(keys), null),
    discountMaxPercent: read('BILLING_DISCOUNT_MAX_PERCENT', whole),
    discountMaxCents: cents(read('BILLING_DISCOUNT_MAX_CENTS', whole)),
    backfillIntervalMs: read('BILLING_PROMOTION_BACKFILL_INTERVAL_MS', whole),
    clawbackWindowMs: read('BILLING_PROMOTION_CLAWBACK_WINDOW_MS', whole),
    refereeAt: read('BILLING_REFERRAL_REFEREE_AT', choice) as BillingSettings['refereeAt'],
    meteringEnabled: read('BILLING_METERING_ENABLED', boolean),
    meteringIntervalMs: read('BILLING_METERING_INTERVAL_MS', whole),
    meteringDryRun: read('BILLING_METERING_DRAWDOWN_DRYRUN', boolean),
    marketplace: {
      productCode: read('MARKETPLACE_PRODUCT_CODE', text),
      region:
        (reader.text('MARKETPLACE_REGION') === undefined ? reader.string('AWS_REGION') : undefined) ??
        read('MARKETPLACE_REGION', text) ??
        '',
      topicArn: read('MARKETPLACE_SNS_TOPIC_ARN', text),
      planDimensions: take(reader, parsePlanDimensionMap(reader.text('MARKETPLACE_DIMENSION_MAP')), new Map()),
      bundleDimensions: take(
        reader,
        parseBundleDimensionMap(reader.text('MARKETPLACE_BUNDLE_DIMENSION_MAP'), bundleIds),
        new Map(),
      ),
      prices: take(reader, parseDimensionPriceMap(reader.text('MARKETPLACE_DIMENSION_PRICE_MAP')), new Map()),
    },
    card: {
      secretKey: read('CARD_PROVIDER_SECRET_KEY', text),
      webhookSecret: read('CARD_PROVIDER_WEBHOOK_SECRET', text),
      prices: readPriceMap(reader, bundleIds, provider),
    },
    gracePeriodDays: read('PAYMENT_GRACE_PERIOD_DAYS', whole),
    renewalReminderDays: read('RENEWAL_REMINDER_DAYS', whole),
    lifecycleIntervalMs: read('BILLING_LIFECYCLE_CHECK_INTERVAL_MS', whole),
    driftMaxPerTick: read('BILLING_ENTITLEMENT_DRIFT_MAX_PER_TICK', whole),
    driftIntervalMs: read('BILLING_ENTITLEMENT_DRIFT_INTERVAL_MS', whole),
    webhookLeaseSeconds: read('BILLING_WEBHOOK_INPROGRESS_TTL_SECONDS', whole),
    usageFallbackDays: read('BILLING_USAGE_FALLBACK_DAYS', whole),
    plansCacheSeconds: read('CACHE_TTL_BILLING_PLANS', whole),
    frontendUrl: read('PLATFORM_FRONTEND_URL', text),
  }
  checkTogether(reader, settings)
  refuseUnknown(reader, values)
  return reader.issues.length > 0
    ? { ok: false, issues: reader.issues, warnings: reader.warnings }
    : { ok: true, value: settings, warnings: reader.warnings }
}

function specOf(name: ScalarSettingName): SettingSpec {
  return scalarSettings.find((spec) => spec.name === name) as SettingSpec
}

function boolean(spec: SettingSpec, reader: SettingReader): boolean {
  return reader.boolean(spec.name) ?? spec.default === 'true'
}

function whole(spec: SettingSpec, reader: SettingReader): number {
  return reader.whole(spec.name, spec.min ?? 0, spec.max ?? MAX_CENTS) ?? Number(spec.default)
}

function choice(spec: SettingSpec, reader: SettingReader): string {
  return reader.choice(spec.name, spec.choices ?? []) ?? spec.default ?? ''
}

function text(spec: SettingSpec, reader: SettingReader): string | null {
  return reader.string(spec.name, 100_000) ?? spec.default
}

function take<T>(reader: SettingReader, result: Result<T>, otherwise: T): T {
  if (result.ok) return result.value
  reader.issues.push({ field: result.refusal.field ?? '', message: result.refusal.message })
  return otherwise
}

const NO_PRICES: PriceMap = { byThing: new Map(), byPrice: new Map() }

/** The map is required with the card provider. With other providers an invalid map is only a warning. */
function readPriceMap(reader: SettingReader, bundleIds: readonly string[], provider: ProviderKind): PriceMap {
  const value = reader.text('CARD_PROVIDER_PRICE_MAP')
  if (value === undefined && provider !== 'card_provider') return NO_PRICES
  const parsed = parsePriceMap(value ?? '{}', bundleIds)
  if (parsed.ok) {
    if (provider === 'card_provider') reader.warnings.push(...parsed.warnings)
    return parsed.value
  }
  ;(provider === 'card_provider' ? reader.issues : reader.warnings).push(...parsed.issues)
  return NO_PRICES
}

function checkTogether(reader: SettingReader, settings: BillingSettings): void {
  if (settings.enabled && settings.defaultTier === 'unlimited') {
    reader.issue('DEFAULT_QUOTA_TIER', 'must not be unlimited while BILLING_ENABLED is true')
  }
  if (settings.provider === 'card_provider' && settings.card.secretKey === null) {
    reader.issue('CARD_PROVIDER_SECRET_KEY', 'is required when BILLING_PROVIDER is card_provider')
  }
  if (settings.provider === 'marketplace') {
    if (settings.marketplace.productCode === null) {
      reader.issue('MARKETPLACE_PRODUCT_CODE', 'is required when BILLING_PROVIDER is marketplace')
    }
    if (settings.meteringEnabled && settings.meteringIntervalMs < 3_600_000) {
      reader.warn('BILLING_METERING_INTERVAL_MS', 'is under an hour; each hour is still reported once')
    }
  }
}

const OWN_PREFIXES = ['BILLING_', 'MARKETPLACE_', 'CARD_PROVIDER_']
const CATALOGUE_PREFIXES = catalogueSettings.map((spec) => spec.name.slice(0, spec.name.indexOf('<')))

/** Refuses unknown names. Otherwise a misspelt price or limit would leave the default in force without a message. */
function refuseUnknown(reader: SettingReader, values: SettingValues): void {
  const known = scalarSettings.map((spec) => spec.name)
  for (const name of Object.keys(values)) {
    if ((known as readonly string[]).includes(name)) continue
    if (!OWN_PREFIXES.some((prefix) => name.startsWith(prefix))) continue
    if (CATALOGUE_PREFIXES.some((prefix) => name.startsWith(prefix))) continue
    reader.issue(name, `is not a setting${didYouMean(name, known)}`)
  }
}
