/**
 * Replaces tokens with their values.
 *
 * The texts of a pipeline may refer to its own `metadata` and `vars` (also as `pipeline.vars`). Those texts may refer
 * to others in turn; a text that refers to itself is a cycle. A text that consists of one token becomes the value with
 * its type.
 *
 * INVARIANT: each value that tokens refer to is resolved once. No resolved text is longer than `RESOLVED_MAX`, and all
 * of them together are not longer than `RESOLVED_TOTAL_MAX`.
 */
import { hasToken, type Part, parseText, readText, type Token, TokenError, type TokenFilter } from './token.js'

/** The error codes, equal to those of the server. */
export type TokenCode =
  | 'TEMPLATE_CONTRACT_VIOLATION'
  | 'TEMPLATE_CYCLE'
  | 'TEMPLATE_PARSE_ERROR'
  | 'TEMPLATE_SECRETS_RESERVED'
  | 'TEMPLATE_SIZE_EXCEEDED'
  | 'TEMPLATE_TYPE_MISMATCH'
  | 'TEMPLATE_UNKNOWN_PATH'

export interface TokenIssue {
  /** JSON pointer to the text. */
  readonly path: string
  readonly code: TokenCode
  readonly message: string
  /** The first token of the text that has no value, as `{{ vars.branch }}`. */
  readonly token: string
}

/** The longest text with tokens, in UTF-16 units (4 KiB). */
export const FIELD_MAX = 4096
/** The longest text after its tokens have been replaced, in UTF-16 units. */
export const RESOLVED_MAX = 65_536
/** The total length of the resolved texts, and of the values that tokens become, in UTF-16 units of JSON. */
export const RESOLVED_TOTAL_MAX = 4_194_304
const ISSUES_MAX = 100
const TOKEN_SHOWN_MAX = 200
const DEPTH_MAX = 64

const ROOTS = ['metadata', 'vars'] as const

class Unresolved extends Error {
  constructor(
    readonly code: TokenCode,
    message: string,
  ) {
    super(message)
  }
}

export interface Resolution {
  readonly value: unknown
  /** Empty when every token has a value. */
  readonly issues: readonly TokenIssue[]
}

/**
 * Replaces the tokens in the texts of a value. It does not throw for a token without a value: the text stays as it is,
 * and an issue is added.
 *
 * @param roots `metadata` and `vars` of the pipeline.
 * @param at JSON pointer of `value`.
 */
export function resolveTokens(value: unknown, roots: Readonly<Record<string, unknown>>, at: string): Resolution {
  const resolver = new Resolver(roots)
  return { value: resolver.walk(value, at), issues: resolver.issues }
}

class Resolver {
  readonly issues: TokenIssue[] = []
  #grown = 0
  readonly #roots: Readonly<Record<string, unknown>>
  /** By path: the resolved value, the error, or `open` while it is being resolved. */
  readonly #known = new Map<string, { value: unknown } | 'open' | Unresolved>()

  constructor(roots: Readonly<Record<string, unknown>>) {
    this.#roots = roots
  }

