import { describe, expect, test } from 'vitest'
import { provePromotions } from '../proof/promotions.js'
import {
  apply,
  cents,
  checkActivation,
  checkManualGrant,
  clawbackCandidates,
  defaultCatalogue,
  findRow,
  grant,
  grantPromotion,
  instant,
  isBackfillEligible,
  ledgerRows,
  matchingPromotions,
  matchPromotion,
  type Promotion,
  type PromotionGrantCommand,
  percent,
  planPeriodRoll,
  projectPromotion,
  promotionValue,
  qualifyReferral,
  type RollInput,
  recordReferral,
  releaseGrant,
  renderSteps,
  reserveGrant,
  spendOf,
  standingRule,
} from '../src/index.js'
import { account, discount, emptyLedger, NOW, ok, perform, promotion } from './support/build.js'

const before = instant('2026-03-15T11:59:59.999Z')
const after = instant('2026-03-15T12:00:00.001Z')

const command = (more: Partial<PromotionGrantCommand> = {}): PromotionGrantCommand => ({
  rowId: 'cr_1',
  promotion,
  account,
  cause: 'subscription_created',
  creditSupported: true,
  now: NOW,
  ...more,
})

describe('matching', () => {
  const withConditions = (conditions: Promotion['trigger']['conditions']): Promotion => ({
    ...promotion,
    trigger: { type: 'subscription_created', ...(conditions ? { conditions } : {}) },
  })

  test.each([
    ['both ends of the window are inside', { ...promotion, startsAt: NOW, endsAt: NOW }, true],
    ['not before the start', { ...promotion, startsAt: after }, false],
    ['not after the end', { ...promotion, endsAt: before }, false],
    ['not when revoked', { ...promotion, isActive: false }, false],
    ['an empty list restricts nothing', withConditions({ tiers: [], intervals: [] }), true],
    ['the tier is listed', withConditions({ tiers: ['team'] }), false],
    ['the interval is listed', withConditions({ intervals: ['annual'] }), false],
    ['a first subscription', withConditions({ firstSubscriptionOnly: true }), true],
    ['another trigger', { ...promotion, trigger: { type: 'plan_change' as const } }, false],
  ])('%s', (_name, each, matches) => {
    expect(matchPromotion(each, 'subscription_created', account, NOW).matches).toBe(matches)
  })

  test('a returning account is not a first subscription; one that is not entitled matches nothing', () => {
    const first = withConditions({ firstSubscriptionOnly: true })
    expect(matchPromotion(first, 'subscription_created', { ...account, isFirstSubscription: false }, NOW).matches).toBe(
      false,
    )
    expect(matchPromotion(promotion, 'subscription_created', { ...account, isEntitled: false }, NOW).matches).toBe(
      false,
    )
  })

  test('all that match are granted, oldest first, then by id', () => {
    const list = [
      { ...promotion, id: 'b' },
      { ...promotion, id: 'a' },
      { ...promotion, id: 'c', createdAt: instant('2025-01-01T00:00:00.000Z') },
    ]
    expect(matchingPromotions(list, 'subscription_created', account, NOW).map((each) => each.id)).toEqual([
      'c',
      'a',
      'b',
    ])
  })
})

