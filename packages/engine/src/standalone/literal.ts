/**
 * The only escaper: all data of a rule set that is written into a module goes through `literal`.
 *
 * INVARIANT: the result is an expression of printable ASCII that evaluates to an equal value wherever the module is
 * embedded (a file, a script element, a template). No key of it can set a prototype.
 */

import type { JsonValue } from '../types.js'

/** All characters except those that mean the same in a string literal, an HTML script element and a template. */
const UNSAFE = /[^ !#%()*+,\-.0-9:;=?@A-Z[\]^_a-z{|}~]/g

export function literal(value: JsonValue | undefined): string {
  if (value === undefined) return 'undefined'
  if (typeof value === 'string') return stringLiteral(value)
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map((entry) => literal(entry as JsonValue)).join(',')}]`
  return objectLiteral(value as { readonly [key: string]: JsonValue })
}

function stringLiteral(text: string): string {
  return `"${text.replace(UNSAFE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
}

/** Keeps a null prototype, which objects in results have, and defines `__proto__` as an ordinary key. */
function objectLiteral(value: { readonly [key: string]: JsonValue }): string {
  const members = Object.keys(value).map((key) => {
    const name = stringLiteral(key)
    return `${key === '__proto__' ? `[${name}]` : name}:${literal(value[key])}`
  })
  if (Object.getPrototypeOf(value) === null) members.unshift('__proto__:null')
  return `{${members.join(',')}}`
}
