/**
 * Parses the syntax of ECMAScript `RegExp` without flags, and refuses what the adapter does not run.
 *
 * INVARIANT: an accepted pattern means exactly what `new RegExp(pattern)` means. Legacy syntax (Annex B) is either read
 * as `RegExp` reads it (`{`, `}` and `]` as literal characters, `[a-\d]`), or refused as `unsupported` (`\c!`, octal
 * escapes, `\A` for "A"). A pattern that is refused for `syntax` is one that `RegExp` refuses too. Source: spec
 * compliance 2.3.
 */

import type { RegexRefusal, RegexRefusalReason } from '../types.js'
import { own } from '../value/own.js'
import { alternate, concat, EMPTY, type PatternNode } from './ast.js'
import { type CharSet, complement, DIGIT, DOT, fromRanges, ranges, SPACE, single, union, WORD } from './char-set.js'
import { MAX_GROUP_DEPTH, MAX_REPEAT } from './limits.js'

export type ParseResult = { readonly node: PatternNode } | { readonly refusal: RegexRefusal }

/** Parses a pattern of any length. The caller enforces the length limit. */
export function parsePattern(pattern: string): ParseResult {
  try {
    if (pattern === '') return { refusal: { reason: 'empty', message: 'the pattern is empty', position: 0 } }
    return { node: new PatternParser(pattern).parse() }
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal }
    throw error
  }
}

/** Ends the recursive descent at the first refusal. It is always caught in this module. */
class Refused extends Error {
  readonly refusal: RegexRefusal
  constructor(refusal: RegexRefusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** What an enclosing quantifier must know about a node. */
interface Term {
  readonly node: PatternNode
  /** True when the node contains an unbounded quantifier at any depth. */
  readonly unbounded: boolean
  /** The largest product of nested repeat bounds. */
  readonly repeats: number
}

const ESCAPES: Readonly<Record<string, CharSet>> = {
  f: single(0x0c),
  n: single(0x0a),
  r: single(0x0d),
  t: single(0x09),
  v: single(0x0b),
  d: DIGIT,
  D: complement(DIGIT),
  s: SPACE,
  S: complement(SPACE),
  w: WORD,
  W: complement(WORD),
}

const ASSERTIONS = [
  ['^', 'start'],
  ['$', 'end'],
  ['\\b', 'word'],
  ['\\B', 'notWord'],
] as const

const isDigit = (char: string) => char >= '0' && char <= '9' && char.length === 1
const isLetter = (char: string) => /^[A-Za-z]$/.test(char)

class PatternParser {
  readonly #pattern: string
  #at = 0
  #depth = 0
  readonly #names = new Set<string>()

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  parse(): PatternNode {
    const term = this.#disjunction()
    if (this.#at < this.#pattern.length) this.#refuse('syntax', 'unmatched )', this.#at)
    return term.node
  }

  #refuse(reason: RegexRefusalReason, message: string, position: number): never {
    throw new Refused({ reason, message, position })
  }

  #looksAt(text: string): boolean {
    return this.#pattern.startsWith(text, this.#at)
  }

  #skip(text: string): boolean {
    if (!this.#looksAt(text)) return false
    this.#at += text.length
    return true
  }

  #disjunction(): Term {
    const branches: Term[] = []
    do branches.push(this.#alternative())
    while (this.#skip('|'))
    return summary(alternate(branches.map((branch) => branch.node)), branches)
  }

  #alternative(): Term {
    const items: Term[] = []
    while (this.#at < this.#pattern.length && !this.#looksAt('|') && !this.#looksAt(')')) items.push(this.#term())
    return summary(concat(items.map((item) => item.node)), items)
  }

  #term(): Term {
    const assertion = this.#assertion()
    const atom = assertion === null ? this.#atom() : plain(assertion)
    const position = this.#at
    const quantifier = this.#quantifier()
    if (quantifier === null) return atom
    const again = assertion === null ? this.#at : position
    if (assertion !== null || this.#quantifier() !== null) this.#refuse('syntax', 'nothing to repeat', again)
    return this.#repeat(atom, quantifier, position)
  }

  #assertion(): PatternNode | null {
    for (const [text, assertion] of ASSERTIONS) if (this.#skip(text)) return { kind: 'assert', assertion }
    return null
  }

  #repeat(atom: Term, { min, max }: Bounds, position: number): Term {
    const unbounded = max === Infinity
    const bound = Math.max(min, unbounded ? 1 : max, 1)
    if (bound > MAX_REPEAT) this.#refuse('unsafe', `a repeat bound is over ${MAX_REPEAT}`, position)
    if (min > max) this.#refuse('syntax', 'repeat bounds are out of order', position)
    if (unbounded && atom.unbounded) {
      this.#refuse('unsafe', 'an unbounded repeat holds another unbounded repeat', position)
    }
    const repeats = bound * atom.repeats
    if (repeats > MAX_REPEAT) this.#refuse('unsafe', `nested repeat bounds multiply to over ${MAX_REPEAT}`, position)
    const node: PatternNode =
      max === 0 ? EMPTY : min === 1 && max === 1 ? atom.node : { kind: 'repeat', body: atom.node, min, max }
    return { node, unbounded: unbounded || atom.unbounded, repeats }
  }

  /** Reads a quantifier and its lazy mark, or nothing. A brace that is not a quantifier is a literal character. */
  #quantifier(): Bounds | null {
    const bounds = this.#bounds()
    if (bounds !== null) this.#skip('?')
    return bounds
  }

