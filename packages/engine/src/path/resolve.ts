/** Reading one path from attributes, for callers that have no compiled rule set. */
import type { Attributes } from '../types.js'
import { readValue } from '../value/own.js'
import { computed } from './computed.js'
import { type FieldPath, parseFieldPath } from './field-path.js'

/** A path given as text that does not parse. `parseFieldPath` gives the same problem as a value. */
export class FieldPathError extends Error {
  readonly position: number
  constructor(message: string, position: number) {
    super(message)
    this.name = 'FieldPathError'
    this.position = position
  }
}

/** The element that a segment names, -1 when it names none: digits as JavaScript writes them. */
export const listIndex = (segment: string): number => (/^(?:0|[1-9]\d*)$/.test(segment) ? Number(segment) : -1)

/** One step: an own member, an array element by digits, or an array's `length`. Text is not traversable. */
export const stepInto = (container: unknown, segment: string, index: number = listIndex(segment)): unknown => {
  if (typeof container !== 'object' || container === null) return undefined
  if (Array.isArray(container)) {
    if (index === -1) return segment === 'length' ? container.length : undefined
    return index < container.length && Object.hasOwn(container, index) ? readValue(container[index]) : undefined
  }
  return Object.hasOwn(container, segment) ? readValue((container as Record<string, unknown>)[segment]) : undefined
}

/**
 * The value a rule would see at this path: a JSON value, `undefined` when absent.
 *
 * @throws {FieldPathError} for text that is not a path.
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
