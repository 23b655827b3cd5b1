import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proveTokens } from '../proof/tokens.js'
import {
  cents,
  checkCeilings,
  checkRedemption,
  type Discount,
  matchesDiscount,
  nobleCrypto,
  openToken,
  parseAlias,
  parseDiscount,
  parseKeyRing,
  percent,
  printDiscount,
  type RedemptionContext,
  readRedemptionCode,
  redemptionChecks,
  resolveValue,
  sealToken,
  standingRule,
  standingRuleEnd,
} from '../src/index.js'
import { nodeCrypto } from '../src/node.js'
import { encodeBase64 } from '../src/text/base64.js'
import { decodeUtf8, encodeUtf8 } from '../src/text/utf8.js'
import { discount, NOW, ok } from './support/build.js'

describe('authoring form', () => {
  test.each([
    ['20:percent:recurring', { value: 20, unit: 'percent', kind: 'recurring' }],
    [' 50:$:CREDIT ', { value: 5_000, unit: 'dollar', kind: 'credit' }],
    ['1:%:Onetime:spring_26', { value: 1, unit: 'percent', kind: 'onetime', campaign: 'spring_26' }],
    ['1000000:Dollar:onetime', { value: 100_000_000, unit: 'dollar', kind: 'onetime' }],
    ['007:%:onetime', { value: 7, unit: 'percent', kind: 'onetime' }],
  ])('%s is read', (text, terms) => {
    expect(ok(parseDiscount(text))).toEqual(terms)
  })

  test.each([
    ['20:percent', 'code'],
    ['20:percent:onetime:a:b', 'code'],
    ['0:percent:onetime', 'code.value'],
    ['-5:percent:onetime', 'code.value'],
    ['1.5:percent:onetime', 'code.value'],
    ['1e2:$:onetime', 'code.value'],
    ['٣:$:onetime', 'code.value'],
    ['101:percent:onetime', 'code.value'],
    ['1000001:$:onetime', 'code.value'],
    ['9007199254740993:$:onetime', 'code.value'],
    ['5:euro:onetime', 'code.unit'],
    ['5:$:weekly', 'code.kind'],
    ['5:$:onetime:', 'code.campaign'],
    ['5:$:onetime:sp ace', 'code.campaign'],
    [42, 'code'],
  ])('%s is refused and %s is named', (text, field) => {
    expect(parseDiscount(text)).toMatchObject({ ok: false, refusal: { code: 'VALIDATION_ERROR', field } })
  })

  test('what is printed is read back', () => {
    const terms = fc.oneof(
      fc.record({
        unit: fc.constant('percent' as const),
        value: fc.integer({ min: 1, max: 100 }).map((n) => percent(n)),
      }),
      fc.record({
        unit: fc.constant('dollar' as const),
        value: fc.integer({ min: 1, max: 1e6 }).map((n) => cents(n * 100)),
      }),
    )
    fc.assert(
      fc.property(terms, fc.constantFrom('onetime', 'recurring', 'credit'), (value, kind) => {
        expect(ok(parseDiscount(printDiscount({ ...value, kind })))).toEqual({ ...value, kind })
      }),
    )
  })

  test('ceilings are inclusive', () => {
    const ceilings = { maxPercent: 30, maxCents: cents(5_000) }
    expect(checkCeilings({ unit: 'percent', value: percent(30) }, ceilings).ok).toBe(true)
    expect(checkCeilings({ unit: 'percent', value: percent(31) }, ceilings)).toMatchObject({
      refusal: { code: 'DISCOUNT_CEILING_EXCEEDED', field: 'value' },
    })
    expect(checkCeilings({ unit: 'dollar', value: cents(5_000) }, ceilings).ok).toBe(true)
    expect(checkCeilings({ unit: 'dollar', value: cents(5_001) }, ceilings).ok).toBe(false)
  })

  test('an alias is upper-cased, holds no dot, and never shows in its refusal', () => {
    expect(ok(parseAlias('spring-26'))).toBe('SPRING-26')
    for (const bad of ['ab', 'a.bc', 'x'.repeat(41), 'sp ace', '']) {
      const refused = parseAlias(bad)
      expect(refused.ok).toBe(false)
      if (!refused.ok && bad !== '') expect(refused.refusal.message).not.toContain(bad)
    }
    expect(readRedemptionCode('v1.abc')).toEqual({ kind: 'token', token: 'v1.abc' })
    expect(readRedemptionCode('spring')).toEqual({ kind: 'alias', alias: 'SPRING' })
    expect(readRedemptionCode('x'.repeat(1_025))).toBeNull()
  })
})

