/** Limits, entitlements, add-ons, combos, quote: examples first, then laws. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AddonContext,
  type AddonHolder,
  addonBreakdown,
  cents,
  changePlan,
  createCatalogue,
  creditBreakdown,
  defaultCatalogue,
  defaultDefinition,
  effectiveLimits,
  entitle,
  instant,
  isEntitled,
  limitFields,
  overages,
  pack,
  parseAddons,
  periodAt,
  periodKey,
  pruneForTier,
  quote,
  removeAddon,
  renderSteps,
  reportingRetention,
  setAddon,
  soldTiers,
  tiers,
  times,
} from '../src/index.js'
import { catalogueWith, NOW, ok, simpleBundle, simpleCombo } from './support/build.js'

const catalogue = defaultCatalogue()
const holding = (...pairs: (readonly [string, number])[]) =>
  pairs.map(([bundleId, quantity]) => ({ bundleId, quantity }))

const someAddons = fc.array(
  fc.record({
    bundleId: fc.constantFrom(...catalogue.bundles.map((bundle) => bundle.id), 'gone_pack'),
    quantity: fc.oneof(
      fc.integer({ min: 0, max: 9 }),
      fc.constantFrom(-3, 0.5, 2.9, Number.NaN, Number.POSITIVE_INFINITY),
    ),
  }),
  { maxLength: 8 },
)

describe('effective limits', () => {
  test('name every addend of a sum', () => {
    const { limits, steps } = effectiveLimits(catalogue, 'team', holding(['plugin_pack', 1], ['seat_pack', 2]))
    expect(limits).toMatchObject({ plugins: 200, seats: 20 })
    const text = renderSteps(steps)
    expect(text).toContain('plugins: 200 = 100 team + 1 × 100 plugin_pack')
    expect(text).toContain('seats: 20 = 10 team + 2 × 5 seat_pack')
  })

  test('unlimited absorbs every grant and never shrinks', () => {
    const { limits, steps } = effectiveLimits(catalogue, 'enterprise', holding(['sso', 1]))
    expect(limits.idpConfigs).toBe(-1)
    expect(renderSteps(steps)).toContain('idpConfigs: unlimited in tier enterprise; add-ons cannot change that')
  })

  test('quantities are truncated and summed before anything else; what is not above 0 drops out', () => {
    const { limits } = effectiveLimits(
      catalogue,
      'pro',
      holding(['plugin_pack', 1.9], ['plugin_pack', 1.9], ['plugin_pack', 0.9], ['plugin_pack', -5], ['no_pack', 3]),
    )
    expect(limits.plugins).toBe(50 + 2 * 100)
  })

  test('a bundle that does not stack counts once, one that does at most its maximum', () => {
    expect(effectiveLimits(catalogue, 'pro', holding(['sso', 4])).limits.idpConfigs).toBe(10)
    expect(effectiveLimits(catalogue, 'pro', holding(['retention_pack', 9])).limits.eventRetentionDays).toBe(
      30 + 7 * 90,
    )
  })

  test('a bundle without its requirement counts nothing, unless the tier has what the requirement unlocks', () => {
    const advanced = holding(['compliance_advanced', 1])
    expect(effectiveLimits(catalogue, 'pro', advanced).features).not.toContain('compliance_advanced')
    expect(effectiveLimits(catalogue, 'enterprise', advanced).addonFeatures).toEqual(['compliance_advanced'])
    const both = holding(['compliance_advanced', 1], ['compliance_standard', 1])
    expect(effectiveLimits(catalogue, 'pro', both).addonFeatures).toEqual([
      'compliance_standard',
      'compliance_advanced',
    ])
  })

  test('a held add-on counts on a tier that would not sell it', () => {
    expect(effectiveLimits(catalogue, 'developer', holding(['seat_pack', 1])).limits.seats).toBe(6)
  })

  test('features come in canonical order, tier and add-ons together', () => {
    const { features } = effectiveLimits(catalogue, 'pro', holding(['team_usage_analytics', 1], ['audit_log', 1]))
    expect(features).toEqual([
      'priority_support',
      'ai_generation',
      'bulk_operations',
      'audit_log',
      'team_usage_analytics',
    ])
  })

  test('a limit is capped at 2^53 − 1, exactly', () => {
    const huge = catalogueWith({
      bundles: [simpleBundle('huge', 1, { grants: { plugins: Number.MAX_SAFE_INTEGER - 60 } })],
    })
    expect(effectiveLimits(huge, 'pro', holding(['huge', 1])).limits.plugins).toBe(Number.MAX_SAFE_INTEGER - 10)
    expect(effectiveLimits(huge, 'pro', holding(['huge', 2])).limits.plugins).toBe(Number.MAX_SAFE_INTEGER)
  })

  test('no add-on lowers a limit, order does not matter, and every step adds up', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tiers), someAddons, (tier, addons) => {
        const result = effectiveLimits(catalogue, tier, addons)
        const base = catalogue.tiers[tier].limits
        for (const field of limitFields) {
          if (base[field] === -1) expect(result.limits[field]).toBe(-1)
          else expect(result.limits[field]).toBeGreaterThanOrEqual(base[field])
        }
        expect(effectiveLimits(catalogue, tier, [...addons].reverse()).limits).toEqual(result.limits)
        for (const step of result.steps) {
          if (step.kind !== 'limit' || step.base === -1) continue
          const sum = step.addends.reduce((total, { quantity, amount }) => total + quantity * amount, step.base)
          expect([step.field, step.total]).toEqual([step.field, sum])
        }
      }),
    )
  })
})

describe('entitlements', () => {
  const subscription = { planId: 'team', status: 'active', addons: [], graceEndsAt: null } as const
  const input = { subscription, now: NOW, billingEnabled: true, isSystemOrg: false }

  test.each([
    [{ ...input, billingEnabled: false }, 'unlimited', 'billing_disabled'],
    [{ ...input, isSystemOrg: true }, 'unlimited', 'system_org'],
    [{ ...input, subscription: null }, 'developer', 'no_subscription'],
    [{ ...input, subscription: { ...subscription, status: 'canceled' as const } }, 'developer', 'not_entitled'],
    [{ ...input, subscription: { ...subscription, status: 'incomplete' as const } }, 'developer', 'not_entitled'],
    [input, 'team', 'subscription'],
  ])('case %#: tier %s because %s', (each, tier, reason) => {
    expect(entitle(catalogue, each)).toMatchObject({ tier, reason })
  })

  test('past due entitles until the grace period ends, not at its end', () => {
    const state = { status: 'past_due', graceEndsAt: NOW } as const
    expect(isEntitled(state, instant('2026-03-15T11:59:59.999Z'))).toBe(true)
    expect(isEntitled(state, NOW)).toBe(false)
  })

  test('an account that is not entitled loses its add-ons with its tier', () => {
    const lost = { ...subscription, status: 'canceled' as const, addons: holding(['plugin_pack', 3]) }
    expect(entitle(catalogue, { ...input, subscription: lost }).limits.plugins).toBe(25)
  })

  test('retention sent to reporting is clamped to 730 days, unlimited stays', () => {
    const { limits } = effectiveLimits(catalogue, 'pro', holding(['retention_pack', 7], ['dora_history_pack', 1]))
    expect(reportingRetention({ ...limits, eventRetentionDays: 900 })).toEqual({
      eventRetentionDays: 730,
      doraRetentionDays: 545,
    })
    expect(reportingRetention(catalogue.tiers.unlimited.limits).eventRetentionDays).toBe(-1)
  })

  test('compliance sets: standard alone, both, and advanced alone is none', () => {
    const sets = (...ids: string[]) =>
      entitle(catalogue, {
        ...input,
        subscription: { ...subscription, addons: ids.map((bundleId) => ({ bundleId, quantity: 1 })) },
      }).complianceSets
    expect(sets('compliance_standard')).toEqual(['standard'])
    expect(sets('compliance_standard', 'compliance_advanced')).toEqual(['standard', 'advanced'])
    expect(sets('compliance_advanced')).toEqual([])
  })

  test('the over-cap gate looks at seats, plugins and pipelines; unlimited is never over', () => {
    const { limits } = effectiveLimits(catalogue, 'developer', [])
    expect(overages(limits, { seats: 1, plugins: 26, pipelines: 5 })).toEqual([
      { quotaType: 'plugins', currentUsage: 26, targetCap: 25, overage: 1 },
    ])
    expect(overages(catalogue.tiers.unlimited.limits, { seats: 9e9, plugins: 9e9, pipelines: 9e9 })).toEqual([])
  })
})

describe('combos', () => {
  test('a member is never discounted twice: the larger saving wins and the line says why', () => {
    const packing = pack(
      catalogue,
      holding(['advanced_reporting', 1], ['team_usage_analytics', 1], ['seat_pack', 3]),
      'monthly',
    )
    expect(packing.combos.map((combo) => combo.comboId)).toEqual(['analytics_suite'])
    expect(renderSteps(packing.steps)).toContain(
      'combo team_growth: shares a member with analytics_suite; $16.50 at most with it, $18.00 chosen',
    )
  })

  test('extra units add nothing: the saving is flat', () => {
    expect(pack(catalogue, holding(['seat_pack', 9], ['team_usage_analytics', 1]), 'annual').savingCents).toBe(16_500)
  })

  test('two small combos beat one large combo that overlaps both', () => {
    const bundles = ['a', 'b', 'c', 'd'].map((id) => simpleBundle(id, 1_000))
    const combos = [
      simpleCombo('big', ['b', 'c'], 1_000),
      simpleCombo('left', ['a', 'b'], 1_400),
      simpleCombo('right', ['c', 'd'], 1_400),
    ]
    const packing = pack(catalogueWith({ bundles, combos }), holding(['a', 1], ['b', 1], ['c', 1], ['d', 1]), 'monthly')
    expect(packing.combos.map((combo) => combo.comboId)).toEqual(['left', 'right'])
    expect(packing.savingCents).toBe(1_200)
  })

  test('a tie goes to the smallest list of sorted ids, whatever the sort order', () => {
    const bundles = ['a', 'b', 'c'].map((id) => simpleBundle(id, 1_000))
    const combos = [
      simpleCombo('m_second', ['b', 'c'], 1_500, { sortOrder: 0 }),
      simpleCombo('k_first', ['a', 'b'], 1_500, { sortOrder: 9 }),
    ]
    const packing = pack(catalogueWith({ bundles, combos }), holding(['a', 1], ['b', 1], ['c', 1]), 'monthly')
    expect(packing.combos.map((combo) => combo.comboId)).toEqual(['k_first'])
    expect(renderSteps(packing.steps)).toContain('a tie, the smaller ids win')
  })

  test('minimum quantities are part of the price and of the condition', () => {
    const bundles = [simpleBundle('seat', 1_000), simpleBundle('other', 500)]
    const combos = [
      simpleCombo('pair', ['seat', 'other'], 2_000, {
        members: [
          { bundleId: 'seat', minQuantity: 3 },
          { bundleId: 'other', minQuantity: 1 },
        ],
      }),
    ]
    const own = catalogueWith({ bundles, combos })
    expect(pack(own, holding(['seat', 2], ['other', 1]), 'monthly').combos).toEqual([])
    expect(pack(own, holding(['seat', 2], ['seat', 1], ['other', 1]), 'monthly').savingCents).toBe(1_500)
  })

  test('a combo with an inactive member or without a saving does not apply', () => {
    const bundles = [simpleBundle('a', 1_000), simpleBundle('b', 1_000), simpleBundle('c', 1_000, { isActive: false })]
    const combos = [simpleCombo('dead', ['a', 'c'], 1), simpleCombo('dear', ['a', 'b'], 2_500)]
    const own = catalogueWith({ bundles, combos })
    expect(pack(own, holding(['a', 1], ['b', 1], ['c', 1]), 'monthly').combos).toEqual([])
  })

  test('what the tier includes satisfies no combo', () => {
    expect(quote(catalogue, { planId: 'enterprise', interval: 'monthly', addons: [] }).packing.combos).toEqual([])
  })
})

describe('quote', () => {
  const addons = holding(['advanced_reporting', 1], ['team_usage_analytics', 1], ['plugin_pack', 2])

  test('without a balance the combos are negative lines', () => {
    const result = quote(catalogue, { planId: 'team', interval: 'monthly', addons })
    expect(result.lines.at(-1)).toMatchObject({ kind: 'combo', label: 'Analytics suite combo', cents: -1_800 })
    expect(result).toMatchObject({ subtotalCents: 22_100, creditUsedCents: 0, totalCents: 22_100 })
    expect(addonBreakdown(result)).toMatchObject({ interval: 'monthly', totalCents: 22_100 })
  })

  test('with a balance the combos are part of it: nothing is taken off twice', () => {
    const both = holding(['compliance_standard', 1], ['compliance_advanced', 1])
    const priced = { planId: 'pro', interval: 'monthly', addons: both } as const
    expect(quote(catalogue, { ...priced, creditBalanceCents: cents(3_894) }).totalCents).toBe(13_986)
    expect(quote(catalogue, priced).totalCents).toBe(13_986)
  })

  test('lines sum to the total, credit pays at most the price', () => {
    const result = quote(catalogue, { planId: 'team', interval: 'monthly', addons, creditBalanceCents: cents(100_000) })
    expect(result.lines.map((line) => [line.label, line.quantity, line.cents])).toEqual([
      ['Team plan', 1, 14_900],
      ['Plugin pack', 2, 3_000],
      ['Advanced reporting', 1, 3_000],
      ['Team usage analytics', 1, 3_000],
      ['Credit', 1, -23_900],
    ])
    expect(result).toMatchObject({ subtotalCents: 23_900, totalCents: 0, creditRemainingCents: 76_100 })
    expect(creditBreakdown(result)).toMatchObject({ totalCents: 0, creditRemainingCents: 76_100 })
  })

  test('never negative and always the sum of its lines', () => {
    fc.assert(
      fc.property(fc.constantFrom(...soldTiers), someAddons, fc.nat(200_000), (planId, addons, balance) => {
        const result = quote(catalogue, { planId, interval: 'monthly', addons, creditBalanceCents: cents(balance) })
        expect(result.totalCents).toBeGreaterThanOrEqual(0)
        expect(result.lines.reduce((total, line) => total + line.cents, 0)).toBe(result.totalCents)
        expect(result.creditUsedCents + result.creditRemainingCents).toBe(balance)
      }),
    )
  })
})

describe('values that no type vouched for', () => {
  const refusal = (field: string) => expect.objectContaining({ refusal: expect.objectContaining({ field }) })
  const monthly = { planId: 'team', interval: 'monthly', addons: [] } as const

  test.each(['gold', '__proto__', 'constructor', undefined])('tier and plan %j are refused by name', (id) => {
    expect(() => effectiveLimits(catalogue, id as 'team', [])).toThrow(refusal('tier'))
    expect(() => quote(catalogue, { ...monthly, planId: id as 'team' })).toThrow(refusal('planId'))
  })

  test('an unknown interval never passes for a month', () => {
    const weekly = 'weekly' as 'monthly'
    expect(() => quote(catalogue, { ...monthly, interval: weekly })).toThrow(refusal('interval'))
    expect(() => pack(catalogue, [], weekly)).toThrow(refusal('interval'))
    expect(() => periodKey(NOW, weekly)).toThrow(refusal('interval'))
    expect(() => periodAt(NOW, weekly, 1)).toThrow(refusal('interval'))
  })

  test.each([-5, 0.5, Number.NaN])('a credit balance of %d changes no price', (balance) => {
    const creditBalanceCents = balance as ReturnType<typeof cents>
    expect(() => quote(catalogue, { ...monthly, creditBalanceCents })).toThrow(refusal('creditBalanceCents'))
  })

  test.each([1.5, -1, Number.NaN, 2 ** 53])('an amount is not multiplied by %d', (quantity) => {
    expect(() => times(cents(100), quantity)).toThrow(refusal('quantity'))
  })
})

describe('add-on gates', () => {
  const holder: AddonHolder = { planId: 'team', interval: 'monthly', addons: [] }
  const context: AddonContext = {
    bundlesEnabled: true,
    selfService: true,
    subscription: holder,
    paymentMethod: 'present',
    usage: { seats: 0, plugins: 0, pipelines: 0 },
  }
  const open = { bundleId: 'plugin_pack', quantity: 1 }

  // Each row breaks its own gate and every later one: the answer shows the order.
  test.each([
    [{ ...context, bundlesEnabled: false, selfService: false, subscription: null }, {}, 'NOT_FOUND'],
    [{ ...context, selfService: false, subscription: null }, {}, 'SELF_SERVICE_DISABLED'],
    [{ ...context, subscription: null }, {}, 'MISSING_REQUIRED_FIELD'],
    [{ ...context, subscription: null }, { bundleId: 'nope', quantity: -1 }, 'VALIDATION_ERROR'],
    [{ ...context, subscription: null }, { bundleId: 'nope' }, 'NOT_FOUND'],
    [{ ...context, paymentMethod: 'absent' as const }, { bundleId: 'nope' }, 'VALIDATION_ERROR'],
    [{ ...context, paymentMethod: 'absent' as const }, { bundleId: 'audit_log' }, 'VALIDATION_ERROR'],
    [{ ...context, paymentMethod: 'absent' as const }, { bundleId: 'retention_pack', quantity: 8 }, 'VALIDATION_ERROR'],
    [{ ...context, paymentMethod: 'absent' as const }, { bundleId: 'compliance_advanced' }, 'VALIDATION_ERROR'],
    [{ ...context, paymentMethod: 'absent' as const }, open, 'PAYMENT_METHOD_REQUIRED'],
  ])('gate %#: %o with %o answers %s', (each, body, code) => {
    expect(setAddon(catalogue, each, body, 'commit')).toMatchObject({ ok: false, refusal: { code } })
  })

  test.each([
    [{ bundleId: 'plugin_pack', quantity: 1.5 }, 'quantity'],
    [{ bundleId: 'plugin_pack', quantity: -1 }, 'quantity'],
    [{ bundleId: 'plugin_pack', quantity: 2 ** 53 }, 'quantity'],
    [{ bundleId: 'plugin_pack', quantity: 1_001 }, 'quantity'],
    [{ bundleId: 'plugin_pack', quantity: '2' }, 'quantity'],
    [{ bundleId: 7 }, 'bundleId'],
    [{ bundleId: 'plugins_pack' }, 'bundleId'],
    [{ bundleId: '__proto__' }, 'bundleId'],
  ])('%j is refused and %s is named', (body, field) => {
    expect(setAddon(catalogue, context, body, 'preview')).toMatchObject({
      ok: false,
      refusal: { code: 'VALIDATION_ERROR', field },
    })
  })

  test('the quantity is absolute; left out or 0 it is one on commit, and 0 removes in a preview', () => {
    const held = { ...context, subscription: { ...holder, addons: holding(['plugin_pack', 3]) } }
    const set = (quantity: number | undefined, mode: 'preview' | 'commit') =>
      ok(setAddon(catalogue, held, { bundleId: 'plugin_pack', ...(quantity === undefined ? {} : { quantity }) }, mode))
        .addons
    expect(set(2, 'commit')).toEqual(holding(['plugin_pack', 2]))
    expect(set(undefined, 'commit')).toEqual(holding(['plugin_pack', 1]))
    expect(set(0, 'commit')).toEqual(holding(['plugin_pack', 1]))
    expect(set(0, 'preview')).toEqual([])
  })

  test('a bundle that does not stack is always one', () => {
    const change = ok(setAddon(catalogue, context, { bundleId: 'advanced_reporting', quantity: 5 }, 'commit'))
    expect(change.addons).toEqual(holding(['advanced_reporting', 1]))
  })

  test('removing a requirement removes what needs it, and says so', () => {
    const held = holding(['compliance_advanced', 1], ['compliance_standard', 1])
    const change = ok(
      removeAddon(catalogue, { ...context, subscription: { ...holder, addons: held } }, 'compliance_standard'),
    )
    expect(change.addons).toEqual([])
    expect(change.cascaded).toEqual([{ bundleId: 'compliance_advanced', cascadedFrom: 'compliance_standard' }])
    expect(change.lostCombos).toEqual([{ comboId: 'compliance_suite', name: 'Compliance suite', creditCents: 3_894 }])
  })

  test('adding can lose a combo when a better packing appears', () => {
    const held = holding(['seat_pack', 1], ['team_usage_analytics', 1])
    const change = ok(
      setAddon(
        catalogue,
        { ...context, subscription: { ...holder, addons: held } },
        { bundleId: 'advanced_reporting' },
        'preview',
      ),
    )
    expect(change.lostCombos.map((combo) => combo.comboId)).toEqual(['team_growth'])
    expect(change.gainedCombos.map((combo) => combo.comboId)).toEqual(['analytics_suite'])
    expect(change.quote.totalCents).toBe(14_900 + 2_500 + 3_000 + 3_000 - 1_800)
  })

  test('going over a cap is refused on commit and reported by a preview', () => {
    const held = {
      ...context,
      subscription: { ...holder, addons: holding(['seat_pack', 2]) },
      usage: { seats: 16, plugins: 0, pipelines: 0 },
    }
    const overage = { quotaType: 'seats', currentUsage: 16, targetCap: 15, overage: 1 }
    expect(setAddon(catalogue, held, { bundleId: 'seat_pack', quantity: 1 }, 'commit')).toMatchObject({
      refusal: { code: 'ADDON_OVER_CAP', details: { overages: [overage] } },
    })
    expect(ok(setAddon(catalogue, held, { bundleId: 'seat_pack', quantity: 1 }, 'preview')).overages).toEqual([overage])
  })

  test('an account over its caps may buy its way out', () => {
    const over = { ...context, usage: { seats: 40, plugins: 0, pipelines: 0 } }
    expect(setAddon(catalogue, over, { bundleId: 'seat_pack', quantity: 1 }, 'commit').ok).toBe(true)
  })

  test('unknown usage stops a reduction and not a purchase', () => {
    const blind = { ...context, usage: null, subscription: { ...holder, addons: holding(['seat_pack', 2]) } }
    expect(removeAddon(catalogue, blind, 'seat_pack')).toMatchObject({ refusal: { code: 'SERVICE_UNAVAILABLE' } })
    expect(setAddon(catalogue, blind, { bundleId: 'seat_pack', quantity: 3 }, 'commit').ok).toBe(true)
  })

  test('removing what is not held is not found', () => {
    expect(removeAddon(catalogue, context, 'sso')).toMatchObject({ refusal: { code: 'NOT_FOUND', status: 404 } })
  })

  test('a preview tells that a payment method is missing instead of refusing', () => {
    const change = ok(setAddon(catalogue, { ...context, paymentMethod: 'absent' }, open, 'preview'))
    expect(change.needsPaymentMethod).toBe(true)
  })

  test('a grandfathered add-on may shrink, never grow', () => {
    const held = { ...context, subscription: { ...holder, planId: 'pro' as const, addons: holding(['seat_pack', 2]) } }
    expect(setAddon(catalogue, held, { bundleId: 'seat_pack', quantity: 1 }, 'commit').ok).toBe(true)
    expect(setAddon(catalogue, held, { bundleId: 'seat_pack', quantity: 3 }, 'commit').ok).toBe(false)
  })
})

describe('plan changes', () => {
  test('what the new tier includes goes; sso survives because it also grants providers', () => {
    const { kept, pruned } = pruneForTier(catalogue, 'pro', 'team', holding(['audit_log', 1], ['sso', 1]))
    expect(kept).toEqual(holding(['sso', 1]))
    expect(pruned).toEqual([{ bundleId: 'audit_log', pruneReason: 'tier_included' }])
  })

  test('a downgrade drops what the lower tier does not sell', () => {
    const { pruned } = pruneForTier(catalogue, 'team', 'developer', holding(['seat_pack', 2], ['plugin_pack', 1]))
    expect(pruned).toEqual([{ bundleId: 'seat_pack', pruneReason: 'tier_ineligible' }])
  })

  test('an upgrade keeps what the higher tier does not sell', () => {
    expect(pruneForTier(catalogue, 'pro', 'enterprise', holding(['sso', 1])).kept).toEqual(holding(['sso', 1]))
  })

  test('what required a pruned add-on goes with it', () => {
    const bundles = [
      simpleBundle('base', 1, { tiers: ['team'] }),
      simpleBundle('top', 1, { requires: ['mid'] }),
      simpleBundle('mid', 1, { requires: ['base'] }),
    ]
    const own = catalogueWith({ bundles })
    const { kept, pruned } = pruneForTier(own, 'team', 'pro', holding(['base', 1], ['mid', 1], ['top', 1]))
    expect(kept).toEqual([])
    expect(pruned.map(({ bundleId, pruneReason }) => `${bundleId} ${pruneReason}`)).toEqual([
      'base tier_ineligible',
      'mid requires_missing',
      'top requires_missing',
    ])
  })

  test('usage above the new caps refuses with every overage named', () => {
    const holder: AddonHolder = { planId: 'team', interval: 'monthly', addons: [] }
    expect(
      changePlan(catalogue, holder, { planId: 'developer' }, { seats: 2, plugins: 25, pipelines: 6 }),
    ).toMatchObject({
      refusal: { code: 'PLAN_OVER_CAP', details: { overages: [{ quotaType: 'seats' }, { quotaType: 'pipelines' }] } },
    })
  })

  test.each([
    [{ planId: 'unlimited' }, 'planId'],
    [{ planId: 'gold' }, 'planId'],
    [{ interval: 'weekly' }, 'interval'],
    [{}, 'planId'],
  ])('%j is refused and %s is named', (body, field) => {
    const holder: AddonHolder = { planId: 'team', interval: 'monthly', addons: [] }
    expect(changePlan(catalogue, holder, body, null)).toMatchObject({ ok: false, refusal: { field } })
  })
})

describe('untrusted add-on lists', () => {
  test.each([
    ['not a list', {}, 'addons'],
    ['no bundle', [{ quantity: 1 }], 'addons[0].bundleId'],
    ['unknown', [{ bundleId: 'plugin_pak', quantity: 1 }], 'addons[0].bundleId'],
    ['fraction', [{ bundleId: 'plugin_pack', quantity: 1.5 }], 'addons[0].quantity'],
    ['negative', [{ bundleId: 'plugin_pack', quantity: -1 }], 'addons[0].quantity'],
    ['too many', [{ bundleId: 'retention_pack', quantity: 8 }], 'addons[0].quantity'],
    [
      'twice',
      [
        { bundleId: 'sso', quantity: 1 },
        { bundleId: 'sso', quantity: 1 },
      ],
      'addons[1].bundleId',
    ],
  ])('%s is refused and the field named', (_name, value, field) => {
    expect(parseAddons(catalogue, value)).toMatchObject({ ok: false, refusal: { code: 'VALIDATION_ERROR', field } })
  })

  test('a misspelt bundle is answered with the one that was meant', () => {
    expect(parseAddons(catalogue, [{ bundleId: 'plugin_pak', quantity: 1 }])).toMatchObject({
      refusal: { message: expect.stringContaining('did you mean plugin_pack') },
    })
  })
})

describe('catalogue checks', () => {
  const issues = (parts: Parameters<typeof catalogueWith>[0]): string[] => {
    const result = createCatalogue({ ...defaultDefinition, combos: [], ...parts })
    if (result.ok) return []
    const listed = result.refusal.details as { issues: { field: string }[] }
    return listed.issues.map((issue) => issue.field)
  }
  const pair = [simpleBundle('a', 1), simpleBundle('b', 1)]

  test.each([
    ['unknown requirement', { bundles: [simpleBundle('a', 1, { requires: ['z'] })] }, 'bundles.a.requires'],
    ['own requirement', { bundles: [simpleBundle('a', 1, { requires: ['a'] })] }, 'bundles.a.requires'],
    [
      'cycle',
      { bundles: [simpleBundle('a', 1, { requires: ['b'] }), simpleBundle('b', 1, { requires: ['a'] })] },
      'bundles.b.requires',
    ],
    ['two of one id', { bundles: [simpleBundle('a', 1), simpleBundle('a', 1)] }, 'bundles.a'],
    ['no tier', { bundles: [simpleBundle('a', 1, { tiers: [] })] }, 'bundles.a.tiers'],
    ['negative grant', { bundles: [simpleBundle('a', 1, { grants: { plugins: -1 } })] }, 'bundles.a.grants.plugins'],
    ['one member', { bundles: pair, combos: [simpleCombo('c', ['a'], 1)] }, 'combos.c.members'],
    [
      'more than can be held',
      {
        bundles: [simpleBundle('a', 1, { max: 2 }), simpleBundle('b', 1)],
        combos: [
          simpleCombo('c', [], 1, {
            members: [
              { bundleId: 'a', minQuantity: 3 },
              { bundleId: 'b', minQuantity: 1 },
            ],
          }),
        ],
      },
      'combos.c.members.a',
    ],
    [
      'a 25th active combo',
      { bundles: pair, combos: Array.from({ length: 25 }, (_, index) => simpleCombo(`c${index}`, ['a', 'b'], 1)) },
      'combos',
    ],
    ['prices that overflow', { bundles: [simpleBundle('a', 1e12, { max: 1_000_000 })] }, 'bundles'],
  ])('%s is refused at %s', (_name, parts, field) => {
    expect(issues(parts)).toContain(field)
  })

  test('24 active combos are accepted', () => {
    const combos = Array.from({ length: 24 }, (_, index) => simpleCombo(`c${index}`, ['a', 'b'], 1))
    expect(issues({ bundles: pair, combos })).toEqual([])
  })
})
