import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  catalogueSettings,
  defaultDefinition,
  findBundle,
  findPlan,
  loadBillingSettings,
  loadCatalogue,
  overrideNames,
  pack,
  renderSettingsReference,
  type SettingValues,
  scalarSettings,
} from '../src/index.js'
import { encodeBase64 } from '../src/text/base64.js'

const load = (values: SettingValues) => {
  const loaded = loadCatalogue(values)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.issues))
  return loaded
}

describe('catalogue overrides', () => {
  test('prices: an annual one is ten times an overridden monthly one, except for combos', () => {
    const { value, warnings } = load({
      BILLING_PLAN_PRO_MONTHLY: '5900',
      BILLING_BUNDLE_SSO_MONTHLY: '4500',
      BILLING_BUNDLE_API_PACK_ANNUAL: '1',
      BILLING_COMBO_TEAM_GROWTH_MONTHLY: '0',
    })
    expect(findPlan(value, 'pro')?.prices).toEqual({ monthly: 5_900, annual: 59_000 })
    expect(findBundle(value, 'sso')?.prices).toEqual({ monthly: 4_500, annual: 45_000 })
    expect(findBundle(value, 'api_pack')?.prices).toEqual({ monthly: 2_000, annual: 1 })
    expect(value.combos.find((combo) => combo.id === 'team_growth')?.prices).toEqual({ monthly: 0, annual: 38_500 })
    expect(warnings).toEqual([])
  })

  test('grants, tiers, limits, names and features', () => {
    const { value } = load({
      BILLING_BUNDLE_PLUGIN_PACK_GRANT: '250',
      BILLING_BUNDLE_SSO_GRANT: '0',
      BILLING_BUNDLE_SEAT_PACK_TIERS: '["pro","team"]',
      QUOTA_TIER_TEAM_API_CALLS: '-1',
      QUOTA_TIER_PRO_STORAGE_BYTES: '7',
      BILLING_PLAN_TEAM_NAME: 'Business',
      BILLING_PLAN_TEAM_FEATURES: '["Audit log","Single sign-on"]',
    })
    expect(findBundle(value, 'plugin_pack')?.grants).toEqual({ plugins: 250 })
    expect(findBundle(value, 'sso')?.grants).toEqual({ idpConfigs: 0 })
    expect(findBundle(value, 'seat_pack')?.tiers).toEqual(['pro', 'team'])
    expect(value.tiers.team.limits.apiCalls).toBe(-1)
    expect(value.tiers.pro.limits.storageBytes).toBe(7)
    expect(findPlan(value, 'team')).toMatchObject({ name: 'Business', features: ['Audit log', 'Single sign-on'] })
  })

  test('a combo that saves nothing is loaded with a warning', () => {
    const { value, warnings } = load({ BILLING_COMBO_ANALYTICS_SUITE_MONTHLY: '6000' })
    expect(warnings).toMatchObject([{ field: 'BILLING_COMBO_ANALYTICS_SUITE_MONTHLY' }])
    const held = ['advanced_reporting', 'team_usage_analytics'].map((bundleId) => ({ bundleId, quantity: 1 }))
    expect(pack(value, held, 'monthly').combos).toEqual([])
  })

  test.each(['', '-1', '+5', '05', '1.5', '1e3', ' 5', '0x10', '9007199254740992', 'free'])(
    'the price %j is refused',
    (text) => {
      const loaded = loadCatalogue({ BILLING_PLAN_PRO_MONTHLY: text })
      expect(loaded).toMatchObject({ ok: false, issues: [{ field: 'BILLING_PLAN_PRO_MONTHLY' }] })
    },
  )

  test.each([
    ['QUOTA_TIER_PRO_SEATS', '-2'],
    ['QUOTA_TIER_UNLIMITED_SEATS', '5'],
    ['BILLING_PLAN_UNLIMITED_MONTHLY', '5'],
    ['BILLING_BUNDLE_AUDIT_LOG_GRANT', '5'],
    ['BILLING_BUNDLE_SSO_TIERS', '[]'],
    ['BILLING_BUNDLE_SSO_TIERS', '["unlimited"]'],
    ['BILLING_BUNDLE_SSO_TIERS', '["pro","pro"]'],
    ['BILLING_BUNDLE_SSO_TIERS', 'pro'],
    ['BILLING_PLAN_PRO_NAME', '  '],
    ['BILLING_PLAN_PRO_FEATURES', '{"a":1}'],
    ['BILLING_PLAN_PRO_MONTHLY', '9007199254740991'],
  ])('%s=%s is refused and named', (name, text) => {
    const loaded = loadCatalogue({ [name]: text })
    expect(loaded.ok).toBe(false)
    if (!loaded.ok) expect(loaded.issues.map((issue) => issue.field)).toContain(name)
  })

  test('all mistakes are reported at once', () => {
    const loaded = loadCatalogue({
      BILLING_PLAN_PRO_MONTHLY: 'x',
      QUOTA_TIER_TEAM_SEATS: 'many',
      BILLING_BUNDLE_SSO_TIERS: 'pro',
      BILLING_COMBO_TEAM_GROWTH_ANNUAL: '-5',
    })
    expect(loaded.ok ? [] : loaded.issues.map((issue) => issue.field).sort()).toEqual([
      'BILLING_BUNDLE_SSO_TIERS',
      'BILLING_COMBO_TEAM_GROWTH_ANNUAL',
      'BILLING_PLAN_PRO_MONTHLY',
      'QUOTA_TIER_TEAM_SEATS',
    ])
  })

  test('an unknown name of ours is refused with the nearest known one; others are not ours', () => {
    const names = ['BILLING_PLAN_PRO_MONTHY', 'BILLING_BUNDLE_FOO_MONTHLY', 'QUOTA_TIER_TEAM_SEAT']
    const loaded = loadCatalogue(Object.fromEntries(names.map((name) => [name, '1'])))
    expect(loaded.ok ? [] : loaded.issues.map(({ field }) => field)).toEqual(names)
    expect(!loaded.ok && loaded.issues[0]?.message).toContain('did you mean BILLING_PLAN_PRO_MONTHLY')
    expect(load({ BILLING_BUNDLES_ENABLED: 'true', HOME: '/root' }).warnings).toEqual([])
  })

  test('a free plan takes no price but 0', () => {
    const loaded = loadCatalogue({ BILLING_PLAN_DEVELOPER_MONTHLY: '100', BILLING_PLAN_DEVELOPER_ANNUAL: '1' })
    expect(loaded.ok ? [] : loaded.issues.map(({ field }) => field)).toEqual([
      'BILLING_PLAN_DEVELOPER_MONTHLY',
      'BILLING_PLAN_DEVELOPER_ANNUAL',
    ])
    expect(findPlan(load({ BILLING_PLAN_DEVELOPER_MONTHLY: '0' }).value, 'developer')?.prices.annual).toBe(0)
  })

  test('every override name is one that the reader reads', () => {
    for (const name of overrideNames(defaultDefinition)) {
      const loaded = loadCatalogue({ [name]: '?' })
      const read = !loaded.ok || name.endsWith('_NAME') || name.endsWith('_DESCRIPTION')
      expect([name, read]).toEqual([name, true])
    }
  })

  test('inherited properties are not settings', () => {
    expect(loadCatalogue(Object.create({ BILLING_PLAN_PRO_MONTHLY: 'x' })).ok).toBe(true)
  })
})

