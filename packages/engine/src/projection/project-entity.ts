/**
 * An entity as rules see it. The command line, the server and the documentation all use this one function, so that one
 * plugin has one verdict everywhere; the engine itself never calls it.
 */
import { stepInto } from '../path/resolve.js'
import type { Attributes, Target } from '../types.js'
import { isDropped, isObject, memberKeys, own, readValue } from '../value/own.js'
import { REDACTED } from '../value/redact.js'
import { projection } from './projection.js'

/**
 * Picks the keys of the projection, adds aliases, replaces the values of `env` and `buildArgs`. Copies no other value.
 *
 * INVARIANT: no alias is a key of its target, so an alias replaces nothing and an author cannot set one.
 */
export const projectEntity = (target: Target, input: Attributes): Attributes => {
  const attributes: Record<string, unknown> = {}
  for (const key of projection.keys[target]) {
    const value = own(input, key)
    if (!isDropped(value)) attributes[key] = projection.redacted.includes(key) ? withoutValues(value) : value
  }
  for (const { alias, from } of projection.aliases[target]) {
    let value: unknown = attributes
    for (const key of from) value = stepInto(value, key)
    if (value !== undefined) attributes[alias] = value
  }
  return attributes
}

/** Top-level keys that the projection leaves out, in the order of the input. */
export const unknownKeys = (target: Target, input: Attributes): string[] => {
  const known = new Set(projection.keys[target])
  return memberKeys(input).filter((key) => !known.has(key))
}

const withoutValues = (value: unknown): unknown => {
  const read = readValue(value)
  if (read === undefined) return null
  if (Array.isArray(read)) return read.map(() => REDACTED)
  if (!isObject(read)) return REDACTED
  const copy = Object.create(null) as Record<string, string>
  for (const key of memberKeys(read)) copy[key] = REDACTED
  return copy
}
