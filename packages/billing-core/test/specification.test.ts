/**
 * The tables of the specification, written here as the specification prints them (dollars, GB, sentences) and compared
 * with the catalogue. Nothing in this file is taken from the package's own data.
 */
import { describe, expect, test } from 'vitest'
import {
  combosFor,
  defaultCatalogue,
  type Feature,
  findBundle,
  findPlan,
  listingDimension,
  pack,
  parseBundleDimensionMap,
  parseDimensionPriceMap,
  parsePriceMap,
  refusalCodes,
  type SoldTier,
} from '../src/index.js'

const catalogue = defaultCatalogue()
const all = 'developer pro team enterprise'
const cents = (dollars: string): number => Math.round(Number(dollars) * 100)

// id | grant | monthly | annual | tiers | stackable | max
const bundles = `
seat_pack            | seats 5                 | 25    | 250 | team enterprise    | yes | 1000
pipeline_pack        | pipelines 10            | 15    | 150 | ${all}             | yes | 1000
plugin_pack          | plugins 100             | 15    | 150 | ${all}             | yes | 1000
api_pack             | apiCalls 1000000        | 20    | 200 | ${all}             | yes | 1000
ai_pack              | aiCalls 5000            | 75    | 750 | ${all}             | yes | 1000
storage_pack         | storageBytes 53687091200| 25    | 250 | ${all}             | yes | 1000
retention_pack       | eventRetentionDays 90   | 15    | 150 | ${all}             | yes | 7
dora_history_pack    | doraRetentionDays 365   | 30    | 300 | ${all}             | yes | 1
audit_log            | feature audit_log       | 20    | 200 | pro                | no  | 1
sso                  | idpConfigs 5            | 40    | 400 | pro                | no  | 1
advanced_reporting   | feature advanced_reporting   | 30 | 300 | developer pro team | no | 1
team_usage_analytics | feature team_usage_analytics | 30 | 300 | pro team           | no | 1
compliance_standard  | feature compliance_standard  | 29.90 | 299 | developer pro team | no | 1
compliance_advanced  | feature compliance_advanced  | 99.90 | 999 | developer pro team | no | 1
`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))

describe('bundles', () => {
  test('there are exactly the fourteen of the table', () => {
    expect(catalogue.bundles.map((bundle) => bundle.id).sort()).toEqual(bundles.map(([id]) => id).sort())
  })

  test.each(bundles)(
    '%s grants %s at $%s a month and $%s a year',
    (id, grant, monthly, annual, tiers, stackable, max) => {
      const bundle = findBundle(catalogue, id as string)
      const [what, amount] = (grant as string).split(' ')
      expect(bundle).toMatchObject({
        prices: { monthly: cents(monthly as string), annual: cents(annual as string) },
        tiers: (tiers as string).split(' '),
        stackable: stackable === 'yes',
        max: Number(max),
      })
      if (what === 'feature') expect(bundle).toMatchObject({ grants: {}, features: [amount] })
      else expect(bundle?.grants).toEqual({ [what as string]: Number(amount) })
    },
  )

  test('sso unlocks its feature beside the identity providers, compliance_advanced requires compliance_standard', () => {
    expect(findBundle(catalogue, 'sso')?.features).toEqual(['sso'])
    expect(findBundle(catalogue, 'compliance_advanced')?.requires).toEqual(['compliance_standard'])
  })

  test('the catalogue order is that of the engine table', () => {
    expect([...catalogue.bundles].sort((a, b) => a.sortOrder - b.sortOrder).map((bundle) => bundle.id)).toEqual(
      'seat_pack pipeline_pack plugin_pack api_pack ai_pack storage_pack audit_log sso advanced_reporting team_usage_analytics retention_pack dora_history_pack compliance_standard compliance_advanced'.split(
        ' ',
      ),
    )
  })
})

