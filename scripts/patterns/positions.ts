/**
 * Converts a regular expression to positions: one for each place that consumes a character, with the positions that can
 * follow.
 *
 * Where positions alone cannot express a pattern, they match more and never less: `\b` inside a pattern always holds,
 * and a lookahead is a path that ends. Repeats with a small bound stay bounded.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** A sample of characters that represents all others. Later ones are preferred in examples. */
const LETTERS = [...'?!.:/=<-_0123456789 \tABCDEFGHIJKLMNOPQRSTUVWXYZzyxwvutsrqponmlkjihgfedcba']
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code))
const BEYOND =
  '\u0085\u00a0\u00ad\u00c0\u00e0\u00c9\u00e9\u0130\u0131\u017f\u212a\u03a9\u0410\u044f\u0600\u0e01\u200b\u200d\u2028\u202e\u3000\u4e2d\ufeff\uffff\ud800'
const PLAIN: readonly string[] = [
  ...new Set([...BEYOND, ...ASCII.filter((char) => !LETTERS.includes(char)), ...LETTERS]),
]
/** Without the flag `u`, a pattern sees this as two units. */
const ASTRAL = '\u{1f600}'

/** A repeat with a higher bound counts as unbounded. */
const BOUNDED_MAX = 100
/** A bounded repeat is written out at most this many times. */
const COPIES_MAX = 3

export interface Position {
  readonly chars: ReadonlySet<string>
  /** A position is listed once for each path to it. */
  readonly next: number[]
  /** Whether a match can end here: never, only at the end of the text, or anywhere. */
  end: 'never' | 'at end' | 'anywhere'
}

export interface Positions {
  readonly all: readonly Position[]
  /** The positions where a match can start. The first one models the search for a start and consumes any character. */
  readonly starts: readonly number[]
}

/** A part of a pattern: its first and last positions. */
interface Part {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly isNullable: boolean
}

const NOTHING: Part = { first: [], last: [], isNullable: true }

export class Unsupported extends Error {}

export function positionsOf(source: string, flags: string): Positions {
  return new Builder(flags).build(source)
}

class Builder {
  readonly #all: Position[] = []
  readonly #flags: string
  readonly #alphabet: readonly string[]
  readonly #starts: number[] = []

  constructor(flags: string) {
    this.#flags = flags
    this.#alphabet = /[uv]/.test(flags) ? [ASTRAL, ...PLAIN] : PLAIN
  }

