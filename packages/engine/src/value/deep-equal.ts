/**
 * Equality of JSON containers: order counts in arrays, key order is ignored in objects, and inner types must be equal
 * (spec compliance 2.1).
 *
 * INVARIANT: the recursion follows `expected`, whose depth is bounded when a rule is compiled. A deep or cyclic entity
 * cannot overflow the stack.
 */
import type { JsonValue } from '../types.js'
import { isDropped, isObject, memberKeys, own, readValue } from './own.js'

export const deepEqual = (expected: JsonValue | undefined, actual: unknown): boolean => {
  const value = readValue(actual)
  if (expected === null || expected === undefined) return value === undefined
  if (Array.isArray(expected)) return Array.isArray(value) && arraysEqual(expected, value)
  if (typeof expected === 'object') {
    return isObject(value) && objectsEqual(expected as { readonly [key: string]: JsonValue }, value)
  }
  return value === expected
}

const arraysEqual = (expected: readonly JsonValue[], actual: readonly unknown[]): boolean => {
  if (expected.length !== actual.length) return false
  for (let index = 0; index < expected.length; index++) {
    if (!deepEqual(expected[index], actual[index])) return false
  }
  return true
}

const objectsEqual = (
  expected: { readonly [key: string]: JsonValue },
  actual: { readonly [key: string]: unknown },
): boolean => {
  const keys = Object.keys(expected)
  if (keys.length !== memberKeys(actual).length) return false
  for (const key of keys) {
    const member = own(actual, key)
    if (isDropped(member) || !deepEqual(expected[key], member)) return false
  }
  return true
}
