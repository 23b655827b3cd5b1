/**
 * Tokens in texts of pipelines, templates and plugins: `{{ vars.branch | default: 'main' }}`. `{{{{` is an escape for
 * two literal braces.
 *
 *     text   = ( literal | '{{{{' | token )*
 *     token  = '{{' path ( '|' filter )* '}}'
 *     path   = name ( '.' name )*            at most five names
 *     filter = 'default' ':' value | 'number' | 'bool' | 'json'
 *     value  = text in quotes | number | true | false | null
 *
 * The domain that uses tokens decides which paths are allowed and how long a text may be. Source: spec platform 8.2,
 * 10.2.
 */

export type TokenFilter =
  | { readonly name: 'default'; readonly value: string | number | boolean | null }
  | { readonly name: 'number' | 'bool' | 'json' }

export interface Token {
  readonly path: readonly string[]
  readonly filters: readonly TokenFilter[]
}

export type Part = string | Token

/** Thrown for a text that is not a valid token. The message tells its author what is wrong. */
export class TokenError extends Error {}

export const PATH_DEPTH_MAX = 5
const NAME = /[A-Za-z_][A-Za-z0-9_-]*/y
const NUMBER = /-?\d{1,15}(?:\.\d{1,15})?/y
const WORD = /[a-z]+/y

export const hasToken = (text: string): boolean => text.includes('{{')

/**
 * Splits a text into literals and tokens.
 *
 * @throws {TokenError} for the first token that is not valid.
 */
export function parseText(text: string): Part[] {
  return readText(text).map((part) => {
    if (part instanceof TokenError) throw part
    return part
  })
}

/**
 * Like `parseText`, but returns a `TokenError` in the place of each invalid token. Parsing continues after the next
 * `}}`.
 */
export function readText(text: string): (Part | TokenError)[] {
  const parts: (Part | TokenError)[] = []
  let literal = ''
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('{{', at)
    if (open < 0) {
      literal += text.slice(at)
      break
    }
    literal += text.slice(at, open)
    if (text.startsWith('{{{{', open)) {
      literal += '{{'
      at = open + 4
      continue
    }
    if (literal !== '') parts.push(literal)
    literal = ''
    const reader = new Reader(text, open + 2)
    try {
      parts.push(reader.token())
      at = reader.at
    } catch (error) {
      if (!(error instanceof TokenError)) throw error
      parts.push(error)
      const end = text.indexOf('}}', open + 2)
      at = end < 0 ? text.length : end + 2
    }
  }
  if (literal !== '') parts.push(literal)
  return parts
}

class Reader {
  at: number
  readonly #text: string

  constructor(text: string, at: number) {
    this.#text = text
    this.at = at
  }

  token(): Token {
    const path = [this.#match(NAME, 'a name such as `vars.branch`')]
    while (this.#take('.')) path.push(this.#match(NAME, 'a name after the dot'))
    if (path.length > PATH_DEPTH_MAX) throw new TokenError(`a path has at most ${PATH_DEPTH_MAX} names`)
    const filters: TokenFilter[] = []
    for (;;) {
      this.#space()
      if (this.#take('}}')) return { path, filters }
      if (!this.#take('|')) throw new TokenError('a token ends with `}}`, and a filter begins with `|`')
      filters.push(this.#filter())
    }
  }

  #filter(): TokenFilter {
    this.#space()
    const name = this.#match(WORD, 'the name of a filter')
    if (name === 'number' || name === 'bool' || name === 'json') return { name }
    if (name !== 'default') throw new TokenError(`there is no filter \`${name}\`: use default, number, bool or json`)
    this.#space()
    if (!this.#take(':')) throw new TokenError("write the value of `default` as `default: 'main'`")
    return { name, value: this.#value() }
  }

  #value(): string | number | boolean | null {
    this.#space()
    const quote = this.#text[this.at]
    if (quote === "'" || quote === '"') {
      const end = this.#text.indexOf(quote, this.at + 1)
      if (end < 0) throw new TokenError('a quote is not closed')
      const value = this.#text.slice(this.at + 1, end)
      this.at = end + 1
      return value
    }
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (this.#take(word)) return value
    }
    return Number(this.#match(NUMBER, 'a text in quotes, a number, true, false or null'))
  }

  #space(): void {
    while (this.#text[this.at] === ' ' || this.#text[this.at] === '\t') this.at += 1
  }

  #take(word: string): boolean {
    if (!this.#text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  #match(pattern: RegExp, wanted: string): string {
    this.#space()
    pattern.lastIndex = this.at
    const [found] = pattern.exec(this.#text) ?? []
    if (found === undefined) throw new TokenError(`here stands ${wanted}`)
    this.at += found.length
    return found
  }
}
