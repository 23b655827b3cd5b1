/** Reads values of bodies: keys in any case, booleans sent as text, and a limited depth. */
import { scimRefusal } from './dialect.js'

const DEPTH_MAX = 10

export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws Refusal 400 for a value that is nested deeper than any resource. */
export function checkDepth(value: unknown): void {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: here, depth } = next
    if (typeof here !== 'object' || here === null) continue
    // guard: the-depth-of-a-resource
    if (depth > DEPTH_MAX) throw scimRefusal('invalidSyntax', 'body', `is nested more than ${DEPTH_MAX} deep`)
    for (const each of Object.values(here)) waiting.push({ value: each, depth: depth + 1 })
  }
}

/** The entries by their names in lower case. If two names differ only in case, the last one wins. */
export const foldedEntries = (value: Json): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(value).map(([key, each]) => [key.toLowerCase(), each]))

/** A text, or null for one that is absent or empty. @throws Refusal 400 `invalidValue` */
export function textOf(value: unknown, field: string, maxLength = 255): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value !== 'string') throw scimRefusal('invalidValue', field, 'is a text')
  if (value.length > maxLength) throw scimRefusal('invalidValue', field, `has at most ${maxLength} characters`)
  return value.trim() === '' ? null : value
}

/** Entra writes `"False"`. @throws Refusal 400 `invalidValue` */
export function booleanOf(value: unknown, field: string): boolean {
  const said = typeof value === 'string' ? value.toLowerCase() : value
  if (said === true || said === 'true') return true
  if (said === false || said === 'false') return false
  throw scimRefusal('invalidValue', field, 'is true or false')
}