  walk(value: unknown, at: string): unknown {
    if (typeof value === 'string') return this.#note(at, value)
    if (Array.isArray(value)) return value.map((each, n) => this.walk(each, `${at}/${n}`))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, this.walk(each, `${at}/${escapePointer(key)}`)]),
    )
  }

  /**
   * Returns the text with its tokens replaced. When a token has no value, adds an issue and returns the text unchanged.
   */
  #note(path: string, text: string): unknown {
    try {
      return this.#text(text)
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error
      const { code, message } = error
      if (this.issues.length < ISSUES_MAX) this.issues.push({ path, code, message, token: this.#culprit(text) })
      return text
    }
  }

  /** Returns the first token of the text that has no value. */
  #culprit(text: string): string {
    const parts = text.length > FIELD_MAX ? [] : readText(text)
    const culprit = parts.find((part) => {
      if (typeof part === 'string') return false
      if (part instanceof TokenError) return true
      try {
        return this.#inText(part) === null
      } catch (error) {
        if (error instanceof Unresolved) return true
        throw error
      }
    })
    if (culprit === undefined || typeof culprit === 'string' || culprit instanceof TokenError) {
      return text.slice(text.indexOf('{{')).slice(0, TOKEN_SHOWN_MAX)
    }
    return `{{ ${culprit.path.join('.')} }}`.slice(0, TOKEN_SHOWN_MAX)
  }

  #text(text: string): unknown {
    if (!hasToken(text)) return text
    if (text.length > FIELD_MAX) {
      throw new Unresolved('TEMPLATE_SIZE_EXCEEDED', `a text with tokens has at most ${FIELD_MAX} characters`)
    }
    const parts = parsed(text)
    const [only] = parts
    if (parts.length === 1 && only !== undefined && typeof only !== 'string') {
      const value = this.#token(only)
      this.#grow(this.#weight(value))
      return value
    }
    const joined = parts.map((part) => (typeof part === 'string' ? part : this.#inText(part))).join('')
    if (joined.length > RESOLVED_MAX) {
      throw new Unresolved('TEMPLATE_SIZE_EXCEEDED', `a resolved text has at most ${RESOLVED_MAX} characters`)
    }
    this.#grow(joined.length)
    return joined
  }

  #grow(length: number): void {
    this.#grown += length
    if (this.#grown <= RESOLVED_TOTAL_MAX) return
    throw new Unresolved(
      'TEMPLATE_SIZE_EXCEEDED',
      `resolved texts have at most ${RESOLVED_TOTAL_MAX} characters together`,
    )
  }

  /**
   * About how many characters of JSON the value has. Values that several tokens name are shared, so that a few short
   * texts can name a value that is far larger than memory when it is written out.
   */
  #weight(value: unknown): number {
    if (typeof value === 'string') return value.length + 2
    if (typeof value !== 'object' || value === null) return 4
    const known = this.#weights.get(value)
    if (known !== undefined) return known
    let weight = 2
    for (const [key, each] of Object.entries(value)) weight += key.length + 4 + this.#weight(each)
    this.#weights.set(value, weight)
    return weight
  }
  readonly #weights = new WeakMap<object, number>()

  /**
   * Resolves a token that is next to other text. Its value must have a plain text form, so a list or an object is an
   * error.
   */
  #inText(token: Token): string {
    const value = this.#token(token)
    if (typeof value === 'object' && value !== null) {
      throw new Unresolved(
        'TEMPLATE_TYPE_MISMATCH',
        `${token.path.join('.')} is ${Array.isArray(value) ? 'a list' : 'an object'}: write \`| json\` to put it into a text`,
      )
    }
    return String(value)
  }

  #token({ path, filters }: Token): unknown {
    let value = this.#find(
      path,
      filters.some(({ name }) => name === 'default'),
    )
    for (const filter of filters) {
      if (filter.name === 'json' && this.#weight(value) > RESOLVED_MAX) {
        throw new Unresolved('TEMPLATE_SIZE_EXCEEDED', `a resolved text has at most ${RESOLVED_MAX} characters`)
      }
      value = applied(filter, value, path)
    }
    if (value === undefined) throw unknownPath(path)
    return value
  }

  #find(path: readonly string[], mayMiss: boolean): unknown {
    const names = path[0] === 'pipeline' ? path.slice(1) : path
    const [root = ''] = names
    if (root === 'secrets') {
      throw new Unresolved(
        'TEMPLATE_SECRETS_RESERVED',
        'secrets are given to builds: write `secret:<name>` instead of a token',
      )
    }
    if (!ROOTS.some((each) => each === root) || names.length < 2) {
      throw new Unresolved(
        'TEMPLATE_UNKNOWN_PATH',
        `${path.join('.')} is not in reach: tokens name metadata.* and vars.*`,
      )
    }
    const value = this.#resolved(names)
    if (value === undefined && !mayMiss) throw unknownPath(path)
    return value
  }

  /** Returns the value at a path of the roots, with its own tokens replaced. */
  #resolved(names: readonly string[]): unknown {
    const key = names.join('.')
    const known = this.#known.get(key)
    if (known === 'open') throw new Unresolved('TEMPLATE_CYCLE', `${key} names itself, over others or directly`)
    if (known instanceof Unresolved) throw known
    if (known !== undefined) return known.value
    if (this.#depth > DEPTH_MAX) throw new Unresolved('TEMPLATE_CYCLE', `${key} is reached over too many others`)
    this.#known.set(key, 'open')
    this.#depth += 1
    try {
      const value = this.#deep(valueAt(this.#roots, names))
      this.#known.set(key, { value })
      return value
    } catch (error) {
      if (error instanceof Unresolved) this.#known.set(key, error)
      throw error
    } finally {
      this.#depth -= 1
    }
  }
  #depth = 0

  #deep(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value)
    if (Array.isArray(value)) return value.map((each) => this.#deep(each))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#deep(each)]))
  }
}

const unknownPath = (path: readonly string[]): Unresolved =>
  new Unresolved('TEMPLATE_UNKNOWN_PATH', `${path.join('.')} has no value: set it, or give a \`| default: …\``)

function parsed(text: string): Part[] {
  try {
    return parseText(text)
  } catch (error) {
    if (error instanceof TokenError) throw new Unresolved('TEMPLATE_PARSE_ERROR', error.message)
    throw error
  }
}

function valueAt(roots: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  let value: unknown = roots
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

function applied(filter: TokenFilter, value: unknown, path: readonly string[]): unknown {
  if (filter.name === 'default') return value === undefined || value === null ? filter.value : value
  if (value === undefined) return undefined
  const mismatch = (wanted: string) => new Unresolved('TEMPLATE_TYPE_MISMATCH', `${path.join('.')} is not ${wanted}`)
  if (filter.name === 'json') return JSON.stringify(value)
  if (filter.name === 'number') {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof number !== 'number' || !Number.isFinite(number)) throw mismatch('a number')
    return number
  }
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === '1' || value === 1) return true
  if (value === 'false' || value === '0' || value === 0) return false
  throw mismatch('a boolean')
}

/** Lists the paths that the tokens of a value name, with the place of each. Texts that do not parse are skipped. */
export function tokenPaths(value: unknown, at: string): { readonly path: readonly string[]; readonly at: string }[] {
  if (typeof value === 'string') {
    if (!hasToken(value)) return []
    try {
      return parseText(value).flatMap((part) => (typeof part === 'string' ? [] : [{ path: part.path, at }]))
    } catch (error) {
      if (error instanceof TokenError) return []
      throw error
    }
  }
  if (Array.isArray(value)) return value.flatMap((each, n) => tokenPaths(each, `${at}/${n}`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => tokenPaths(each, `${at}/${escapePointer(key)}`))
}

export const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