  build(source: string): Positions {
    const unicode = { unicode: this.#flags.includes('u'), unicodeSets: this.#flags.includes('v') }
    const { alternatives } = new RegExpParser().parsePattern(source, 0, source.length, unicode)
    const search = this.#add(new Set(this.#alphabet))
    this.#connect([search], [search])
    this.#starts.push(search)
    for (const { elements } of alternatives) this.#top(elements, search)
    return { all: this.#all, starts: this.#starts }
  }

  /**
   * Adds one top-level alternative. Assertions at its start restrict the preceding character, and one at its end
   * requires the end of the text.
   */
  #top(elements: readonly AST.Element[], search: number): void {
    let rest = [...elements]
    let before: ReadonlySet<string> = new Set(this.#alphabet)
    let isAtStart = this.#flags.includes('y')
    while (rest[0] !== undefined && rest[0].type === 'Assertion') {
      const allowed = this.#before(
        rest[0],
        rest.slice(1).find((each) => !isLookahead(each)),
      )
      if (allowed === null) break
      isAtStart ||= allowed.size === 0
      before = new Set([...before].filter((char) => allowed.has(char)))
      rest = rest.slice(1)
    }
    const final = rest.at(-1)
    const endsAtEnd = final?.type === 'Assertion' && final.kind === 'end'
    if (endsAtEnd) rest = rest.slice(0, -1)
    const { first, last, isNullable } = this.#sequence(rest)
    const endsAnywhere = !endsAtEnd && final?.type !== 'Assertion'
    const end = endsAtEnd ? 'at end' : endsAnywhere ? 'anywhere' : 'never'
    for (const at of last) this.#at(at).end = end
    this.#starts.push(...first)
    // Nothing is searched for if a match must begin at the start of the text, or if the empty text matches everywhere.
    if (isAtStart || (isNullable && endsAnywhere)) return
    if (before.size === this.#alphabet.length) this.#connect([search], first)
    else {
      const gate = this.#add(before)
      this.#connect([search], [gate])
      this.#connect([gate], first)
    }
  }

  /**
   * The characters allowed before an assertion at the start: an empty set if it requires the start of the text, null if
   * any character is allowed.
   */
  #before(assertion: AST.Assertion, following: AST.Element | undefined): ReadonlySet<string> | null {
    if (assertion.kind === 'start') return this.#flags.includes('m') ? this.#those(/[\n\r\u2028\u2029]/) : new Set()
    if (assertion.kind === 'word' && !assertion.negate && following !== undefined) {
      return this.#beginsWord(following) ? this.#those(/\W/) : null
    }
    if (assertion.kind !== 'lookbehind') return null
    const [only, more] = assertion.alternatives.length === 1 ? (assertion.alternatives[0]?.elements ?? []) : []
    if (only === undefined || more !== undefined || !isCharacter(only)) return null
    const chars = this.#chars(only.raw)
    return assertion.negate ? new Set(this.#alphabet.filter((char) => !chars.has(char))) : chars
  }

  /** Whether the element always starts with a word character. */
  #beginsWord(element: AST.Element): boolean {
    if (element.type === 'Quantifier') return element.min > 0 && this.#beginsWord(element.element)
    if (element.type === 'Group' || element.type === 'CapturingGroup') {
      return element.alternatives.every(({ elements: [first] }) => first !== undefined && this.#beginsWord(first))
    }
    return isCharacter(element) && [...this.#chars(element.raw)].every((char) => /\w/.test(char))
  }

  #sequence(elements: readonly AST.Element[]): Part {
    return elements.reduce((part, element) => this.#then(part, this.#part(element)), NOTHING)
  }

  #part(element: AST.Element): Part {
    if (isCharacter(element)) {
      const at = this.#add(this.#chars(element.raw))
      return { first: [at], last: [at], isNullable: false }
    }
    if (element.type === 'Quantifier') return this.#repeat(element)
    if (element.type === 'Group' || element.type === 'CapturingGroup') return this.#either(element.alternatives)
    if (element.type === 'Assertion') return this.#assertion(element)
    throw new Unsupported(element.raw)
  }

  #either(alternatives: readonly AST.Alternative[]): Part {
    const parts = alternatives.map(({ elements }) => this.#sequence(elements))
    return {
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
      isNullable: parts.some(({ isNullable }) => isNullable),
    }
  }

  #assertion(element: AST.Assertion): Part {
    if (element.kind === 'lookahead') return { ...NOTHING, first: this.#either(element.alternatives).first }
    // A lookbehind of one character costs nothing. A longer one would be a search of its own.
    if (element.kind === 'lookbehind' && !element.alternatives.every(({ elements }) => elements.every(isCharacter)))
      throw new Unsupported(element.raw)
    return NOTHING
  }

  #repeat({ element, min, max }: AST.Quantifier): Part {
    const once = (): Part => this.#part(element)
    let part: Part = NOTHING
    const least = Math.min(min, COPIES_MAX - 1)
    for (let n = 0; n < least; n++) part = this.#then(part, once())
    if (max > BOUNDED_MAX) {
      const again = once()
      this.#connect(again.last, again.first)
      return this.#then(part, { ...again, isNullable: true })
    }
    // `a{2,3}` is `aa(?:a)?`. More copies would not change the result.
    let tail: Part = NOTHING
    for (let n = least; n < Math.min(max, COPIES_MAX); n++) tail = { ...this.#then(once(), tail), isNullable: true }
    return this.#then(part, tail)
  }

  #then(one: Part, two: Part): Part {
    this.#connect(one.last, two.first)
    return {
      first: one.isNullable ? [...one.first, ...two.first] : one.first,
      last: two.isNullable ? [...one.last, ...two.last] : two.last,
      isNullable: one.isNullable && two.isNullable,
    }
  }

  #add(chars: ReadonlySet<string>): number {
    return this.#all.push({ chars, next: [], end: 'never' }) - 1
  }

  #at(at: number): Position {
    const position = this.#all[at]
    if (position === undefined) throw new Error(`no position ${at}`)
    return position
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    for (const at of from) this.#at(at).next.push(...to)
  }

  /** Asks the regular expression engine itself, with the same flags. */
  #chars(raw: string): ReadonlySet<string> {
    return this.#those(new RegExp(`^(?:${raw})$`, this.#flags.replace(/[gymd]/g, '')))
  }

  #those(pattern: RegExp): ReadonlySet<string> {
    return new Set(this.#alphabet.filter((char) => pattern.test(char)))
  }
}

type Single = AST.Character | AST.CharacterSet | AST.CharacterClass
const isCharacter = (element: AST.Element): element is Single =>
  element.type === 'Character' || element.type === 'CharacterSet' || element.type === 'CharacterClass'
const isLookahead = (element: AST.Element): boolean => element.type === 'Assertion' && element.kind === 'lookahead'
