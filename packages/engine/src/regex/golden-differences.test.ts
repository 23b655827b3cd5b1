import { readFileSync } from 'node:fs'
import { RE2 } from 're2-wasm'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { re2Wasm } from '../re2-wasm.js'
import { foldSurrogates, toRe2 } from './emit.js'
import { parsePattern } from './parse.js'
import { re2js } from './re2js.js'
import { createSafeRegex } from './safe-regex.js'

interface Difference {
  readonly what: string
  readonly pattern: string
  readonly text: string
  readonly regexp: boolean
  readonly re2js: boolean | 'error'
  readonly re2wasm: boolean | 'error'
}

/**
 * Where the engines by themselves read a pattern differently from RegExp. An engine upgrade that changes a row is seen
 * here; the adapter has no such rows.
 */
const GOLDEN: readonly Difference[] = JSON.parse(
  readFileSync(new URL('../../test/vectors/regex-differences.json', import.meta.url), 'utf8'),
)

function verdict(run: () => boolean): boolean | 'error' {
  try {
    return run()
  } catch {
    return 'error'
  }
}

describe.each(GOLDEN)('$what: $pattern', ({ pattern, text, regexp, re2js: raw, re2wasm: rawWasm }) => {
  it('is a difference of the engines, unchanged', () => {
    expect(new RegExp(pattern).test(text)).toBe(regexp)
    expect(verdict(() => RE2JS.compile(pattern).test(text))).toBe(raw)
    expect(verdict(() => new RE2(pattern, 'u').test(text))).toBe(rawWasm)
    expect([raw, rawWasm]).not.toEqual([regexp, regexp])
  })

  it('is none of the adapter, whichever engine it uses', () => {
    const result = parsePattern(pattern)
    if ('refusal' in result) throw new Error(result.refusal.message)
    expect(createSafeRegex().compile(pattern).test(text)).toBe(regexp)
    for (const engine of [re2js, re2Wasm]) {
      expect(engine.open()(toRe2(result.node))(foldSurrogates(text))).toBe(regexp)
    }
  })
})
