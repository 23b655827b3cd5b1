/**
 * Writes a parsed pattern back as source text, in a normal form of ASCII letters, digits, operators and escapes.
 *
 * There are two alphabets. For `RegExp` a character is a UTF-16 unit. RE2 reads code points and has none for half a
 * surrogate pair. So for RE2 each surrogate unit is replaced with one code point of a private-use plane, in the pattern
 * and in the text (`foldSurrogates`). The mapping is a bijection, so both engines see the same sequence of characters.
 */

import type { PatternNode } from './ast.js'
import { type CharSet, complement, LAST_UNIT, ranges } from './char-set.js'

const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff
/** Where the surrogate units are mapped to: the start of plane 16. */
const PRIVATE_PLANE = 0x100000
const SHIFT = PRIVATE_PLANE - FIRST_SURROGATE

interface Alphabet {
  readonly everything: string
  readonly nothing: string
  readonly anchors: Readonly<Record<'start' | 'end' | 'word' | 'notWord', string>>
  escape(unit: number): string
  /** The ranges of a set in this alphabet. */
  ranges(set: CharSet): readonly (readonly [number, number])[]
}

const ECMASCRIPT: Alphabet = {
  everything: '[^]',
  nothing: '[]',
  anchors: { start: '^', end: '$', word: '\\b', notWord: '\\B' },
  escape: (unit) => `\\u${unit.toString(16).padStart(4, '0')}`,
  ranges,
}

const RE2: Alphabet = {
  everything: '[\\x{0}-\\x{10ffff}]',
  nothing: '[^\\x{0}-\\x{10ffff}]',
  anchors: { start: '\\A', end: '\\z', word: '\\b', notWord: '\\B' },
  escape: (point) => `\\x{${point.toString(16)}}`,
  ranges: (set) => ranges(set).flatMap(([lo, hi]) => foldRange(lo, hi)),
}

/**
 * Source for `new RegExp(source)`. It is also valid as the body of a regular expression literal, because it contains no
 * `/` and no line break.
 */
export function toEcmaScript(node: PatternNode): string {
  return emit(node, ECMASCRIPT)
}

/** Source for RE2, to be run on texts that `foldSurrogates` returned. */
export function toRe2(node: PatternNode): string {
  return emit(node, RE2)
}

/** The text in the alphabet of `toRe2`. A text without surrogates, as nearly all are, is returned unchanged. */
export function foldSurrogates(text: string): string {
  if (!/[\ud800-\udfff]/.test(text)) return text
  return text.replace(/[\ud800-\udfff]/g, (unit) => String.fromCodePoint(unit.charCodeAt(0) + SHIFT))
}

function foldRange(lo: number, hi: number): [number, number][] {
  const out: [number, number][] = []
  if (lo < FIRST_SURROGATE) out.push([lo, Math.min(hi, FIRST_SURROGATE - 1)])
  if (hi > LAST_SURROGATE) out.push([Math.max(lo, LAST_SURROGATE + 1), hi])
  const from = Math.max(lo, FIRST_SURROGATE)
  const to = Math.min(hi, LAST_SURROGATE)
  if (from <= to) out.push([from + SHIFT, to + SHIFT])
  return out
}

function emit(node: PatternNode, alphabet: Alphabet): string {
  switch (node.kind) {
    case 'empty':
      return '(?:)'
    case 'set':
      return emitSet(node.set, alphabet)
    case 'assert':
      return alphabet.anchors[node.assertion]
    case 'concat':
      return node.items.map((item) => (item.kind === 'alt' ? group(item, alphabet) : emit(item, alphabet))).join('')
    case 'alt':
      return node.branches.map((branch) => emit(branch, alphabet)).join('|')
    case 'repeat': {
      const body = node.body.kind === 'set' ? emit(node.body, alphabet) : group(node.body, alphabet)
      return body + bounds(node.min, node.max)
    }
  }
}

function group(node: PatternNode, alphabet: Alphabet): string {
  return `(?:${emit(node, alphabet)})`
}

function bounds(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max}}`
}

function emitSet(set: CharSet, alphabet: Alphabet): string {
  if (set.length === 0) return alphabet.nothing
  if (set.length === 2 && set[0] === 0 && set[1] === LAST_UNIT) return alphabet.everything
  const members = alphabet.ranges(set)
  const [first] = members
  if (members.length === 1 && first !== undefined && first[0] === first[1]) return emitUnit(first[0], alphabet)
  // The complement is exact as well, because code points outside the alphabet never occur in a text.
  const others = alphabet.ranges(complement(set))
  return others.length < members.length ? `[^${emitRanges(others, alphabet)}]` : `[${emitRanges(members, alphabet)}]`
}

function emitRanges(members: readonly (readonly [number, number])[], alphabet: Alphabet): string {
  return members
    .map(([lo, hi]) => emitUnit(lo, alphabet) + (hi > lo ? `${hi > lo + 1 ? '-' : ''}${emitUnit(hi, alphabet)}` : ''))
    .join('')
}

function emitUnit(unit: number, alphabet: Alphabet): string {
  const isAlphanumeric =
    (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a)
  return isAlphanumeric ? String.fromCharCode(unit) : alphabet.escape(unit)
}
