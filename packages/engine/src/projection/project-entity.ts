/**
 * Projects an entity to the attributes that rules read.
 *
 * The command line, the server and the documentation all use this function, so that a plugin gets the same verdict
 * everywhere. The engine itself never calls it.
 */
import { stepInto } from '../path/resolve.js'
import type { Attributes, Target } from '../types.js'
import { isDropped, isObject, memberKeys, own, readValue } from '../value/own.js'
import { REDACTED } from '../value/redact.js'
import { projection } from './projection.js'

/**
 * Returns the attributes of an entity: the keys of the projection and its aliases, with the values of `env` and
 * `buildArgs` redacted (spec compliance 18). Other values are not copied; the result refers to those of `input`.
 *
 * INVARIANT: an alias never has the name of a key of the same target. So an alias replaces nothing, and an author
 * cannot set one.
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

/** Returns the top-level keys that the projection leaves out, in the order of the input. */
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
