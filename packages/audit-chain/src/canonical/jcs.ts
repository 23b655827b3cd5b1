/**
 * The canonical text of RFC 8785: keys in UTF-16 order, no white space, ECMAScript numbers, minimal escapes.
 * INVARIANT: the input is normalised (see `normalise`), so this cannot fail and needs no depth guard.
 */
import type { JsonObject, JsonValue } from './json.js'
import { normalise } from './normalise.js'

/** What JSON writes other than verbatim between quotes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
const NEEDS_ESCAPE = /[\u0000-\u001f"\\]/

/** Canonical text of any value: `normalise`, then RFC 8785. Never throws. */
export function canonicalise(value: unknown): string {
  return canonicalText(normalise(value))
}

/** Canonical text of a value that is known to be normalised. */
export function canonicalText(value: JsonValue): string {
  if (typeof value === 'string') return quote(value)
  if (value === null || typeof value !== 'object') return String(value)
  return isArray(value) ? arrayText(value) : objectText(value)
}

/** A JSON string literal, as RFC 8785 section 3.2.2.2 and ECMAScript write it. */
export function quote(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** What stands between the quotes of that literal. */
export function escaped(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text).slice(1, -1) : text
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
  // The default order of `sort` is by UTF-16 code units, which is what RFC 8785 section 3.2.3 asks for.
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
