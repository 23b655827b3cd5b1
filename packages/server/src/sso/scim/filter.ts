/** Parses filters (RFC 7644, 3.4.2.2) into a tree. The length is checked first, and the depth during parsing. */
import { scimRefusal } from './dialect.js'

export const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Operator = (typeof OPERATORS)[number]
export type Value = string | number | boolean | null

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }
  | { readonly kind: 'present'; readonly path: string }
  | { readonly kind: 'is'; readonly path: string; readonly operator: Operator; readonly value: Value }
  /** A value path: matches if an element of the list fulfils the filter. */
  | { readonly kind: 'element'; readonly path: string; readonly of: Filter }

const LENGTH_MAX = 1000
const DEPTH_MAX = 10

const TOKEN =
  /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])|((?:urn:[A-Za-z0-9.:_-]+:)?[A-Za-z$][\w$-]*(?:\.[A-Za-z$][\w$-]*)?))/y

interface Token {
  readonly kind: 'mark' | 'text' | 'number' | 'word'
  readonly text: string
}

/** What is wrong with a filter. Only who reads it knows where in the request it came. */
export class WrongFilter extends Error {}

const wrong = (message: string) => new WrongFilter(message)

/** Reads or uses a filter. @throws Refusal 400 `invalidFilter` at `/query/filter` or `/body/filter`. */
export function withFilter<T>(from: 'query' | 'body', use: () => T): T {
  try {
    return use()
  } catch (error) {
    throw error instanceof WrongFilter ? scimRefusal('invalidFilter', 'filter', error.message, from) : error
  }
}

/** @throws WrongFilter */
export function readFilter(text: string): Filter {
  // guard: the-length-of-a-filter
  if (text.length > LENGTH_MAX) throw wrong(`has ${text.length} characters; it may have ${LENGTH_MAX}`)
  const tokens = tokensOf(text)
  let at = 0
  const peek = () => tokens[at]
  const isMark = (mark: string) => peek()?.kind === 'mark' && peek()?.text === mark
  const isWord = (word: string) => peek()?.kind === 'word' && peek()?.text.toLowerCase() === word
  const expect = (mark: string) => {
    if (!isMark(mark))
      throw wrong(`needs \`${mark}\` ${peek() === undefined ? 'at its end' : `before \`${peek()?.text}\``}`)
    at += 1
  }

  function any(depth: number): Filter {
    // guard: the-depth-of-a-filter
    if (depth > DEPTH_MAX) throw wrong(`is nested more than ${DEPTH_MAX} deep`)
    return joined('or', () => joined('and', () => one(depth)))
  }
  function joined(kind: 'and' | 'or', part: () => Filter): Filter {
    const first = part()
    const parts = [first]
    while (isWord(kind)) {
      at += 1
      parts.push(part())
    }
    return parts.length === 1 ? first : { kind, parts }
  }
  function one(depth: number): Filter {
    if (isMark('(')) {
      at += 1
      const inner = any(depth + 1)
      expect(')')
      return inner
    }
    if (isWord('not') && tokens[at + 1]?.text === '(') {
      at += 2
      const of = any(depth + 1)
      expect(')')
      return { kind: 'not', of }
    }
    const path = word('the name of an attribute')
    if (isMark('[')) {
      at += 1
      const of = any(depth + 1)
      expect(']')
      return { kind: 'element', path, of }
    }
    const operator = word('an operator').toLowerCase()
    if (operator === 'pr') return { kind: 'present', path }
    if (!(OPERATORS as readonly string[]).includes(operator)) throw wrong(`has no operator \`${operator}\``)
    return { kind: 'is', path, operator: operator as Operator, value: readValue(tokens[at++]) }
  }
  function word(what: string): string {
    const token = tokens[at]
    if (token?.kind !== 'word')
      throw wrong(`needs ${what}${token === undefined ? ' at its end' : ` at \`${token.text}\``}`)
    at += 1
    return token.text
  }

  const filter = any(0)
  if (at < tokens.length) throw wrong(`cannot continue with \`${tokens[at]?.text}\``)
  return filter
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex
    const found = TOKEN.exec(text)
    if (found === null) {
      if (text.slice(from).trim() === '') break
      throw wrong(`cannot be read from \`${text.slice(from, from + 20)}\` on`)
    }
    const [, mark, quoted, number, name] = found
    if (mark !== undefined) tokens.push({ kind: 'mark', text: mark })
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else tokens.push({ kind: 'word', text: name ?? '' })
  }
  return tokens
}

/** Keywords in any case: Entra writes `True`. */
const WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
])

function readValue(token: Token | undefined): Value {
  if (token === undefined) throw wrong('needs a value at its end')
  if (token.kind === 'number') return Number(token.text)
  if (token.kind === 'text') {
    let text: string
    try {
      text = JSON.parse(token.text) as string
    } catch {
      throw wrong(`has a text that is not JSON: ${token.text}`)
    }
    // It can be written as an escape. PostgreSQL refuses it.
    if (text.includes('\0')) throw wrong('has a text with a NUL character')
    return text
  }
  const value = WORDS.get(token.text.toLowerCase())
  if (token.kind === 'mark' || value === undefined) {
    throw wrong(`has the value \`${token.text}\`: write texts in double quotes`)
  }
  return value
}
