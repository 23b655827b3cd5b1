import { describe, expect, it } from 'vitest'
import { randomPattern, randomSoup, randomSource, randomText } from '../../test/support/regex-generator.js'
import { re2Wasm } from '../re2-wasm.js'
import { foldSurrogates, toEcmaScript, toRe2 } from './emit.js'
import { factorAlternatives } from './factor.js'
import { isLinearOnRegExp } from './native-class.js'
import { parsePattern } from './parse.js'
import { re2js } from './re2js.js'
import { createSafeRegex } from './safe-regex.js'
import { searchForm } from './search-form.js'

/** Runs `compare` on accepted random patterns, each with random texts, and says how many pairs it saw. */
function pairs(seed: number, patterns: number, texts: number, compare: (pattern: string, texts: string[]) => void) {
  const random = randomSource(seed)
  let seen = 0
  while (seen < patterns) {
    const pattern = randomPattern(random)
    if ('refusal' in parsePattern(pattern)) continue
    seen += 1
    compare(
      pattern,
      Array.from({ length: texts }, () => randomText(random)),
    )
  }
}

describe('patterns mean what RegExp means', () => {
  it('whichever engine runs them, on texts hostile to UTF-16', () => {
    const engines = { native: 0, positions: 0, re2js: 0, 're2-wasm': 0 }
    const verdicts = { true: 0, false: 0 }
    pairs(1, 4000, 20, (pattern, texts) => {
      const compiled = createSafeRegex().compile(pattern)
      const reference = new RegExp(pattern)
      engines[compiled.engine] += 1
      for (const text of texts) {
        const expected = reference.test(text)
        verdicts[`${expected}`] += 1
        if (compiled.test(text) !== expected) expect.fail(`${compiled.engine} ${JSON.stringify([pattern, text])}`)
      }
    })
    // The comparison means something only while both engines and both verdicts are frequent.
    expect(Math.min(engines.native, engines.re2js)).toBeGreaterThan(300)
    expect(engines.positions).toBeGreaterThan(100)
    expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(10_000)
  })

  it('in the native class, where RE2 gives the same verdict', () => {
    const compile = re2js.open()
    let native = 0
    pairs(2, 3000, 15, (pattern, texts) => {
      const result = parsePattern(pattern)
      if ('refusal' in result) return
      const form = searchForm(result.node)
      if (!isLinearOnRegExp(form)) return
      native += 1
      const onRegExp = new RegExp(toEcmaScript(form))
      const onRe2 = compile(toRe2(result.node))
      for (const text of texts) {
        if (onRegExp.test(text) !== onRe2(foldSurrogates(text))) expect.fail(JSON.stringify([pattern, text]))
      }
    })
    expect(native).toBeGreaterThan(1000)
  })

  it('in the second engine, which agrees with the first', () => {
    const first = re2js.open()
    const second = re2Wasm.open()
    pairs(3, 600, 40, (pattern, texts) => {
      const result = parsePattern(pattern)
      if ('refusal' in result) return
      const source = toRe2(result.node)
      const [one, two] = [first(source), second(source)]
      for (const text of texts) {
        const folded = foldSurrogates(text)
        if (one(folded) !== two(folded)) expect.fail(JSON.stringify([pattern, text]))
      }
    })
  })

  it('and what is factored matches the same texts', () => {
    pairs(4, 2000, 15, (pattern, texts) => {
      const result = parsePattern(pattern)
      if ('refusal' in result) return
      const factored = new RegExp(toEcmaScript(factorAlternatives(result.node)))
      const reference = new RegExp(pattern)
      for (const text of texts) {
        if (factored.test(text) !== reference.test(text)) expect.fail(JSON.stringify([pattern, text, factored.source]))
      }
    })
  })

  it('and the parser accepts nothing that RegExp refuses, nor blames syntax that RegExp takes', () => {
    const random = randomSource(5)
    const seen = { accepted: 0, refused: 0 }
    for (let i = 0; i < 60_000; i += 1) {
      const pattern = randomSoup(random)
      const result = parsePattern(pattern)
      const reason = 'refusal' in result ? result.refusal.reason : null
      let isSyntax = true
      try {
        new RegExp(pattern)
      } catch {
        isSyntax = false
      }
      seen[reason === null ? 'accepted' : 'refused'] += 1
      if (reason === null && !isSyntax) expect.fail(`accepted what RegExp refuses: ${JSON.stringify(pattern)}`)
      if (reason === 'syntax' && isSyntax) expect.fail(`refused what RegExp takes: ${JSON.stringify(pattern)}`)
    }
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(10_000)
  })

  it('and what the soup makes of accepted patterns runs like RegExp', () => {
    const random = randomSource(6)
    let accepted = 0
    for (let i = 0; i < 20_000; i += 1) {
      const pattern = randomSoup(random)
      if ('refusal' in parsePattern(pattern)) continue
      accepted += 1
      const compiled = createSafeRegex().compile(pattern)
      const reference = new RegExp(pattern)
      for (const text of [randomText(random), randomSoup(random), pattern]) {
        if (compiled.test(text) !== reference.test(text)) expect.fail(JSON.stringify([pattern, text]))
      }
    }
    expect(accepted).toBeGreaterThan(3000)
  })
})