describe('granting', () => {
  test('reserves and writes one row; the second time it is already granted and costs nothing', () => {
    const ledger = emptyLedger()
    const first = grantPromotion(ledger, command())
    expect(first).toMatchObject({
      granted: true,
      cents: 1_000,
      reason: 'granted',
      promotion: { spentCents: 1_000, grantsCount: 1 },
    })
    expect(apply(ledger, first.outcome as never).ok).toBe(true)
    expect(grantPromotion(ledger, command({ promotion: first.promotion }))).toMatchObject({
      granted: false,
      reason: 'already_granted',
      promotion: { spentCents: 1_000, grantsCount: 1 },
      outcome: null,
    })
  })

  test.each([
    ['unrealizable', command({ creditSupported: false })],
    [
      'zero',
      command({
        promotion: { ...promotion, unit: 'percent', value: percent(10) },
        account: { ...account, planPriceCents: cents(0) },
      }),
    ],
    ['budget_exhausted', command({ promotion: { ...promotion, budgetCents: cents(999) } })],
    ['budget_exhausted', command({ promotion: { ...promotion, maxGrants: 1, grantsCount: 1 } })],
    ['ineligible', command({ cause: 'plan_change' })],
    ['ineligible', command({ promotion: { ...promotion, kind: 'recurring' }, period: '2026-03' })],
    ['ineligible', command({ cause: 'manual', promotion: { ...promotion, endsAt: before } })],
  ] as const)('answers %s and reserves nothing', (reason, each) => {
    const result = grantPromotion(emptyLedger(), each)
    expect(result).toMatchObject({ granted: false, reason, outcome: null })
    expect(result.promotion).toEqual(each.promotion)
  })

  test('a budget is used to its last cent and no further; there is no partial grant', () => {
    expect(reserveGrant({ ...promotion, spentCents: cents(9_000) }, cents(1_000))?.spentCents).toBe(10_000)
    expect(reserveGrant({ ...promotion, spentCents: cents(9_001) }, cents(1_000))).toBeNull()
  })

  test('the cap of one account cuts after rounding', () => {
    const capped = { ...promotion, unit: 'percent', value: percent(33), perOrgCapCents: cents(1_616) } as const
    expect(promotionValue(capped, cents(4_900)).cents).toBe(1_616)
    expect(promotionValue({ ...capped, perOrgCapCents: cents(1_617) }, cents(4_900)).cents).toBe(1_617)
  })

  test('an operator grants by hand whatever the trigger and conditions say', () => {
    const other = { ...promotion, trigger: { type: 'plan_change', conditions: { tiers: ['team'] } } } as const
    expect(grantPromotion(emptyLedger(), command({ cause: 'manual', promotion: other })).reason).toBe('granted')
    expect(checkManualGrant({ ...promotion, isActive: false }, NOW)).toMatchObject({
      refusal: { code: 'PROMOTION_INACTIVE' },
    })
  })

  test('a recurring promotion by hand goes on only where it was given', () => {
    const byHand: Promotion = { ...promotion, kind: 'recurring', trigger: { type: 'manual' } }
    const ledger = emptyLedger()
    expect(grantPromotion(ledger, command({ promotion: byHand, cause: 'roll', period: '2026-03' })).reason).toBe(
      'ineligible',
    )
    const given = grantPromotion(ledger, command({ promotion: byHand, cause: 'manual', period: '2026-03' }))
    apply(ledger, given.outcome as never)
    const next = { ...byHand, spentCents: given.promotion.spentCents }
    expect(
      grantPromotion(ledger, command({ promotion: next, cause: 'roll', period: '2026-04', rowId: 'cr_2' })).reason,
    ).toBe('granted')
  })

  test('budgets hold over many accounts in random order', () => {
    expect(provePromotions(60, 5)).toBeGreaterThan(300)
  })
})

describe('clawback window', () => {
  test('takes promotion grants from exactly the window’s edge, of this subscription, not pulled before', () => {
    const ledger = emptyLedger()
    const give = (key: string, at: string, sourceId = 'promo:p') =>
      perform(
        ledger,
        grant(ledger, {
          id: key,
          orgId: 'org_a',
          subscriptionId: 'sub_1',
          sourceId,
          cents: cents(5),
          dedupeKey: key,
          at: instant(at),
        }),
      )
    give('edge', '2026-03-08T12:00:00.000Z')
    give('older', '2026-03-08T11:59:59.999Z')
    give('discount', '2026-03-14T00:00:00.000Z', 'disc_1')
    give('young', '2026-03-14T00:00:00.000Z')
    const found = (): string[] => clawbackCandidates(ledgerRows(ledger), 'sub_1', NOW).map((row) => row.dedupeKey)
    expect(found()).toEqual(['edge', 'young'])
    expect(clawbackCandidates(ledgerRows(ledger), 'sub_2', NOW)).toEqual([])
  })

  test('only a whole recovery frees a grant; cents are freed as recovered', () => {
    const spent = { ...promotion, spentCents: cents(3_000), grantsCount: 3 }
    expect(releaseGrant(spent, cents(400), false)).toMatchObject({ spentCents: 2_600, grantsCount: 3 })
    expect(releaseGrant(spent, cents(1_000), true)).toMatchObject({ spentCents: 2_000, grantsCount: 2 })
  })

  test('spend is the ledger’s, and drift shows a counter that says too much', () => {
    const ledger = emptyLedger()
    const given = grantPromotion(ledger, command())
    apply(ledger, given.outcome as never)
    expect(spendOf({ ...given.promotion, spentCents: cents(1_500) }, ledgerRows(ledger))).toEqual({
      budgetCents: 10_000,
      committedCents: 1_000,
      committedGrants: 1,
      cachedSpentCents: 1_500,
      cachedGrantsCount: 1,
      remainingBudgetCents: 9_000,
      driftCents: 500,
    })
  })
})