describe('combos', () => {
  test.each([
    ['analytics_suite', 'advanced_reporting team_usage_analytics', '60/600', '42/420', '18/180'],
    ['team_growth', 'seat_pack team_usage_analytics', '55/550', '38.50/385', '16.50/165'],
    ['compliance_suite', 'compliance_standard compliance_advanced', '129.80/1298', '90.86/908.60', '38.94/389.40'],
  ])('%s of %s costs %s separately, %s together, saves %s', (id, members, separate, together, saving) => {
    for (const [index, interval] of (['monthly', 'annual'] as const).entries()) {
      const addons = members.split(' ').map((bundleId) => ({ bundleId, quantity: 1 }))
      const figure = (text: string): number => cents(text.split('/')[index] as string)
      expect(pack(catalogue, addons, interval).combos).toMatchObject([
        {
          comboId: id,
          separateCents: figure(separate),
          togetherCents: figure(together),
          savingCents: figure(saving),
        },
      ])
    }
  })

  test('a combo is offered only where every member can be bought', () => {
    const ids = (tier: SoldTier): string[] => combosFor(catalogue, tier).map(({ combo }) => combo.id)
    expect(ids('developer')).toEqual(['compliance_suite'])
    expect(ids('pro')).toEqual(['analytics_suite', 'compliance_suite'])
    expect(ids('team')).toEqual(['analytics_suite', 'team_growth', 'compliance_suite'])
    expect(ids('enterprise')).toEqual([])
  })
})

describe('tiers', () => {
  const columns =
    'plugins pipelines apiCalls aiCalls storageGiB dashboards alertRules alertDestinations idpConfigs seats eventRetentionDays doraRetentionDays'.split(
      ' ',
    )
  test.each([
    ['developer', '25 5 25000 25 2 20 50 10 1 1 30 180'],
    ['pro', '50 10 500000 1000 25 200 500 50 5 3 30 180'],
    ['team', '100 200 2000000 5000 150 -1 -1 -1 5 10 30 180'],
    ['enterprise', '250 200 10000000 15000 500 -1 -1 -1 -1 25 30 180'],
  ] as const)('%s has the baselines of the table', (tier, row) => {
    row.split(' ').forEach((figure, index) => {
      const field = columns[index] as string
      const expected = field === 'storageGiB' ? Number(figure) * 1024 ** 3 : Number(figure)
      const key = field === 'storageGiB' ? 'storageBytes' : field
      expect([key, catalogue.tiers[tier].limits[key as 'plugins']]).toEqual([key, expected])
    })
  })

  test('unlimited is unlimited in all twelve fields', () => {
    expect(Object.keys(catalogue.tiers.unlimited.limits)).toHaveLength(12)
    expect(new Set(Object.values(catalogue.tiers.unlimited.limits))).toEqual(new Set([-1]))
  })

  // developer pro team enterprise; "yes", or anything else for not included.
  test.each([
    ['ai_generation', 'no yes yes yes'],
    ['bulk_operations', 'no yes yes yes'],
    ['audit_log', 'no no yes yes'],
    ['advanced_reporting', 'add-on add-on add-on yes'],
    ['team_usage_analytics', 'no add-on add-on yes'],
    ['custom_integrations', 'no no no yes'],
    ['priority_support', 'no yes yes yes'],
    ['sso', 'no no yes yes'],
    ['compliance_standard', 'add-on add-on add-on yes'],
    ['compliance_advanced', 'add-on add-on add-on yes'],
  ] as const)('%s is included as the table says: %s', (feature, row) => {
    row.split(' ').forEach((cell, index) => {
      const tier = all.split(' ')[index] as SoldTier
      expect([tier, catalogue.tiers[tier].features.includes(feature as Feature)]).toEqual([tier, cell === 'yes'])
      const sold = catalogue.bundles.some(
        (bundle) => bundle.features.includes(feature as Feature) && bundle.tiers.includes(tier),
      )
      if (cell === 'add-on') expect([feature, tier, sold]).toEqual([feature, tier, true])
    })
    expect(catalogue.tiers.unlimited.features).toContain(feature)
  })
})

describe('plan prices', () => {
  test.each([
    ['developer', 0, 0],
    ['pro', 49, 490],
    ['team', 149, 1490],
    ['enterprise', 599, 5990],
  ])('%s costs $%d a month and $%d a year', (id, monthly, annual) => {
    expect(findPlan(catalogue, id)?.prices).toEqual({ monthly: monthly * 100, annual: annual * 100 })
  })

  test('unlimited is never sold', () => {
    expect(findPlan(catalogue, 'unlimited')).toBeUndefined()
    expect(catalogue.plans).toHaveLength(4)
  })
})

