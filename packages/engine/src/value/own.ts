/**
 * Reading data that others made.
 *
 * INVARIANT: only own properties are read, and what comes out is a JSON value or `undefined` for absent. A polluted
 * prototype or a hostile one is never seen (spec compliance 2, 3).
 */

const objectPrototype = Object.prototype

export type JsonObject = { readonly [key: string]: unknown }

/** The member as it stands, `undefined` when it is missing or inherited. */
export const own = (container: object, key: PropertyKey): unknown =>
  Object.hasOwn(container, key) ? (container as Record<PropertyKey, unknown>)[key] : undefined

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null and missing are the same thing (spec compliance 2). */
export const isPresent = <T>(value: T): value is NonNullable<T> => value !== undefined && value !== null

/** Whether there is an own member that is not null. */
export const has = (container: object, key: PropertyKey): boolean => isPresent(own(container, key))

const isDate = (value: object): value is Date =>
  value instanceof Date || objectPrototype.toString.call(value) === '[object Date]'

/** ISO text, `undefined` for an invalid Date or something that merely calls itself one. */
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
 * One value as JSON knows it; containers are handed on and read when a path enters them.
 *
 * Date becomes ISO text, bigint decimal text; null, undefined, NaN, Infinity, functions and symbols are absent.
 */
export const readValue = (value: unknown): unknown => {
  // Comparisons one by one, because engines compile `typeof` in a switch to a call.
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return value - value === 0 ? value : undefined
  if (typeof value === 'object') return value === null ? undefined : readObject(value)
  return typeof value === 'bigint' ? String(value) : undefined
}

/** A member with one of these values does not exist in JSON. A null does. */
export const isDropped = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol'

/** Own keys in insertion order, without those that JSON drops. */
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

/** Whether an enumerable member sits on `Object.prototype`, where `for in` would find it. */
export const isPolluted = (): boolean => {
  for (const _ in probe) return true
  return false
}

/** Whether `for in` walks the own keys of this object and no others. */
export const walksOwnKeys = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value)
  return (prototype === objectPrototype || prototype === null) && !isPolluted()
}

/** How many members there are, without making their list where that can be avoided. */
export const memberCount = (value: object): number => {
  if (!walksOwnKeys(value)) return memberKeys(value).length
  let count = 0
  for (const key in value) if (!isDropped((value as JsonObject)[key])) count += 1
  return count
}
