import { describe, expect, it } from 'vitest'
import { MAX_TEXT_UNITS } from './limits.js'
import { createSafeRegex } from './safe-regex.js'

const NATIVE = [
  '^[a-z][a-z0-9-]{1,63}$',
  '^[a-z][a-z0-9-]{2,63}$',
  '^\\d+\\.\\d+\\.\\d+$',
  '^(a|b|c)$',
  '^v?\\d+(\\.\\d+){0,2}$',
  '^https://',
  '^https?://[^/]+/',
  '^[A-Z_]*$',
  '^(dev|develop|main)$',
  '^(?:feature|fix|feat)/.+',
  '^[^@\\s]+@[^@\\s]+$',
  '^(^a|^b)c*$',
  '(^a+|^b+)$',
  '^$',
  '^.{10,500}$',
  '^\\bfoo\\b',
  '^foo.*',
  // One-unambiguous once their alternatives are factored.
  '^(a|ab){0,9}$',
  '^(a|a)*b',
  // Bounded once their ends are trimmed.
  '[a-z]+x',
  'a*b',
  '\\s+$',
  '.*,',
  '\\d+\\.\\d+',
  '^a|b+c',
  '(?:^)?a+b',
  // Bounded length, anywhere in the text.
  'foo',
  'latest$',
  '\\.ya?ml$',
  '\\.(?:json|ya?ml)$',
  '[A-Z]{3}-\\d{4}',
  '\\bTODO\\b',
  '[]',
]

/** Thirty alternatives, each of one character. */
const MANY = Array.from({ length: 30 }, (_, i) => String.fromCharCode(0x4e00 + i)).join('|')

/** Searching these with RegExp is quadratic or worse, or is not shown to be linear. */
const NOT_NATIVE = [
  // Not anchored, not bounded: every start may run to the end.
  'a[a-z]+x',
  'xa*b',
  '\\ba+b',
  '^a|xb+c',
  'x(?:^a|b){2,}c',
  '\\d\\.\\d+\\.',
  'xa*^b',
  '\\s(?:^)?a+b',
  // Ambiguous.
  '^.*foo',
  '^a*a*$',
  '^a?a*$',
  '^(a|b|ab)*$',
  '^(?:a|[a-c])*d',
  '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$',
  '^(a?|b?)c',
  '^(?:(?:a?|b?)c){20}$',
  '^(a?){5}$',
  '^(a*){5}$',
  '^(?:\\b)*a+$',
  '^(?:a{2,3}){2,9}$',
  '^(?:a{1,2}){9}$',
  '^(a+b?){5}a',
  '^(?:a?ab)*c$',
  '\\b(?:^a)?b+c',
  // One unit too long for the bound of unanchored work.
  '[a-z]{30}\\d',
  // More choices at one place than the bound.
  `\\b^(?:${MANY})`,
  `^(?:${MANY})*$`,
]

/** Published patterns that hang a backtracking engine, as far as the dialect has them. */
const REDOS = [
  '^(a+)+$',
  '^([a-zA-Z]+)*$',
  '(a|aa)+$',
  '(a|a?)+$',
  '(.*a){11}',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
  '\\s*$',
  '\\s+$',
  '^(\\w+\\s?)*$',
  '(?:a?){25}a{25}',
  '(x+x+)+y',
  '^\\d+1337\\d+$',
  '.*.*=.*',
  '(a?){25}[ab]',
  '([^,]*,){10}P',
  '^((ab)*)+$',
  '(a|b|ab)*c',
  '(\\w*,?)*;',
  '<[^>]*>[^<]*<\\/',
]

/** Accepted by the proof, with the text that costs most. */
const WORST: readonly (readonly [string, string])[] = [
  ['^[a-z]+$', 'a'],
  ['^[a-z][a-z0-9-]*$', 'a'],
  ['^(?:ab)*$', 'ab'],
  ['^(?:ab)*?$', 'ab'],
  ['^(?:a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q|r|s|t)*$', 't'],
  ['^(?:a?b?c?d?e?f?g?h?i?j?k?l?m?n?o?p?q?r?s?t)*$', 't'],
  ['^(?:a{0,500}b)*$', 'aab'],
  ['^(?:\\b\\b\\ba)*$', 'a'],
  ['^(?:\\w+,){5}[^]*$', 'a'],
  ['^.{0,1000}$', 'a'],
  ['[a-z]{19}\\d', 'a'],
  ['a{18}b', 'a'],
  ['[^\\s\\d]{18}x', '\u3042'],
  ['aaaaaaaaaaaaaaaaaaaab', 'a'],
  ['(?:a|b|c|d|e|f|g|h)z', 'h'],
  ['(?:ab?c?){2}z', 'abc'],
  ['\\b\\B\\b\\B\\b\\B\\b\\B\\b\\Bz', ' a'],
]

/** Milliseconds of processor time, which neighbours on the machine do not lengthen. */
function processorTime(run: () => void): number {
  const started = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

describe('the class of patterns that may run on RegExp', () => {
  it.each(NATIVE)('holds %s', (pattern) => {
    expect(createSafeRegex().check(pattern, 100)).toBeNull()
    expect(createSafeRegex().compile(pattern).engine).toBe('native')
  })

  it.each(NOT_NATIVE)('does not hold %s', (pattern) => {
    const regex = createSafeRegex()
    if (regex.check(pattern, 100) === null) expect(regex.compile(pattern).engine).not.toBe('native')
    else expect(regex.check(pattern, 100)?.reason).toBe('unsafe')
  })

  it.each(REDOS)('answers %s at once on the texts that hang RegExp', (pattern) => {
    const regex = createSafeRegex()
    if (regex.check(pattern, 200) !== null) {
      expect(regex.check(pattern, 200)?.reason).toBe('unsafe')
      return
    }
    const compiled = regex.compile(pattern)
    const milliseconds = processorTime(() => {
      for (const text of ['a'.repeat(4000), `${'aA1'.repeat(1000)}!`, ' '.repeat(4000), `${'x,'.repeat(2000)}`]) {
        compiled.test(text)
      }
    })
    expect(milliseconds).toBeLessThan(5000)
  })

  // Work that grows with the square of the text would take minutes here; how fast it is, the hostile proof measures.
  it.each(WORST)('answers %s without hanging on 64 KiB', (pattern, unit) => {
    const compiled = createSafeRegex().compile(pattern)
    expect(compiled.engine).toBe('native')
    const text = `${unit.repeat(MAX_TEXT_UNITS).slice(0, MAX_TEXT_UNITS - 1)}!`
    expect(processorTime(() => compiled.test(text))).toBeLessThan(2000)
  })
})