describe('billing settings', () => {
  test('the marketplace region is its own setting, then the platform region, then us-east-1', () => {
    const region = (values: Record<string, string>) => {
      const loaded = loadBillingSettings(values)
      return loaded.ok && loaded.value.marketplace.region
    }
    expect(region({ MARKETPLACE_REGION: 'eu-north-1', AWS_REGION: 'eu-west-1' })).toBe('eu-north-1')
    expect(region({ AWS_REGION: 'eu-west-1' })).toBe('eu-west-1')
    expect(region({})).toBe('us-east-1')
  })

  const key = `v1:${encodeBase64(new Uint8Array(32))}`

  test('the defaults are those of the table', () => {
    const loaded = loadBillingSettings({})
    expect(loaded).toMatchObject({
      ok: true,
      value: {
        enabled: false,
        provider: 'stub',
        defaultTier: 'developer',
        bundlesEnabled: false,
        discountsEnabled: true,
        promotionsEnabled: true,
        discountKeys: null,
        discountMaxPercent: 100,
        discountMaxCents: 10_000_000,
        clawbackWindowMs: 604_800_000,
        refereeAt: 'subscription',
        meteringEnabled: false,
        meteringIntervalMs: 3_600_000,
        meteringDryRun: false,
        gracePeriodDays: 7,
        renewalReminderDays: 7,
        webhookLeaseSeconds: 300,
        plansCacheSeconds: 14_400,
      },
      warnings: [],
    })
  })

  test.each([
    ['BILLING_ENABLED', 'yes'],
    ['BILLING_ENABLED', 'TRUE'],
    ['BILLING_PROVIDER', 'paypal'],
    ['BILLING_DISCOUNT_MAX_PERCENT', '101'],
    ['BILLING_DISCOUNT_MAX_CENTS', '1.5'],
    ['BILLING_METERING_INTERVAL_MS', '0'],
    ['BILLING_REFERRAL_REFEREE_AT', 'later'],
    ['PAYMENT_GRACE_PERIOD_DAYS', '-1'],
    ['BILLING_DISCOUNT_KEYS', 'v1:short'],
    ['MARKETPLACE_DIMENSION_PRICE_MAP', '{"S": 1.5}'],
    ['MARKETPLACE_DIMENSION_MAP', '{"S": "gold"}'],
    ['MARKETPLACE_PRODUCT_CODE', ''],
  ])('%s=%s is refused and named', (name, text) => {
    const loaded = loadBillingSettings({ [name]: text })
    expect(loaded.ok ? [] : loaded.issues.map((issue) => issue.field)).toEqual([name])
  })

  test('what depends on the provider is checked together', () => {
    const fields = (values: SettingValues): string[] => {
      const loaded = loadBillingSettings(values)
      return loaded.ok ? [] : loaded.issues.map((issue) => issue.field)
    }
    expect(fields({ BILLING_PROVIDER: 'card_provider' })).toEqual(['CARD_PROVIDER_SECRET_KEY'])
    expect(fields({ BILLING_PROVIDER: 'marketplace' })).toEqual(['MARKETPLACE_PRODUCT_CODE'])
    expect(
      fields({
        BILLING_PROVIDER: 'card_provider',
        CARD_PROVIDER_SECRET_KEY: 'sk',
        CARD_PROVIDER_PRICE_MAP: '{"x":"y"}',
      }),
    ).toEqual(['CARD_PROVIDER_PRICE_MAP'])
    expect(fields({ CARD_PROVIDER_PRICE_MAP: '{"x":"y"}' })).toEqual([])
    expect(fields({ BILLING_ENABLED: 'false', DEFAULT_QUOTA_TIER: 'unlimited' })).toEqual([])
    expect(fields({ BILLING_ENABLED: 'true', DEFAULT_QUOTA_TIER: 'unlimited' })).toEqual(['DEFAULT_QUOTA_TIER'])
  })

  test('promotions need discounts', () => {
    const loaded = loadBillingSettings({ BILLING_DISCOUNTS_ENABLED: 'false' })
    expect(loaded.ok && loaded.value.promotionsEnabled).toBe(false)
  })

  test('secrets never show in a message', () => {
    const loaded = loadBillingSettings({ BILLING_DISCOUNT_KEYS: `${key},${key}`, CARD_PROVIDER_SECRET_KEY: ' ' })
    expect(JSON.stringify(loaded)).not.toContain(key.slice(3))
  })

  test('a misspelt name is refused with the right one', () => {
    const loaded = loadBillingSettings({ BILLING_DISCOUNT_KEY: key })
    expect(loaded.ok ? [] : loaded.issues).toMatchObject([
      { message: expect.stringContaining('did you mean BILLING_DISCOUNT_KEYS') },
    ])
  })
})

test('the reference page is the table', () => {
  const page = readFileSync(new URL('../../../docs/reference/billing-settings.md', import.meta.url), 'utf8')
  expect(page).toBe(renderSettingsReference())
  for (const { name } of [...scalarSettings, ...catalogueSettings]) expect(page).toContain(`\`${name}\``)
})