describe('redemption', () => {
  const context: RedemptionContext = {
    now: NOW,
    orgId: 'org_a',
    creditSupported: true,
    subscription: {
      status: 'active',
      tier: 'pro',
      interval: 'monthly',
      planPriceCents: cents(4_900),
      currentPeriodStart: NOW,
      hasRecurringDiscount: false,
    },
    hasRedeemed: false,
  }
  const past = '2026-03-15T11:59:59.999Z' as Discount['redeemBy']

  // Everything is wrong at first; each row mends one thing more, so the next check in the order answers.
  const wrong: Discount = {
    ...discount,
    kind: 'recurring',
    targetOrgId: 'org_b',
    isActive: false,
    ...(past === undefined ? {} : { redeemBy: past }),
    appliesToTiers: ['team'],
    maxRedemptions: 2,
    timesRedeemed: 2,
  }
  const wrongContext: RedemptionContext = {
    ...context,
    creditSupported: false,
    subscription: { ...context.subscription, status: 'past_due', planPriceCents: cents(0), hasRecurringDiscount: true },
    hasRedeemed: true,
  }
  const mends: ((state: { discount: Discount; context: RedemptionContext }) => void)[] = []
  const order = [
    'DISCOUNTS_UNSUPPORTED',
    'DISCOUNT_NOT_FOR_ORG',
    'DISCOUNT_INACTIVE',
    'DISCOUNT_EXPIRED',
    'SUBSCRIPTION_NOT_REDEEMABLE',
    'DISCOUNT_TIER_MISMATCH',
    'ALREADY_REDEEMED',
    'RECURRING_ALREADY_PRESENT',
    'DISCOUNT_ZERO_VALUE',
    'DISCOUNT_EXHAUSTED',
  ]
  mends.push(
    (state) => Object.assign(state, { context: { ...state.context, creditSupported: true } }),
    (state) => Object.assign(state, { discount: { ...state.discount, targetOrgId: 'org_a' } }),
    (state) => Object.assign(state, { discount: { ...state.discount, isActive: true } }),
    (state) => Object.assign(state, { discount: { ...state.discount, redeemBy: NOW } }),
    (state) => mendSubscription(state, { status: 'trialing' }),
    (state) => Object.assign(state, { discount: { ...state.discount, appliesToTiers: ['team', 'pro'] } }),
    (state) => Object.assign(state, { context: { ...state.context, hasRedeemed: false } }),
    (state) => mendSubscription(state, { hasRecurringDiscount: false }),
    (state) => mendSubscription(state, { planPriceCents: cents(4_900) }),
    (state) => Object.assign(state, { discount: { ...state.discount, timesRedeemed: 1 } }),
  )
  function mendSubscription(
    state: { context: RedemptionContext },
    change: Partial<RedemptionContext['subscription']>,
  ): void {
    Object.assign(state, { context: { ...state.context, subscription: { ...state.context.subscription, ...change } } })
  }

  test('the ten checks answer in their order, the first that fails first', () => {
    const state = { discount: wrong, context: wrongContext }
    const codes = mends.map((mend) => {
      const result = checkRedemption(state.discount, state.context)
      mend(state)
      return result.ok ? 'ok' : result.refusal.code
    })
    expect(codes).toEqual(order)
    expect(redemptionChecks.map((check) => check.code)).toEqual(order)
    expect(checkRedemption(state.discount, state.context)).toMatchObject({
      ok: true,
      value: { cents: 980, dedupeKey: 'disc:disc_1:2026-03', setsStandingRule: true },
    })
  })

  test('a discount is good at the very instant of redeemBy and not a millisecond later', () => {
    expect(checkRedemption({ ...discount, redeemBy: NOW }, context).ok).toBe(true)
    expect(checkRedemption({ ...discount, ...(past === undefined ? {} : { redeemBy: past }) }, context)).toMatchObject({
      refusal: { code: 'DISCOUNT_EXPIRED', status: 409 },
    })
  })

  test('exactly N of N redemptions succeed', () => {
    let current: Discount = { ...discount, maxRedemptions: 7 }
    const outcomes = Array.from({ length: 12 }, () => {
      const { ok: passed } = checkRedemption(current, context)
      if (passed) current = { ...current, timesRedeemed: current.timesRedeemed + 1 }
      return passed
    })
    expect(outcomes.filter(Boolean)).toHaveLength(7)
    expect(outcomes.lastIndexOf(true)).toBe(6)
  })

  test('a one-time discount has one key for ever, a recurring one a key a period', () => {
    expect(checkRedemption(discount, context)).toMatchObject({ value: { dedupeKey: 'disc:disc_1' } })
    const annual = { ...context, subscription: { ...context.subscription, interval: 'annual' as const } }
    expect(checkRedemption({ ...discount, kind: 'recurring' }, annual)).toMatchObject({
      value: { dedupeKey: 'disc:disc_1:2026' },
    })
  })

  test('a percent resolves on the plan price, dollars are what they are', () => {
    expect(resolveValue({ unit: 'percent', value: percent(15) }, cents(4_990)).cents).toBe(749)
    expect(resolveValue({ unit: 'dollar', value: cents(5_000) }, cents(1)).cents).toBe(5_000)
  })

  test('the standing rule ends when its discount is gone, off or past', () => {
    expect(standingRule(discount, NOW)).toEqual({ discountId: 'disc_1', unit: 'percent', value: 20, appliedAt: NOW })
    expect(standingRuleEnd(null, NOW)).toBe('missing')
    expect(standingRuleEnd({ ...discount, isActive: false }, NOW)).toBe('inactive')
    expect(standingRuleEnd({ ...discount, ...(past === undefined ? {} : { redeemBy: past }) }, NOW)).toBe('expired')
    expect(standingRuleEnd({ ...discount, redeemBy: NOW }, NOW)).toBeNull()
  })
})