describe('activation and backfill', () => {
  test.each([
    [{ ...promotion, isActive: false }, 'PROMOTION_INACTIVE'],
    [{ ...promotion, trigger: { type: 'referral' as const } }, 'PROMOTION_NOT_ACTIVATABLE'],
    [{ ...promotion, kind: 'recurring' as const }, 'PROMOTION_NOT_ACTIVATABLE'],
    [{ ...promotion, endsAt: before }, 'PROMOTION_NOT_ACTIVATABLE'],
  ])('case %# cannot be activated: %s', (each, code) => {
    expect(checkActivation(each, NOW)).toMatchObject({ ok: false, refusal: { code, status: 409 } })
  })

  test('without activation only accounts whose subscription began in the window are eligible', () => {
    const windowed = { ...promotion, startsAt: before }
    const old = { ...account, subscriptionStartedAt: instant('2025-01-01T00:00:00.000Z') }
    expect(isBackfillEligible(windowed, account, NOW)).toBe(true)
    expect(isBackfillEligible(windowed, old, NOW)).toBe(false)
    expect(isBackfillEligible({ ...windowed, activatedAt: NOW }, old, NOW)).toBe(true)
  })

  test.each(['manual', 'referral', 'plan_change'] as const)(
    'the backfill hands no %s campaign to everybody',
    (type) => {
      expect(isBackfillEligible({ ...promotion, trigger: { type } }, account, NOW)).toBe(false)
    },
  )

  test('a projection sums what each eligible account would get', () => {
    const accounts = [account, { ...account, isEntitled: false }, { ...account, tier: 'team' as const }]
    expect(projectPromotion(promotion, accounts, cents(9_000))).toEqual({
      eligibleOrgs: 2,
      projectedCents: 2_000,
      remainingBudgetCents: 9_000,
    })
  })
})

describe('period rolls', () => {
  const catalogue = defaultCatalogue()
  const start = instant('2026-03-01T00:00:00.000Z')
  const recurring: Promotion = { ...promotion, id: 'monthly', kind: 'recurring', unit: 'dollar', value: cents(300) }
  const input: RollInput = {
    subscription: {
      planId: 'team',
      interval: 'monthly',
      addons: [
        { bundleId: 'advanced_reporting', quantity: 1 },
        { bundleId: 'team_usage_analytics', quantity: 1 },
      ],
      recurringDiscount: standingRule({ ...discount, kind: 'recurring' }, start),
      periodStart: start,
      lastGrantedPeriodStart: instant('2026-02-01T00:00:00.000Z'),
    },
    discount: { ...discount, kind: 'recurring' },
    promotions: [recurring, promotion],
    account: { ...account, tier: 'team', planPriceCents: cents(14_900) },
    creditSupported: true,
    now: NOW,
  }

  test('grant discount, combos, promotions, in that order, keyed by the period’s start', () => {
    expect(planPeriodRoll(catalogue, input).grants).toEqual([
      { source: 'discount', sourceId: 'disc_1', dedupeKey: 'disc:disc_1:2026-03', cents: 2_980 },
      { source: 'combo', sourceId: 'combo:analytics_suite', dedupeKey: 'combo:analytics_suite:2026-03', cents: 1_800 },
      { source: 'promotion', sourceId: 'promo:monthly', dedupeKey: 'promo:monthly:org_a:2026-03', cents: 300 },
    ])
  })

  test('paying late across a month’s edge neither skips nor doubles a period', () => {
    const late = planPeriodRoll(catalogue, { ...input, now: instant('2026-04-02T00:00:00.000Z') })
    expect(late.period).toBe('2026-03')
    const again = { ...input, subscription: { ...input.subscription, lastGrantedPeriodStart: start } }
    expect(planPeriodRoll(catalogue, again).grants).toEqual([])
  })

  test.each([
    ['missing', null],
    ['inactive', { ...discount, isActive: false }],
    ['expired', { ...discount, redeemBy: before }],
  ] as const)('a rule whose discount is %s ends and grants nothing', (ruleEnds, each) => {
    const roll = planPeriodRoll(catalogue, { ...input, discount: each })
    expect(roll.ruleEnds).toBe(ruleEnds)
    expect(roll.grants.map((grant) => grant.source)).toEqual(['combo', 'promotion'])
  })

  test('nothing is granted to an account that is not entitled or cannot be credited', () => {
    expect(planPeriodRoll(catalogue, { ...input, creditSupported: false }).grants).toEqual([])
    expect(planPeriodRoll(catalogue, { ...input, account: { ...input.account, isEntitled: false } }).grants).toEqual([])
  })

  test('a promotion whose budget or number of grants is used up stops, the others go on', () => {
    const spent = { ...recurring, id: 'a_spent', spentCents: cents(9_701) }
    const full = { ...recurring, id: 'b_full', maxGrants: 2, grantsCount: 2 }
    const last = { ...recurring, id: 'c_last', spentCents: cents(9_700) }
    const roll = planPeriodRoll(catalogue, { ...input, promotions: [spent, full, last] })
    expect(roll.grants.slice(2).map((grant) => grant.sourceId)).toEqual(['promo:c_last'])
    expect(renderSteps(roll.steps)).toContain('budget $100.00, $97.01 spent: $3.00 does not fit')
  })

  test('a percent is computed again from the plan of the day', () => {
    const onPro = { ...input, subscription: { ...input.subscription, planId: 'pro' as const } }
    expect(planPeriodRoll(catalogue, onPro).grants[0]?.cents).toBe(980)
  })
})

