import { describe, expect, it } from 'vitest'
import type { RegexRefusalReason } from '../types.js'
import { parsePattern } from './parse.js'

const refusal = (pattern: string) => {
  const result = parsePattern(pattern)
  return 'refusal' in result ? result.refusal : null
}

/** pattern, reason, position. */
const REFUSED: readonly (readonly [string, RegexRefusalReason, number])[] = [
  ['', 'empty', 0],
  // Look-around.
  ['(?=a)', 'unsupported', 0],
  ['a(?!b)', 'unsupported', 1],
  ['(?<=a)b', 'unsupported', 0],
  ['x(?<!a)b', 'unsupported', 1],
  // Back-references, in every dress.
  ['(a)\\1', 'unsupported', 3],
  ['\\1(a)', 'unsupported', 0],
  ['(?<a>x)\\k<a>', 'unsupported', 7],
  ['\\k', 'unsupported', 0],
  ['[\\k]', 'unsupported', 1],
  // Inline flags.
  ['(?i)a', 'unsupported', 0],
  ['(?i:a)', 'unsupported', 0],
  ['a(?-s:.)', 'unsupported', 1],
  ['(?i-m:a)', 'unsupported', 0],
  // Groups that other dialects know.
  ['(?P<a>x)', 'syntax', 0],
  ['(?>a)', 'syntax', 0],
  ['(?#note)', 'syntax', 0],
  ['(?|a)', 'syntax', 0],
  // Names.
  ['(?<a>x)(?<a>y)', 'unsupported', 7],
  ['(?<a>x)|(?<a>y)', 'unsupported', 8],
  ['(?<é>x)', 'unsupported', 0],
  ['(?<\\u0061>x)', 'unsupported', 0],
  ['(?<1>x)', 'unsupported', 0],
  ['(?<a', 'unsupported', 0],
  // Repeats.
  ['a{1001}', 'unsafe', 1],
  ['a{1001,}', 'unsafe', 1],
  ['a{0,1001}', 'unsafe', 1],
  ['a{2000,1001}', 'unsafe', 1],
  ['a{99999999999999999999}', 'unsafe', 1],
  ['(?:a{100}){11}', 'unsafe', 10],
  ['(?:(?:a{10}b?){10}){11}', 'unsafe', 19],
  ['a{3,2}', 'syntax', 1],
  // Nested unbounded repeats, however they are dressed.
  ['(a+)+', 'unsafe', 4],
  ['((a+))+', 'unsafe', 6],
  ['(a+?)+', 'unsafe', 5],
  ['(a+)+?', 'unsafe', 4],
  ['(.*,)*', 'unsafe', 5],
  ['(?:a*b){2,}', 'unsafe', 7],
  ['(?:(?:ab*c){1,5})*', 'unsafe', 17],
  ['(x|y(z{3,}))*', 'unsafe', 12],
  ['(?<n>a+)+', 'unsafe', 8],
  [`${'('.repeat(51)}a${')'.repeat(51)}`, 'unsafe', 50],
  // Escapes without a meaning here.
  ['\\ud83d', 'unsupported', 0],
  ['[\\uDC00-\\uDFFF]', 'unsupported', 1],
  ['\\u{61}', 'unsupported', 0],
  ['\\u12', 'unsupported', 0],
  ['\\x4', 'unsupported', 0],
  ['\\c', 'unsupported', 0],
  ['\\c1', 'unsupported', 0],
  ['[\\c_]', 'unsupported', 1],
  ['\\01', 'unsupported', 0],
  ['\\8', 'unsupported', 0],
  ['[\\7]', 'unsupported', 1],
  ['\\p{L}', 'unsupported', 0],
  ['\\A', 'unsupported', 0],
  ['a\\z', 'unsupported', 1],
  ['\\Qa.b\\E', 'unsupported', 0],
  ['[\\B]', 'unsupported', 1],
  // Syntax.
  ['a)', 'syntax', 1],
  ['(a', 'syntax', 0],
  ['a(b(c)', 'syntax', 1],
  ['[a', 'syntax', 0],
  ['[a-', 'syntax', 0],
  ['[z-a]', 'syntax', 1],
  ['[😀-😂]', 'syntax', 2],
  ['*', 'syntax', 0],
  ['a**', 'syntax', 2],
  ['a{2}{3}', 'syntax', 4],
  ['a|+', 'syntax', 2],
  ['^*', 'syntax', 1],
  ['\\b+', 'syntax', 2],
  ['{2}', 'syntax', 0],
  ['^{2}', 'syntax', 1],
  ['a\\', 'syntax', 1],
  ['[\\', 'syntax', 1],
]

const ACCEPTED = [
  '(a)'.repeat(60),
  '\\++',
  '[+*]+',
  '(a{2,5}){3}',
  '(a+){5}',
  '(?:a*)?',
  'a+b+c*',
  '(?<name>a)(?<other>b)',
  '{',
  'a{',
  'a{,5}',
  'a{x}',
  '}',
  ']',
  '[]',
  '[^]',
  '[a-\\d]',
  '[\\w-.]',
  '[a-]',
  '[\\b]',
  '\\0',
  '\\cA',
  '\\-\\/\\_\\"',
  '\\x41\\u00e9',
  '(|a)',
  '()',
  '|',
  '(?:)*',
  '[😀]',
  '😀+',
  'a{1000}',
  '^.{1,1000}$',
  'a{0}',
  '\\B',
  `${'('.repeat(50)}a${')'.repeat(50)}`,
]

describe('the parser of patterns', () => {
  it.each(REFUSED)('refuses %j as %s at %i', (pattern, reason, position) => {
    expect(refusal(pattern)).toMatchObject({ reason, position })
    expect(refusal(pattern)?.message).toMatch(/^(the|[a-z\\])/)
  })

  it.each(REFUSED.filter(([, reason]) => reason === 'syntax'))('agrees with RegExp that %j is wrong', (pattern) => {
    expect(() => new RegExp(pattern)).toThrow(SyntaxError)
  })

  it.each(ACCEPTED)('accepts %j, as RegExp does', (pattern) => {
    expect(refusal(pattern)).toBeNull()
    expect(new RegExp(pattern)).toBeInstanceOf(RegExp)
  })
})
