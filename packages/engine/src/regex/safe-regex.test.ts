import { RE2JS } from 're2js'
import { describe, expect, it, vi } from 'vitest'
import { randomPattern, randomSource } from '../../test/support/regex-generator.js'
import { re2Wasm } from '../re2-wasm.js'
import { toRe2 } from './emit.js'
import type { RegexEngine } from './engine.js'
import { RegexEngineFault } from './fault.js'
import { MAX_TEXT_UNITS } from './limits.js'
import { parsePattern } from './parse.js'
import { re2js } from './re2js.js'
import { createSafeRegex } from './safe-regex.js'

/** An engine that records what it is asked, and may fail. */
function recordingEngine(run: (text: string) => boolean = () => true, compile: (source: string) => void = () => {}) {
  const sources: string[] = []
  const texts: string[] = []
  const engine: RegexEngine = {
    name: 're2js',
    maxPatterns: 10,
    open: () => (source) => {
      sources.push(source)
      compile(source)
      return (text) => {
        texts.push(text)
        return run(text)
      }
    },
  }
  return { engine, sources, texts }
}

/** Runs on the engine: neither anchored nor bounded, and nothing at its ends can be left out. */
const LINEAR_ONLY_ON_RE2 = 'a[a-z]+x'

describe('SafeRegex', () => {
  it('refuses a pattern over the length cap, counted in UTF-16 units', () => {
    const regex = createSafeRegex()
    expect(regex.check('a'.repeat(100), 100)).toBeNull()
    expect(regex.check('a'.repeat(101), 100)).toEqual({
      reason: 'too_long',
      message: 'the pattern has 101 characters, more than 100',
      position: 100,
    })
    expect(regex.check('😀'.repeat(51), 100)?.reason).toBe('too_long')
  })

  it('keeps refusing for length what another rule set compiled under a higher cap', () => {
    const regex = createSafeRegex()
    regex.compile('a'.repeat(20))
    expect(regex.check('a'.repeat(20), 10)?.reason).toBe('too_long')
  })

  it('searches, unanchored', () => {
    expect(createSafeRegex().compile('b+').test('abc')).toBe(true)
    expect(createSafeRegex().compile('^b+').test('abc')).toBe(false)
  })

  it('compiles at the first test, once', () => {
    const { engine, sources } = recordingEngine()
    const compiled = createSafeRegex({ engine }).compile(LINEAR_ONLY_ON_RE2)
    expect(sources).toEqual([])
    compiled.test('a')
    compiled.test('b')
    expect(sources).toHaveLength(1)
  })

  it('decides without the engine', () => {
    const { engine, sources } = recordingEngine()
    const regex = createSafeRegex({ engine })
    regex.check(LINEAR_ONLY_ON_RE2, 100)
    regex.check('(a+)+', 100)
    regex.cost(LINEAR_ONLY_ON_RE2)
    expect(sources).toEqual([])
  })

  it('interns patterns within one value, and shares nothing between values', () => {
    const one = createSafeRegex()
    const two = createSafeRegex()
    expect(one.compile('a+b')).toBe(one.compile('a+b'))
    expect(one.compile('a+b')).not.toBe(two.compile('a+b'))
  })

  it('holds at most maxPatterns distinct patterns', () => {
    const regex = createSafeRegex({ maxPatterns: 2 })
    regex.compile('a')
    regex.compile('b')
    regex.compile('a')
    expect(regex.check('c', 100)).toEqual({ reason: 'budget', message: 'more than 2 distinct patterns' })
    expect(regex.check('b', 100)).toBeNull()
    expect(() => regex.compile('c')).toThrow(RegexEngineFault)
    expect(createSafeRegex({ maxPatterns: 2 }).check('c', 100)).toBeNull()
  })

  it('does not compile a refused pattern, though nobody asked first', () => {
    expect(() => createSafeRegex().compile('(a+)+')).toThrow(RegexEngineFault)
    expect(() => createSafeRegex().compile('(?=a)')).toThrow('look-around is not supported')
  })

  it.each(['^a*$', LINEAR_ONLY_ON_RE2])('fails a text over 64 KiB, for %s', (pattern) => {
    const compiled = createSafeRegex().compile(pattern)
    const end = pattern.endsWith('x') ? 'x' : 'a'
    expect(compiled.test(`${'a'.repeat(MAX_TEXT_UNITS - 1)}${end}`)).toBe(true)
    expect(compiled.test(`${'a'.repeat(MAX_TEXT_UNITS)}${end}`)).toBe(false)
  })

  it('hands the engine a source and texts without half surrogate pairs', () => {
    const { engine, sources, texts } = recordingEngine()
    createSafeRegex({ engine }).compile('xa*[😀]').test('a😀\ud83d.')
    expect(sources).toEqual(['xa*[\\x{10003d}\\x{100600}]'])
    expect(texts).toEqual(['a\u{10003d}\u{100600}\u{10003d}.'])
  })

  it('reports a compiler that fails as a fault, at every test, never as no match', () => {
    const { engine } = recordingEngine(undefined, () => {
      throw new RangeError('out of memory')
    })
    const compiled = createSafeRegex({ engine }).compile(LINEAR_ONLY_ON_RE2)
    for (let i = 0; i < 2; i += 1) expect(() => compiled.test('ax')).toThrow(RegexEngineFault)
  })

  it('reports a program that fails as a fault, with its cause', () => {
    const cause = new Error('unreachable executed')
    const { engine } = recordingEngine(() => {
      throw cause
    })
    const compiled = createSafeRegex({ engine }).compile(LINEAR_ONLY_ON_RE2)
    expect(() => compiled.test('ax')).toThrow(
      expect.objectContaining({ name: 'RegexEngineFault', pattern: LINEAR_ONLY_ON_RE2, engine: 're2js', cause }),
    )
  })

  it('runs what is not linear on RegExp on the engine it was given', () => {
    expect(createSafeRegex().compile(LINEAR_ONLY_ON_RE2).engine).toBe('re2js')
    expect(createSafeRegex({ engine: re2Wasm }).compile(LINEAR_ONLY_ON_RE2).engine).toBe('re2-wasm')
    expect(createSafeRegex({ engine: re2Wasm }).compile('^a*$').engine).toBe('native')
    expect(createSafeRegex({ engine: re2Wasm }).compile(LINEAR_ONLY_ON_RE2).test('aax')).toBe(true)
  })

  it('bounds the size of a program from above', () => {
    const random = randomSource(11)
    const patterns = Array.from({ length: 3000 }, () => randomPattern(random))
    for (const pattern of [
      ...patterns,
      '^.{1,1000}$',
      'a{1000}',
      '(?:ab?|c{2,5}){0,99}',
      '(?:)',
      '[]',
      '^$',
      'a|b|c|',
    ]) {
      const result = parsePattern(pattern)
      if ('refusal' in result || createSafeRegex().check(pattern, 1000) !== null) continue
      const size = RE2JS.compile(toRe2(result.node)).programSize()
      if (size > createSafeRegex().cost(pattern)) expect.fail(`${JSON.stringify(pattern)} has ${size}`)
    }
  })

  it('refuses programs that are too large, and sooner where an engine must run them', () => {
    const refusal = (pattern: string) => createSafeRegex().check(pattern, 100)
    expect(refusal('(?:abc){1000}')).toMatchObject({ reason: 'unsafe', position: 0 })
    expect(refusal('^(?:abc){1000}$')?.reason).toBe('unsafe')
    expect(refusal('^[a-z]{1,1000}$')).toBeNull()
    expect(refusal('a{1000}')).toBeNull()
    expect(refusal('x.{0,1000}[yz]')?.reason).toBe('unsafe')
    expect(refusal('x.{0,400}[yz]')).toBeNull()
    expect(refusal('.{0,1000}[yz]')).toBeNull()
  })

  it('costs nothing to refuse', () => {
    expect(createSafeRegex().cost('(a+)+')).toBe(0)
  })

  it('keeps the state caches of all programs within one bound', () => {
    const compiled = vi.spyOn(RE2JS, 'compile')
    const compile = re2js.open()
    const random = randomSource(12)
    const text = Array.from({ length: 1300 }, () => 'ab'[random(2)]).join('')
    let most = 0
    for (let i = 0; i < 100; i += 1) {
      const program = compile(`a[ab]{${120 + i}}[cd]`)
      expect(program(text)).toBe(false)
      const automata = compiled.mock.results.map(({ value }) => value.re2().dfa)
      const held = automata.map(({ stateBudget, memBudget }) => stateBudget - memBudget)
      most = Math.max(
        most,
        held.reduce((sum, bytes) => sum + bytes, 0),
      )
    }
    compiled.mockRestore()
    expect(most).toBeGreaterThan(32 * 1024 * 1024)
    expect(most).toBeLessThanOrEqual(64 * 1024 * 1024)
  })
})
