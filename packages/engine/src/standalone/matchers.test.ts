import { describe, expect, it } from 'vitest'
import { randomPattern, randomSource, randomText } from '../../test/support/regex-generator.js'
import { MAX_TEXT_UNITS } from '../regex/limits.js'
import { parsePattern } from '../regex/parse.js'
import { positionMatcher } from '../regex/positions/index.js'
import { buildDfa } from './dfa.js'
import { patternSource } from './patterns.js'
import * as runtime from './runtime.js'

type Matcher = (text: string) => boolean

/** Evaluates what a module would hold, with the runtime from source. */
function matcher(expression: string): Matcher {
  return new Function('tableMatcher', 'positionMatcher', `return ${expression}`)(runtime.tableMatcher, positionMatcher)
}

function node(pattern: string) {
  const result = parsePattern(pattern)
  if ('refusal' in result) throw new Error(result.refusal.message)
  return result.node
}

/** Each way of running a pattern without `RegExp`, forced. */
const tables = (pattern: string): Matcher | null => {
  const dfa = buildDfa(node(pattern))
  if (dfa === null) return null
  const { starts, classes, size } = dfa.alphabet
  return runtime.tableMatcher(starts, classes, size, dfa.start, dfa.next, dfa.accepting)
}

describe('patterns in a module', () => {
  it('become tables that match what RegExp matches', () => {
    const random = randomSource(21)
    const seen = { patterns: 0, matches: 0 }
    while (seen.patterns < 2500) {
      const pattern = randomPattern(random)
      if ('refusal' in parsePattern(pattern)) continue
      const test = tables(pattern)
      if (test === null) continue
      seen.patterns += 1
      const reference = new RegExp(pattern)
      for (let i = 0; i < 20; i += 1) {
        const text = randomText(random)
        const expected = reference.test(text)
        seen.matches += expected ? 1 : 0
        if (test(text) !== expected) expect.fail(JSON.stringify([pattern, text]))
      }
    }
    expect(seen.matches).toBeGreaterThan(10_000)
  })

  it('become programs of positions that match what RegExp matches', () => {
    const random = randomSource(22)
    let patterns = 0
    // A counted repeat behind any of many starts has more than 2,000 states, whatever surrounds it.
    const wrap = (pattern: string) => `(?:a[ab]{30}[^x]|${pattern})`
    while (patterns < 100) {
      const pattern = wrap(randomPattern(random))
      if ('refusal' in parsePattern(pattern)) continue
      const source = patternSource(pattern, 'inline')
      if (source?.isSimulated !== true) continue
      patterns += 1
      const test = matcher(source.matcher)
      const reference = new RegExp(pattern)
      for (let i = 0; i < 60; i += 1) {
        const text = randomText(random)
        if (test(text) !== reference.test(text)) expect.fail(JSON.stringify([pattern, text]))
      }
    }
  })

  it.each([
    ['^[a-z]+$', 'literal'],
    ['a[a-z]+x', 'table'],
    ['^[a-z0-9]([a-z0-9-]*[a-z0-9])?$', 'table'],
    ['\\bTODO\\b.*\\bFIXME\\b', 'table'],
    ['a[ab]{30}[cd]', 'foreign'],
  ])('runs %s as a %s', (pattern, kind) => {
    const source = patternSource(pattern, 'import')
    expect(source?.isLiteral === true ? 'literal' : source?.isImported === true ? 'foreign' : 'table').toBe(kind)
    expect(patternSource(pattern, 'reject') === null).toBe(kind === 'foreign')
    expect(patternSource(pattern, 'inline')?.isSimulated).toBe(kind === 'foreign')
  })

  it.each(['a[a-z]+x', 'a[ab]{30}[cdx]'])('fails a text over 64 KiB, for %s', (pattern) => {
    const test = matcher(patternSource(pattern, 'inline')?.matcher ?? '')
    expect(test(`${'a'.repeat(MAX_TEXT_UNITS - 1)}x`)).toBe(true)
    expect(test(`${'a'.repeat(MAX_TEXT_UNITS)}x`)).toBe(false)
  })

  it('gives up on a table before it costs much', () => {
    const started = performance.now()
    expect(buildDfa(node('[ab]*a[ab]{500}[cd]'))).toBeNull()
    expect(buildDfa(node('x.{0,1000}[yz]'))).toBeNull()
    // Few states, each of many instructions.
    expect(buildDfa(node('a{900}(?:b|c|d|e|f)x'))).toBeNull()
    expect(performance.now() - started).toBeLessThan(30_000)
  })
})
