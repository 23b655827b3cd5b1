/** Effective limits and periods, for every tier, type and instant. */
import { quotaTypes, tiers } from '@plumbline/billing-core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testSettings } from '../../../test/support/settings.js'
import { effectiveLimit, limitedTier } from './effective.js'
import { periodAt, periodOf } from './period.js'

const settings = testSettings({ BILLING_ENABLED: 'true' })
const tier = fc.constantFrom(...tiers)
const type = fc.constantFrom(...quotaTypes)

describe('the effective limit', () => {
  it('is what was set by hand, else baseline and add-ons; unlimited absorbs them', () => {
    fc.assert(
      fc.property(tier, type, fc.option(fc.integer({ min: -1 })), fc.nat(), (name, each, override, granted) => {
        const { limit, baseline } = effectiveLimit(settings, name, each, { override, granted })
        if (override !== null) expect(limit).toBe(override)
        else expect(limit).toBe(baseline === -1 ? -1 : baseline + granted)
      }),
    )
  })

  it('never passes the largest exact integer', () => {
    const set = { override: null, granted: Number.MAX_SAFE_INTEGER }
    expect(effectiveLimit(settings, 'pro', 'plugins', set).limit).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('is none for the system organization, none without billing, and the least for a tier that is not known', () => {
    expect(limitedTier({ isSystem: true, tier: 'developer' }, settings)).toBe('unlimited')
    expect(limitedTier({ isSystem: false, tier: 'pro' }, testSettings())).toBe('unlimited')
    expect(limitedTier({ isSystem: false, tier: 'gold' }, settings)).toBe('developer')
  })
})

describe('periods', () => {
  const instant = fc.integer({ min: 0, max: Date.UTC(2100, 0) })
  const length = fc.oneof(fc.constant('monthly' as const), fc.integer({ min: 1, max: 366 }))

  it('hold their instants, and follow one another without a gap', () => {
    fc.assert(
      fc.property(length, instant, (each, nowMs) => {
        const { startMs, endMs } = periodAt(each, nowMs)
        expect(startMs <= nowMs && nowMs < endMs).toBe(true)
        expect(periodAt(each, endMs).startMs).toBe(endMs)
        expect(periodAt(each, startMs)).toEqual({ startMs, endMs })
        if (each !== 'monthly') expect(endMs - startMs).toBe(each * 86_400_000)
        else expect(new Date(startMs).toISOString()).toMatch(/-01T00:00:00.000Z$/)
      }),
    )
  })

  it.each([
    ['2026-11-21T10:00:00.000Z', '2026-11-01', '2026-12-01'],
    ['2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
    ['2028-02-29T00:00:00.000Z', '2028-02-01', '2028-03-01'],
  ])('of a month hold %s from %s to %s', (now, start, end) => {
    expect(periodAt('monthly', Date.parse(now))).toEqual({ startMs: Date.parse(start), endMs: Date.parse(end) })
  })

  it('are those of the tier, else of the server', () => {
    const set = testSettings({ QUOTA_PERIOD: '30d', QUOTA_TIER_PRO_RESET_PERIOD: '3d' })
    const days = (name: (typeof tiers)[number]) => {
      const { startMs, endMs } = periodOf(set, name, 0)
      return (endMs - startMs) / 86_400_000
    }
    expect([days('developer'), days('pro'), days('unlimited')]).toEqual([30, 3, 30])
  })

  it.each(['0d', '367d', '-1d', '7', 'weekly', '1.5d'])('are refused as %j', (text) => {
    expect(() => testSettings({ QUOTA_PERIOD: text })).toThrow(/QUOTA_PERIOD/)
  })
})
