import { describe, expect, it } from 'vitest'
import { randomPattern, randomSoup, randomSource, randomText } from '../../../test/support/regex-generator.js'
import type { PatternNode } from '../ast.js'
import { foldSurrogates, toRe2 } from '../emit.js'
import { MAX_TEXT_UNITS } from '../limits.js'
import { parsePattern } from '../parse.js'
import { re2js } from '../re2js.js'
import { createSafeRegex } from '../safe-regex.js'
import { searchForm } from '../search-form.js'
import { positionMatcher } from './matcher.js'
import { positionProgram } from './program.js'

function node(pattern: string): PatternNode {
  const result = parsePattern(pattern)
  if ('refusal' in result) throw new Error(`${pattern}: ${result.refusal.message}`)
  return result.node
}

const search = (pattern: string) => positionMatcher(positionProgram(node(pattern)))

/** Patterns that run on positions, and texts over their own letters. */
const EXPLODING = [
  'a[ab]{30}[cd]',
  'a[ab]{31}[cd]',
  'a[ab]{64}[cd]',
  'a[ab]{100}[cd]',
  'b.{0,60}[yz]',
  'b(?:ab?|b){20}[yz]',
  '(?:[ab]{0,5}b){20}[cd]',
  '^(?:[^]*a){8}[cd]',
  '\\b(?:\\w{1,5}\\b.?){3}[cd]',
  '(?:\\b|[ab]){9}[cd]',
  '(?:^|b)[ab]{3,40}(?:c|$)',
  'a(?:a?b?){20}[cd]',
  'a(?:ba|b){12,}?[cd]',
  '(?:^|c)(?:[ab]{2}){20,}(?:$|c)',
]

describe('a search on positions', () => {
  it('matches what RegExp and RE2 match, whatever the pattern, as written and as searched for', () => {
    const random = randomSource(31)
    const onRe2js = re2js.open()
    const verdicts = { true: 0, false: 0 }
    for (let seen = 0; seen < 3000; ) {
      const pattern = seen % 4 === 0 ? randomSoup(random) : randomPattern(random)
      const result = parsePattern(pattern)
      if ('refusal' in result) continue
      seen += 1
      const reference = new RegExp(pattern)
      const onRe2 = onRe2js(toRe2(result.node))
      const matchers = [result.node, searchForm(result.node)].map((form) => positionMatcher(positionProgram(form)))
      for (let i = 0; i < 15; i += 1) {
        const text = randomText(random)
        const expected = reference.test(text)
        verdicts[`${expected}`] += 1
        const found = [onRe2(foldSurrogates(text)), ...matchers.map((matches) => matches(text))]
        if (found.some((each) => each !== expected)) expect.fail(JSON.stringify([pattern, text, expected, found]))
      }
    }
    expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(5_000)
  })

  it.each(EXPLODING)('matches what RE2 matches on states of several words: %s', (pattern) => {
    const random = randomSource(32)
    const matches = search(pattern)
    const compiled = createSafeRegex().compile(pattern)
    expect(compiled.engine).toBe('positions')
    // Not `RegExp`, which backtracks on some of these for ever.
    const reference = re2js.open()(toRe2(node(pattern)))
    const seen = { true: 0, false: 0 }
    for (let i = 0; i < 400; i += 1) {
      // Letters of the pattern, seldom what ends a match, so that long runs of positions are alive.
      const letters = ['ab', `${'ab'.repeat(60)}c`, 'ababab cd'][i % 3] ?? ''
      const text = Array.from({ length: random(250) }, () => letters[random(letters.length)]).join('')
      for (const each of [text, `${text}c`, `b${text}y`, `x${text}`]) {
        const expected = reference(each)
        seen[`${expected}`] += 1
        if (matches(each) !== expected || compiled.test(each) !== expected) expect.fail(JSON.stringify([pattern, each]))
      }
    }
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(20)
  })

  it('keeps nothing of the text before', () => {
    const matches = search('a[ab]{40}c')
    expect(matches(`a${'b'.repeat(40)}`)).toBe(false)
    expect(matches('c')).toBe(false)
    expect(matches(`a${'b'.repeat(40)}c`)).toBe(true)
    expect(matches('c')).toBe(false)
  })

  it('is exact before, at and beyond the states that it keeps', () => {
    // 2^14 states can be met; a few hundred are kept.
    const pattern = '^[ab]*a[ab]{13}[cd]'
    const reference = new RegExp(pattern)
    const matches = search(pattern)
    const random = randomSource(33)
    const letters = (count: number) => Array.from({ length: count }, () => 'ab'[random(2)]).join('')
    const texts = Array.from({ length: 600 }, () => `${letters(20 + random(60))}c`)
    for (const text of [...texts, ...texts, letters(5000), `${letters(5000)}d`]) {
      expect(matches(text), text).toBe(reference.test(text))
    }
  })

  it('fails a text over 64 KiB', () => {
    const matches = search('a[ab]{30}c')
    const text = `a${'b'.repeat(30)}c`
    expect(matches(text.padStart(MAX_TEXT_UNITS, '-'))).toBe(true)
    expect(matches(text.padStart(MAX_TEXT_UNITS + 1, '-'))).toBe(false)
  })
})

describe('the bound of the work for one unit', () => {
  it.each([
    ['a[ab]{1000}[cd]', 200],
    ['b.{0,450}[yz]', 128],
    ['b(?:ab?|b){130}[yz]', 200],
    ['(?:[ab]{0,5}b){60}[cd]', 200],
  ])('is low where the turns of a repeat are alike: %s', (pattern, most) => {
    expect(positionProgram(node(pattern)).work).toBeLessThan(most)
    expect(createSafeRegex().check(pattern, 100)).toBeNull()
  })

  it('refuses the pattern that exceeds it, when it is written', () => {
    const pattern = 'b(?:a?b?a?b?a?b?a?b?a?b?a?b?a?b?a?b?){20}c'
    expect(positionProgram(node(pattern)).work).toBeGreaterThan(256)
    expect(createSafeRegex().check(pattern, 100)).toEqual({
      reason: 'unsafe',
      message: 'the pattern compiles to 1174 instructions, more than 256 for one character',
      position: 0,
    })
  })

  it('gives an engine no program that could keep it busy', () => {
    const regex = createSafeRegex()
    expect(regex.compile('^[a-z]+[a-z0-9]+$').engine).toBe('re2js')
    expect(regex.compile('^[ab]*a[ab]{6}[cd]').engine).toBe('re2js')
    expect(regex.compile('^[ab]*a[ab]{7}[cd]').engine).toBe('positions')
  })
})
