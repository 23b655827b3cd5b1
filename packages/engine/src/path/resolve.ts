/** Reads one path from attributes, for callers that have no compiled rule set. */
import type { Attributes } from '../types.js'
import { readValue } from '../value/own.js'
import { computed } from './computed.js'
import { type FieldPath, parseFieldPath } from './field-path.js'

/** Thrown for a path, given as text, that does not parse. `parseFieldPath` returns the same problem as a value. */
export class FieldPathError extends Error {
  readonly position: number
  constructor(message: string, position: number) {
    super(message)
    this.name = 'FieldPathError'
    this.position = position
  }
}

/** The list index that a segment names, or -1. An index is decimal digits without leading zeros. */
export const listIndex = (segment: string): number => (/^(?:0|[1-9]\d*)$/.test(segment) ? Number(segment) : -1)

/**
 * Takes one step: to an own member, to a list element by its index, or to the `length` of a list. A string has no
 * members.
 */
export const stepInto = (container: unknown, segment: string, index: number = listIndex(segment)): unknown => {
  if (typeof container !== 'object' || container === null) return undefined
  if (Array.isArray(container)) {
    if (index === -1) return segment === 'length' ? container.length : undefined
    return index < container.length && Object.hasOwn(container, index) ? readValue(container[index]) : undefined
  }
  return Object.hasOwn(container, segment) ? readValue((container as Record<string, unknown>)[segment]) : undefined
}

/**
 * Returns the value that a rule reads at this path: a JSON value, or `undefined` when it is absent.
 *
 * @param path A path as text, or the result of `parseFieldPath`.
 * @throws {FieldPathError} when `path` is text that is not a path.
 */
export const resolveField = (attributes: Attributes, path: string | FieldPath): unknown => {
  const parsed = typeof path === 'string' ? parsePath(path) : path
  let value: unknown = readValue(attributes)
  for (const segment of parsed.segments) value = stepInto(value, segment)
  for (let index = parsed.calls.length - 1; index >= 0; index--) {
    const name = parsed.calls[index]
    if (name !== undefined) value = computed[name](value)
  }
  return value
}

const parsePath = (text: string): FieldPath => {
  const parsed = parseFieldPath(text)
  if (parsed.ok) return parsed.path
  throw new FieldPathError(`${parsed.problem.message}: \`${text}\``, parsed.problem.position)
}