describe('tokens', () => {
  const key = (fill: number): string => encodeBase64(new Uint8Array(32).fill(fill))
  const ring = ok(parseKeyRing(`v9:${key(9)},v10:${key(10)}`))
  const iv = Uint8Array.from({ length: 12 }, (_, index) => index)
  const payload = { id: 'disc_1', value: percent(20), unit: 'percent', kind: 'recurring' } as const

  test('both crypto ports make and open the same token', () => {
    const token = ok(sealToken(nodeCrypto, ring, payload, iv))
    expect(ok(sealToken(nobleCrypto, ring, payload, iv))).toBe(token)
    expect(token).toMatch(/^v10\.[A-Za-z0-9_-]+$/)
    expect(ok(openToken(nobleCrypto, ring, token))).toEqual(payload)
    expect(ok(openToken(nodeCrypto, ring, token))).toEqual(payload)
  })

  test('every bit flip, other spelling, key and version is refused', () => {
    expect(proveTokens([nodeCrypto, nobleCrypto], 2, 3)).toBeGreaterThan(1_000)
  })

  test('a token matches its record only while every sealed field is equal', () => {
    const record: Discount = { ...discount, kind: 'recurring' }
    expect(matchesDiscount(payload, record)).toBe(true)
    expect(matchesDiscount(payload, { ...record, value: percent(21) } as Discount)).toBe(false)
    expect(matchesDiscount(payload, { ...record, kind: 'onetime' })).toBe(false)
    expect(matchesDiscount(payload, { ...record, targetOrgId: 'org_a' })).toBe(false)
    expect(matchesDiscount(payload, { ...record, id: 'disc_2' })).toBe(false)
  })

  test('without keys nothing is sealed and nothing opens', () => {
    expect(sealToken(nodeCrypto, null, payload, iv)).toMatchObject({
      refusal: { code: 'SIGNING_NOT_CONFIGURED', status: 501 },
    })
    expect(openToken(nodeCrypto, null, 'v1.x')).toMatchObject({ refusal: { code: 'DISCOUNT_NOT_FOUND', status: 404 } })
  })

  test('an IV of another length is refused: it would weaken the seal', () => {
    expect(sealToken(nodeCrypto, ring, payload, new Uint8Array(11))).toMatchObject({ refusal: { field: 'iv' } })
  })

  test.each([
    ['an authentic payload with another field', { ...payload, orgId: 'x' }],
    ['of 101 percent', { ...payload, value: 101 }],
    ['of 0', { ...payload, value: 0 }],
    ['of a fraction', { ...payload, value: 1.5 }],
    ['of another unit', { ...payload, unit: 'euro' }],
    ['that is a list', [payload]],
    ['with an empty target', { ...payload, targetOrgId: '' }],
  ])('%s is refused though its seal is good', (_name, forged) => {
    const bytes = nodeCrypto.seal(
      ring.keys.get(10) as Uint8Array,
      iv,
      encodeUtf8('plumbline-discount-token|v10'),
      encodeUtf8(JSON.stringify(forged)),
    )
    const whole = new Uint8Array([...iv, ...bytes])
    expect(openToken(nodeCrypto, ring, `v10.${Buffer.from(whole).toString('base64url')}`).ok).toBe(false)
  })

  test.each([
    ['', 'empty'],
    ['v1', 'no key'],
    [`v0:${key(1)}`, 'version 0'],
    [`v01:${key(1)}`, 'leading zero'],
    [`1:${key(1)}`, 'no v'],
    [`v1:${key(1).slice(0, -1)}`, 'padding missing'],
    [`v1:${encodeBase64(new Uint8Array(31))}`, '31 bytes'],
    [`v1:${encodeBase64(new Uint8Array(33))}`, '33 bytes'],
    [`v1:${key(1).replace('A', '*')}`, 'alphabet'],
    [`v1:${key(255).replaceAll('/', '_')}`, 'URL alphabet'],
    [`v1:${key(1)},v1:${key(2)}`, 'version twice'],
    [`v1:${key(1)},`, 'empty entry'],
  ])('the key ring %j is refused (%s) and its keys are not shown', (text) => {
    const refused = parseKeyRing(text)
    expect(refused).toMatchObject({ ok: false, refusal: { field: 'BILLING_DISCOUNT_KEYS' } })
    if (!refused.ok) expect(refused.refusal.message).not.toContain(key(1))
  })
})

