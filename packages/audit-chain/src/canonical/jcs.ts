/**
 * Canonical JSON text by RFC 8785: keys in UTF-16 order, no white space, ECMAScript numbers, minimal escapes.
 *
 * INVARIANT: the input is normalised (see `normalise`), so this cannot fail and needs no limit of depth.
 */
import type { JsonObject, JsonValue } from './json.js'
import { normalise } from './normalise.js'
import { isWellFormed } from './well-formed.js'

/** Characters that JSON escapes in a string. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
const NEEDS_ESCAPE = /[\u0000-\u001f"\\]/

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
const ESCAPED = /[\u0000-\u001f"\\]/g

/** Returns the canonical text of any value: `normalise`, then RFC 8785. It never throws. */
export function canonicalise(value: unknown): string {
  return canonicalText(normalise(value))
}

/** The same without a bound of its size, for what was read from JSON or the database and is signed as a whole. */
export function canonicaliseWhole(value: unknown): string {
  return canonicalText(normalise(value, Number.POSITIVE_INFINITY))
}

/** Returns the canonical text of a value that is normalised already. */
export function canonicalText(value: JsonValue): string {
  if (typeof value === 'string') return quote(value)
  if (value === null || typeof value !== 'object') return String(value)
  return isArray(value) ? arrayText(value) : objectText(value)
}

/** Returns a JSON string literal, as RFC 8785 section 3.2.2.2 and ECMAScript write it. */
export function quote(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** Returns the text between the quotes of that literal. */
export function escaped(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text
  if (isWellFormed(text)) return JSON.stringify(text).slice(1, -1)
  // `JSON.stringify` would write a lone surrogate as an escape, in which nobody finds it any more.
  return text.replace(ESCAPED, (one) => JSON.stringify(one).slice(1, -1))
}

function arrayText(items: readonly JsonValue[]): string {
  let text = '['
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ','
    text += canonicalText(items[index] ?? null)
  }
  return `${text}]`
}

function objectText(object: JsonObject): string {
  const keys = Object.keys(object)
  // By default `sort` orders by UTF-16 code units, as RFC 8785 section 3.2.3 requires.
  if (keys.length > 1) keys.sort()
  let text = '{'
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? ''
    text += index > 0 ? `,${quote(key)}:` : `${quote(key)}:`
    text += canonicalText(object[key] ?? null)
  }
  return `${text}}`
}

const isArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)
