/** A private copy of a rule value, so that a later change of the caller's rule object cannot change a verdict. */

import { MAX_VALUE_DEPTH } from '../operator/operand.js'
import type { JsonValue } from '../types.js'
import { memberKeys, own, readValue } from '../value/own.js'

/** Returns the value as deeply frozen JSON, or `undefined` when it is nested deeper than the bound. */
export const frozenValue = (value: unknown, depth = 0): JsonValue | undefined => {
  const read = readValue(value)
  if (read === undefined) return null
  if (typeof read !== 'object' || read === null) return read as JsonValue
  if (depth >= MAX_VALUE_DEPTH) return undefined
  if (Array.isArray(read)) {
    const copy: JsonValue[] = []
    for (let index = 0; index < read.length; index++) {
      const element = frozenValue(read[index], depth + 1)
      if (element === undefined) return undefined
      copy.push(element)
    }
    return Object.freeze(copy)
  }
  const copy = Object.create(null) as Record<string, JsonValue>
  for (const key of memberKeys(read)) {
    const member = frozenValue(own(read, key), depth + 1)
    if (member === undefined) return undefined
    copy[key] = member
  }
  return Object.freeze(copy)
}

/** Freezes the value itself, deeply. Results share it, so a caller that writes to one result must not change another. */
export const deepFrozen = (value: JsonValue): JsonValue => {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFrozen(member)
  return Object.freeze(value)
}
