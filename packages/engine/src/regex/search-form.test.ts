import { describe, expect, it } from 'vitest'
import { randomPattern, randomSource, randomText } from '../../test/support/regex-generator.js'
import { toEcmaScript } from './emit.js'
import { parsePattern } from './parse.js'
import { searchForm } from './search-form.js'

function formOf(pattern: string): string {
  const result = parsePattern(pattern)
  if ('refusal' in result) throw new Error(result.refusal.message)
  return toEcmaScript(searchForm(result.node))
}

describe('the search form', () => {
  it.each([
    ['[a-z]+x', '[a-z]x'],
    ['.*a', 'a'],
    ['a.*', 'a'],
    ['^v.*', '^v'],
    ['[^]{0,1000}z', 'z'],
    ['a{2,5}b{3,}', 'a{2}b{3}'],
    ['(?:ab?)+', 'a'],
    ['(?:b?a)+', 'a'],
    ['a*b*c', 'c'],
    ['(?:a*b|c+)d', 'bd|cd'],
    ['(?:a|b?)c', 'c'],
    ['a*', '(?:)'],
    ['x|', '(?:)'],
    // What an assertion ties to its place stays.
    ['^a+b', '^a+b'],
    ['\\ba+b', '\\ba+b'],
    ['ba+$', 'ba+$'],
    ['a+\\b', 'a\\b'],
    ['xa+y', 'xa+y'],
    ['(?:^|a)b+', '(?:^|a)b'],
    ['(?:ab+){3}', '(?:ab+){3}'],
  ])('of %s is %s', (pattern, form) => {
    // Alternatives may be written in any order, and a common end is not factored out.
    expect([form, form.replace('bd|cd', '(?:b|c)d')]).toContain(formOf(pattern))
  })

  it('is found in the same texts', () => {
    const random = randomSource(31)
    const seen = { patterns: 0, shorter: 0 }
    while (seen.patterns < 6000) {
      const pattern = randomPattern(random)
      if ('refusal' in parsePattern(pattern)) continue
      const source = formOf(pattern)
      const [form, reference] = [new RegExp(source), new RegExp(pattern)]
      seen.patterns += 1
      seen.shorter += source.length < pattern.length ? 1 : 0
      for (let i = 0; i < 20; i += 1) {
        const text = randomText(random)
        if (form.test(text) !== reference.test(text)) expect.fail(JSON.stringify([pattern, source, text]))
      }
    }
    expect(seen.shorter).toBeGreaterThan(500)
  })
})