describe('UTF-8 and the crypto ports', () => {
  test('encoding agrees with the platform, decoding refuses what is not well formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(encodeUtf8(text)).toEqual(new Uint8Array(Buffer.from(text, 'utf8')))
        expect(decodeUtf8(encodeUtf8(text))).toBe(text)
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        let expected: string | null
        try {
          expected = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
        } catch {
          expected = null
        }
        expect(decodeUtf8(bytes)).toBe(expected)
      }),
      { numRuns: 2_000 },
    )
  })

  test('HMAC and equality agree; hostile input to open is null, not an exception', () => {
    for (const crypto of [nodeCrypto, nobleCrypto]) {
      expect(
        Buffer.from(
          crypto.hmacSha256(encodeUtf8('key'), encodeUtf8('The quick brown fox jumps over the lazy dog')),
        ).toString('hex'),
      ).toBe('f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8')
      expect(crypto.equal(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true)
      expect(crypto.equal(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false)
      expect(crypto.equal(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false)
      expect(crypto.open(new Uint8Array(32), iv12, new Uint8Array(0), new Uint8Array(3))).toBeNull()
      expect(crypto.open(new Uint8Array(32), iv12, new Uint8Array(0), new Uint8Array(40))).toBeNull()
    }
  })
  const iv12 = new Uint8Array(12)
})