describe('referrals', () => {
  const referral: Promotion = { ...promotion, trigger: { type: 'referral' }, referrerValue: cents(700) }
  const input = {
    code: ' org_r ',
    referrer: { rootOrgId: 'org_r', status: 'active' as const },
    referee: account,
    wasReferred: false,
    promotions: [referral],
    now: NOW,
  }

  test('are recorded as pending', () => {
    expect(recordReferral(input)).toMatchObject({
      status: 'recorded',
      referral: { referrerOrgId: 'org_r', refereeOrgId: 'org_a', status: 'pending', promotionId: 'promo_1' },
    })
  })

  test.each([
    ['malformed_code', { code: '' }],
    ['malformed_code', { code: 'x'.repeat(65) }],
    ['malformed_code', { code: 7 }],
    ['self_referral', { code: 'org_a' }],
    ['self_referral', { code: 'ORG_A ' }],
    ['self_referral', { code: 'org_a_team', referrer: { rootOrgId: 'org_a', status: 'active' as const } }],
    ['unknown_referrer', { referrer: null }],
    ['referrer_not_subscribed', { referrer: { rootOrgId: 'org_r', status: 'canceled' as const } }],
    ['referrer_not_subscribed', { referrer: { rootOrgId: 'org_r', status: null } }],
    ['already_referred', { wasReferred: true }],
    ['no_promotion', { promotions: [] }],
  ])('are ignored as %s', (reason, change) => {
    expect(recordReferral({ ...input, ...change })).toEqual({ status: 'ignored', reason })
  })

  const recorded = recordReferral(input)
  const pending = recorded.status === 'recorded' ? recorded.referral : null
  const qualify = {
    referral: pending as NonNullable<typeof pending>,
    amountPaidCents: cents(4_900),
    promotion: referral,
    referrer: { ...account, orgId: 'org_r', subscriptionId: 'sub_r' },
    creditSupported: true,
    rowId: 'cr_1',
    now: NOW,
  }

  test('qualify with the first real payment and grant the referrer its own value', () => {
    const ledger = emptyLedger()
    const result = qualifyReferral(ledger, qualify)
    expect(result).toMatchObject({
      reason: 'qualified',
      referral: { status: 'qualified', referrerGrantCents: 700 },
      promotion: { spentCents: 700 },
    })
    ok(apply(ledger, result.outcome as never))
    expect(findRow(ledger, 'promo:promo_1:org_r:ref:org_a')).toMatchObject({ cents: 700, sourceId: 'promo:promo_1' })
  })

  test.each([
    ['not_paid', 'pending', { amountPaidCents: cents(0) }],
    ['promotion_revoked', 'pending', { promotion: { ...referral, isActive: false } }],
    ['promotion_revoked', 'pending', { promotion: null }],
    ['unfundable', 'qualified', { promotion: { ...referral, budgetCents: cents(699) } }],
    ['unfundable', 'qualified', { creditSupported: false }],
    ['unfundable', 'qualified', { referrer: null }],
  ])('%s leaves the referral %s and grants nothing', (reason, status, change) => {
    const result = qualifyReferral(emptyLedger(), { ...qualify, ...change })
    expect(result).toMatchObject({ reason, referral: { status, referrerGrantCents: 0 }, outcome: null })
  })

  test('qualify once', () => {
    const done = { ...qualify.referral, status: 'qualified' as const, qualifiedAt: NOW }
    expect(qualifyReferral(emptyLedger(), { ...qualify, referral: done })).toMatchObject({
      reason: 'already_qualified',
      outcome: null,
    })
  })

  test('the referrer gets the referee’s value when none of its own is set', () => {
    const { referrerValue: _own, ...same } = referral
    const result = qualifyReferral(emptyLedger(), { ...qualify, promotion: same as Promotion })
    expect(result.referral.referrerGrantCents).toBe(1_000)
  })
})