describe('marketplace dimensions', () => {
  const listing = `seat_pack SeatPack 2500
pipeline_pack PipelinePack 1500
plugin_pack PluginPack 1500
api_pack ApiPack 2000
ai_pack AiPack 7500
storage_pack StoragePack 2500
retention_pack RetentionPack 1500
dora_history_pack DoraHistoryPack 3000
audit_log AuditLog 2000
sso Sso 4000
advanced_reporting AdvancedReporting 3000
team_usage_analytics TeamUsageAnalytics 3000
compliance_standard ComplianceStandard 2990
compliance_advanced ComplianceAdvanced 9990`
    .split('\n')
    .map((line) => line.split(' '))

  test.each(listing)('%s is listed as %s at %s cents', (bundleId, dimension, price) => {
    expect(listingDimension(bundleId as string)).toBe(dimension)
    const bundles = parseBundleDimensionMap('listing')
    const prices = parseDimensionPriceMap('listing')
    expect(bundles.ok && bundles.value.get(bundleId as string)).toBe(dimension)
    expect(prices.ok && prices.value.get(dimension as string)).toBe(Number(price))
  })

  test('not set, bundle ids are the dimensions and nothing has a price', () => {
    const bundles = parseBundleDimensionMap(undefined)
    const prices = parseDimensionPriceMap(undefined)
    expect(bundles.ok && [...bundles.value].every(([id, dimension]) => id === dimension)).toBe(true)
    expect(prices.ok && prices.value.size).toBe(0)
  })
})

describe('price map keys', () => {
  const ids = ['pro', 'team', 'enterprise', ...bundles.map(([id]) => id as string)]

  test('every plan that is sold and every bundle has a key of both intervals', () => {
    const map = Object.fromEntries(
      ids.flatMap((id) => ['monthly', 'annual'].map((interval) => [`${id}_${interval}`, `price_${id}_${interval}`])),
    )
    const parsed = parsePriceMap(JSON.stringify(map))
    expect(parsed.ok && parsed.value.byThing.size).toBe(34)
    expect(parsed.warnings).toEqual([])
  })

  test.each(['developer_monthly', 'unlimited_annual', 'pro', 'pro_weekly', '_monthly', 'seatpack_monthly'])(
    '%s is refused',
    (key) => {
      expect(parsePriceMap(JSON.stringify({ [key]: 'price_1' })).ok).toBe(false)
    },
  )
})

describe('refusals', () => {
  test.each([
    ['DISCOUNT_NOT_FOUND', [404]],
    ['DISCOUNT_CEILING_EXCEEDED', [400]],
    ['INVALID_SIGNATURE', [400, 403]],
    ['SELF_SERVICE_DISABLED', [403]],
    ['PAYMENT_METHOD_REQUIRED', [402]],
    ['ADDON_OVER_CAP', [409]],
    ['PLAN_OVER_CAP', [409]],
    ['DUPLICATE_ENTRY', [409]],
    ['CONFLICT', [409]],
    ['PROMOTION_INACTIVE', [409]],
    ['PROMOTION_NOT_ACTIVATABLE', [409]],
    ['PRICE_NOT_CONFIGURED', [400]],
    ['SIGNING_NOT_CONFIGURED', [501]],
    ['NOT_SUPPORTED', [501]],
    ['INSUFFICIENT_PERMISSIONS', [403]],
    ['VALIDATION_ERROR', [400]],
    ['MISSING_REQUIRED_FIELD', [400]],
    ['DISCOUNTS_UNSUPPORTED', [409]],
    ['DISCOUNT_NOT_FOR_ORG', [403]],
    ['DISCOUNT_INACTIVE', [409]],
    ['DISCOUNT_EXPIRED', [409]],
    ['SUBSCRIPTION_NOT_REDEEMABLE', [409]],
    ['DISCOUNT_TIER_MISMATCH', [400]],
    ['ALREADY_REDEEMED', [409]],
    ['RECURRING_ALREADY_PRESENT', [409]],
    ['DISCOUNT_ZERO_VALUE', [409]],
    ['DISCOUNT_EXHAUSTED', [409]],
    ['MANAGED_BY_MARKETPLACE', [409]],
    ['RATE_LIMIT_EXCEEDED', [429]],
    ['SERVICE_UNAVAILABLE', [503]],
    ['NOT_FOUND', [404]],
  ] as const)('%s answers %j', (code, statuses) => {
    expect(refusalCodes[code].statuses).toEqual(statuses)
  })

  test('there is no code beside these', () => {
    expect(Object.keys(refusalCodes)).toHaveLength(31)
  })
})
