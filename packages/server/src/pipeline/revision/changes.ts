/**
 * The difference of two JSON values as a list of changes, each with a JSON pointer. Lists are compared index by index.
 */
import { isDeepStrictEqual } from 'node:util'
import { escapePointer } from '@plumbline/engine'

export interface Difference {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function difference(before: unknown, after: unknown, path = ''): Difference[] {
  if (isDeepStrictEqual(before, after)) return []
  if (isPlain(before) && isPlain(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) => member(has(before, name), has(after, name), `${path}/${escapePointer(name)}`))
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length)
    return Array.from({ length }, (_, n) =>
      member(n < before.length ? [before[n]] : [], n < after.length ? [after[n]] : [], `${path}/${n}`),
    ).flat()
  }
  return [{ op: 'replace', path, before, after }]
}

/** Wrapped in a list, so that an absent value differs from an undefined one. */
const has = (object: Record<string, unknown>, name: string): readonly unknown[] =>
  Object.hasOwn(object, name) ? [object[name]] : []

function member(before: readonly unknown[], after: readonly unknown[], path: string): Difference[] {
  if (before.length === 0) return [{ op: 'add', path, after: after[0] }]
  if (after.length === 0) return [{ op: 'remove', path, before: before[0] }]
  return difference(before[0], after[0], path)
}