  #bounds(): Bounds | null {
    if (this.#skip('*')) return { min: 0, max: Infinity }
    if (this.#skip('+')) return { min: 1, max: Infinity }
    if (this.#skip('?')) return { min: 0, max: 1 }
    return this.#looksAt('{') ? this.#braces() : null
  }

  #braces(): Bounds | null {
    const start = this.#at
    this.#at += 1
    const min = this.#digits()
    let max = min
    if (min !== null && this.#skip(',')) max = this.#digits() ?? Infinity
    if (min !== null && max !== null && this.#skip('}')) return { min, max }
    this.#at = start
    return null
  }

  #digits(): number | null {
    const start = this.#at
    while (isDigit(this.#pattern.charAt(this.#at))) this.#at += 1
    // A bound too large for a number must still exceed every limit. It cannot become Infinity, which means "no bound".
    return this.#at === start ? null : Math.min(Number(this.#pattern.slice(start, this.#at)), Number.MAX_VALUE)
  }

  #atom(): Term {
    const start = this.#at
    const char = this.#pattern.charAt(start)
    switch (char) {
      case '(':
        return this.#group()
      case '[':
        return leaf(this.#characterClass())
      case '\\':
        return leaf(this.#escape(false))
      case '.':
        this.#at += 1
        return leaf(DOT)
      case '*':
      case '+':
      case '?':
        return this.#refuse('syntax', 'nothing to repeat', start)
      case '{':
        if (this.#braces() !== null) this.#refuse('syntax', 'nothing to repeat', start)
        break
    }
    this.#at += 1
    return leaf(single(this.#pattern.charCodeAt(start)))
  }

  #group(): Term {
    const start = this.#at
    this.#at += 1
    this.#depth += 1
    if (this.#depth > MAX_GROUP_DEPTH) {
      this.#refuse('unsafe', `groups nest deeper than ${MAX_GROUP_DEPTH}`, start)
    }
    if (this.#looksAt('?')) this.#groupHead(start)
    const body = this.#disjunction()
    if (!this.#skip(')')) this.#refuse('syntax', 'unterminated group', start)
    this.#depth -= 1
    return body
  }

  #groupHead(start: number): void {
    const rest = this.#pattern.slice(this.#at, this.#at + 16)
    if (/^\?<?[=!]/.test(rest)) this.#refuse('unsupported', 'look-around is not supported', start)
    if (this.#skip('?:')) return
    if (this.#skip('?<')) {
      this.#groupName(start)
      return
    }
    if (/^\?[A-Za-z-]*[:)]/.test(rest)) this.#refuse('unsupported', 'inline flags are not supported', start)
    this.#refuse('syntax', 'invalid group', start)
  }

  /**
   * Group names have no effect without back-references. Only plain names are accepted, so that no two parsers can read
   * them differently.
   */
  #groupName(start: number): void {
    const end = this.#pattern.indexOf('>', this.#at)
    const name = end < 0 ? '' : this.#pattern.slice(this.#at, end)
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) {
      this.#refuse('unsupported', 'a group name must be a plain ASCII identifier', start)
    }
    if (this.#names.has(name)) this.#refuse('unsupported', 'two groups have the same name', start)
    this.#names.add(name)
    this.#at = end + 1
  }

  #characterClass(): CharSet {
    const start = this.#at
    this.#at += 1
    const negated = this.#skip('^')
    const members: [number, number][] = []
    while (!this.#skip(']')) {
      if (this.#at >= this.#pattern.length) this.#refuse('syntax', 'unterminated character class', start)
      members.push(...ranges(this.#classRange()))
    }
    const set = fromRanges(members)
    return negated ? complement(set) : set
  }

  /** Reads one member or one range. A `-` next to `\d` and similar classes is a literal character (Annex B). */
  #classRange(): CharSet {
    const start = this.#at
    const low = this.#classAtom()
    const isRange = this.#looksAt('-') && this.#at + 1 < this.#pattern.length && this.#pattern[this.#at + 1] !== ']'
    if (!isRange) return low
    this.#at += 1
    const high = this.#classAtom()
    const lo = onlyUnit(low)
    const hi = onlyUnit(high)
    if (lo === null || hi === null) return union(union(low, high), single(0x2d))
    if (lo > hi) this.#refuse('syntax', 'range out of order in character class', start)
    return fromRanges([[lo, hi]])
  }

  #classAtom(): CharSet {
    if (this.#looksAt('\\')) return this.#escape(true)
    const unit = this.#pattern.charCodeAt(this.#at)
    this.#at += 1
    return single(unit)
  }

  #escape(inClass: boolean): CharSet {
    const start = this.#at
    const char = this.#pattern.charAt(start + 1)
    this.#at += 2
    if (char === '') this.#refuse('syntax', 'the pattern ends in a backslash', start)
    const known = own(ESCAPES, char) as CharSet | undefined
    if (known !== undefined) return known
    if (char === 'b' && inClass) return single(0x08)
    if (char === 'c') return single(this.#controlLetter(start))
    if (char === 'x') return single(this.#hex(2, start))
    if (char === 'u') return single(this.#unicode(start))
    if (char === 'k' || (isDigit(char) && char !== '0' && !inClass)) {
      this.#refuse('unsupported', 'back-references are not supported', start)
    }
    if (isDigit(char)) return single(this.#nul(char, start))
    if (isLetter(char)) this.#refuse('unsupported', `the escape \\${char} is not supported`, start)
    return single(char.charCodeAt(0))
  }

  #controlLetter(start: number): number {
    const letter = this.#pattern.charAt(this.#at)
    if (!isLetter(letter)) this.#refuse('unsupported', '\\c needs a letter', start)
    this.#at += 1
    return letter.charCodeAt(0) % 32
  }

  #hex(length: number, start: number): number {
    const digits = this.#pattern.slice(this.#at, this.#at + length)
    if (digits.length < length || !/^[0-9A-Fa-f]+$/.test(digits)) {
      this.#refuse('unsupported', `\\${this.#pattern.charAt(start + 1)} needs ${length} hexadecimal digits`, start)
    }
    this.#at += length
    return Number.parseInt(digits, 16)
  }

  #unicode(start: number): number {
    const unit = this.#hex(4, start)
    if (unit >= 0xd800 && unit <= 0xdfff) this.#refuse('unsupported', 'surrogate escapes are not supported', start)
    return unit
  }

  #nul(char: string, start: number): number {
    if (char !== '0' || isDigit(this.#pattern.charAt(this.#at))) {
      this.#refuse('unsupported', 'octal escapes are not supported', start)
    }
    return 0
  }
}

interface Bounds {
  readonly min: number
  readonly max: number
}

function leaf(set: CharSet): Term {
  return plain({ kind: 'set', set })
}

function plain(node: PatternNode): Term {
  return { node, unbounded: false, repeats: 1 }
}

function summary(node: PatternNode, parts: readonly Term[]): Term {
  return {
    node,
    unbounded: parts.some((part) => part.unbounded),
    repeats: parts.reduce((most, part) => Math.max(most, part.repeats), 1),
  }
}

/** The unit of a set that has exactly one, as both ends of `[a-z]` must have; otherwise null. */
function onlyUnit(set: CharSet): number | null {
  const [range, more] = ranges(set)
  return range !== undefined && more === undefined && range[0] === range[1] ? range[0] : null
}
