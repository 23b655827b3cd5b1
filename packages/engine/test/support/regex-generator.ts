/**
 * Random patterns and texts for the differential tests and the proof run.
 *
 * Texts are hostile to anything that does not read UTF-16 units: lone and swapped surrogates, astral characters, every
 * white space of ECMAScript, line terminators, NUL and the ends of the planes.
 */

/** A small seeded generator (mulberry32), so that a failing seed repeats. */
export function randomSource(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Random = (below: number) => number

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)] as T

/** Few letters, so that patterns and texts meet. */
const PLAIN = ['a', 'b', 'c', 'x', 'Z', '0', '1', '9', '_', '-', ',', ':', '/', ' ']

const HOSTILE = [
  '\0',
  '\b',
  '\t',
  '\n',
  '\v',
  '\f',
  '\r',
  '\x1f',
  '\x7f',
  '\x85',
  '\xa0',
  'é',
  'ß',
  '\u017f',
  '\u180e',
  '\u1680',
  '\u200b',
  '\u2028',
  '\u2029',
  '\u202f',
  '\u212a',
  '\u3000',
  '\ud7ff',
  '\ud800',
  '\udbff',
  '\udc00',
  '\udfff',
  '\ue000',
  '\ufeff',
  '\ufffd',
  '\uffff',
  '😀',
  '\u{10000}',
  '\u{100000}',
  '\u{10ffff}',
  '\ude00\ud83d',
]

export function randomText(random: Random, maxParts = 12): string {
  let text = ''
  for (let parts = random(maxParts + 1); parts > 0; parts -= 1) {
    text += random(4) === 0 ? pick(random, HOSTILE) : pick(random, PLAIN)
  }
  return text
}

const ESCAPES = ['\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\n', '\\t', '\\v', '\\0', '\\x41', '\\u2028', '\\cJ']
const SYNTAX_ESCAPES = ['\\.', '\\*', '\\[', '\\]', '\\(', '\\)', '\\{', '\\/', '\\\\', '\\-', '\\^', '\\$', '\\|']
const CLASS_PARTS = [
  'a-c',
  'x-z',
  'A-Z',
  '0-9',
  '\\d',
  '\\W',
  '\\s',
  '\\S',
  '\\b',
  '^',
  '-',
  '.',
  '*',
  '[',
  'é-ü',
  '!--',
]
const ANCHORS = ['^', '$', '\\b', '\\B']
const QUANTIFIERS = ['*', '+', '?', '*?', '+?', '??', '{0}', '{1}', '{2}', '{0,2}', '{1,3}', '{2,}', '{0,1}?', '{3}']
const SAFE_IN_CLASS = /[\]\\]/

function randomClass(random: Random): string {
  let body = random(3) === 0 ? '^' : ''
  for (let parts = random(4); parts > 0; parts -= 1) {
    const part = random(2) === 0 ? pick(random, CLASS_PARTS) : pick(random, [...PLAIN, ...HOSTILE])
    body += SAFE_IN_CLASS.test(part) && !part.startsWith('\\') ? '' : part
  }
  return `[${body}]`
}

function randomAtom(random: Random, depth: number): string {
  const choice = random(depth > 0 ? 12 : 9)
  if (choice < 4) return pick(random, PLAIN)
  if (choice === 4) return pick(random, HOSTILE)
  if (choice === 5) return '.'
  if (choice === 6) return pick(random, ESCAPES)
  if (choice === 7) return pick(random, [...SYNTAX_ESCAPES, '{', '}', ']', '{,2}'])
  if (choice === 8) return randomClass(random)
  return `${pick(random, ['(', '(?:', '(?:', '(?<n>'])}${randomBranches(random, depth - 1)})`
}

function randomSequence(random: Random, depth: number): string {
  let sequence = ''
  for (let terms = random(4); terms > 0; terms -= 1) {
    if (random(10) === 0) sequence += pick(random, ANCHORS)
    else sequence += randomAtom(random, depth) + (random(3) === 0 ? pick(random, QUANTIFIERS) : '')
  }
  return sequence
}

function randomBranches(random: Random, depth: number): string {
  let branches = randomSequence(random, depth)
  while (random(4) === 0) branches += `|${randomSequence(random, depth)}`
  return branches
}

/** A pattern that is often accepted, often anchored, and small enough that `RegExp` can be asked for its verdict. */
export function randomPattern(random: Random): string {
  const body = randomBranches(random, 2)
  const anchored = random(3)
  return anchored === 0 ? `^${body}$` : anchored === 1 ? `^(?:${body})` : body
}

/** Characters that make a pattern: mostly malformed, for the parser's agreement with `RegExp`. */
const SOUP = [
  ...'ab01-,.^$*+?()[]{}|\\/:<>=!bBcdDknsuwxpP_ '.split(''),
  '(?:',
  '(?<n>',
  '{2,3}',
  '\\u0061',
  '😀',
  '\ud83d',
]

export function randomSoup(random: Random): string {
  let soup = ''
  for (let parts = 1 + random(9); parts > 0; parts -= 1) soup += pick(random, SOUP)
  return soup
}
