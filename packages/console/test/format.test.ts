import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { decimalCents, formatOf, moneyText } from '../src/ui/format.js'

describe('money', () => {
  it('is cut from cents as digits: the text is the same whole number of cents', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (cents) => {
        const text = decimalCents(cents)
        expect(BigInt(text.replace('.', ''))).toBe(BigInt(cents))
        expect(text).toMatch(/^-?\d+\.\d\d$/)
      }),
    )
  })

  it('is written as the reader writes it', () => {
    expect(moneyText(-123_456, 'usd', 'en')).toBe('-$1,234.56')
    expect(moneyText(5, 'usd', 'de')).toBe('0,05\u00a0$')
    expect(moneyText(9_007_199_254_740_991, 'usd', 'en')).toBe('$90,071,992,547,409.91')
  })
})

describe('formats', () => {
  afterEach(() => void vi.unstubAllGlobals())
  const en = formatOf('en')
  it('say how long ago', () => {
    const now = Date.parse('2026-11-23T12:00:00Z')
    expect(en.relative('2026-11-23T11:58:00Z', now)).toBe('2 minutes ago')
    expect(en.relative('2026-11-25T12:00:00Z', now)).toBe('in 2 days')
    expect(en.relative('2026-11-23T12:00:00Z', now)).toBe('now')
  })
  it('say sizes and spans', () => {
    expect(en.bytes(1_500_000)).toBe('1.5 MB')
    expect(en.duration(90_000)).toBe('90 sec')
    expect(en.percent(0.125)).toBe('12.5%')
  })
  it.each([
    ['en', ['de-AT', 'en-GB', 'en'], '31/10'],
    ['en', ['en-US'], '10/31'],
    ['en', ['de', 'en'], '10/31'],
    ['de', ['de-AT', 'en-GB'], '31.10.'],
  ] as const)('write a date in %s as the region of a reader of %j does', (to, languages, text) => {
    vi.stubGlobal('navigator', { languages })
    expect(formatOf(to).day('2026-10-31')).toBe(text)
  })
})
