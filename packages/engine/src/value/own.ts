/**
 * Reads data that callers provide.
 *
 * INVARIANT: only own properties are read, and the result is a JSON value, or `undefined` for absent. Properties of a
 * prototype are never read, polluted or not (spec compliance 2, 3).
 */

const objectPrototype = Object.prototype

export type JsonObject = { readonly [key: string]: unknown }

/** Returns the own member unchanged; `undefined` when it is missing or inherited. */
export const own = (container: object, key: PropertyKey): unknown =>
  Object.hasOwn(container, key) ? (container as Record<PropertyKey, unknown>)[key] : undefined

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null and missing are the same (spec compliance 2). */
export const isPresent = <T>(value: T): value is NonNullable<T> => value !== undefined && value !== null

/** True when there is an own member that is not null. */
export const has = (container: object, key: PropertyKey): boolean => isPresent(own(container, key))

const isDate = (value: object): value is Date =>
  value instanceof Date || objectPrototype.toString.call(value) === '[object Date]'

/** Returns ISO text; `undefined` for an invalid Date or an object that only claims to be one. */
const isoText = (value: Date): string | undefined => {
  try {
    return new Date(Date.prototype.getTime.call(value)).toISOString()
  } catch {
    return undefined
  }
}

const readObject = (value: object): unknown => {
  if (Array.isArray(value)) return value
  const prototype = Object.getPrototypeOf(value)
  if (prototype === objectPrototype || prototype === null) return value
  return isDate(value) ? isoText(value) : value
}

/**
 * Reads one value as JSON knows it. Containers are returned unchanged and are read when a path enters them.
 *
 * A Date becomes ISO text, a bigint decimal text. Null, undefined, NaN, Infinity, functions and symbols are absent.
 */
export const readValue = (value: unknown): unknown => {
  // One comparison after the other, because engines compile `typeof` in a `switch` to a call.
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return value - value === 0 ? value : undefined
  if (typeof value === 'object') return value === null ? undefined : readObject(value)
  return typeof value === 'bigint' ? String(value) : undefined
}

/** True for a value whose member JSON drops. A null is kept. */
export const isDropped = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol'

/** Returns the own keys in insertion order, without those that JSON drops. */
export const memberKeys = (value: object): string[] => {
  const keys = Object.keys(value)
  for (let index = 0; index < keys.length; index++) {
    if (isDropped((value as JsonObject)[keys[index] as string])) {
      return keys.filter((key) => !isDropped((value as JsonObject)[key]))
    }
  }
  return keys
}

const probe = {}

/** True when `Object.prototype` has an enumerable member, which `for in` would visit. */
export const isPolluted = (): boolean => {
  for (const _ in probe) return true
  return false
}

/** True when `for in` visits the own keys of this object and no others. */
export const walksOwnKeys = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value)
  return (prototype === objectPrototype || prototype === null) && !isPolluted()
}

/** Returns the number of members, and avoids building a list of them where possible. */
export const memberCount = (value: object): number => {
  if (!walksOwnKeys(value)) return memberKeys(value).length
  let count = 0
  for (const key in value) if (!isDropped((value as JsonObject)[key])) count += 1
  return count
}
