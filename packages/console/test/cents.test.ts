import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { centsOf } from '../src/ui/cents.js'
import { decimalCents } from '../src/ui/format.js'

describe('centsOf', () => {
  it.each([
    ['250', 25_000],
    ['250.5', 25_050],
    ['250,50', 25_050],
    [' 0.07 ', 7],
    ['1.005', null],
    ['-1', null],
    ['1e3', null],
    ['', null],
    ['123456789', null],
  ])('%s is %s', (text, cents) => expect(centsOf(text)).toBe(cents))

  it('reads back each amount that is written, to the cent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), (cents) => centsOf(decimalCents(cents)) === cents),
    )
  })
})
