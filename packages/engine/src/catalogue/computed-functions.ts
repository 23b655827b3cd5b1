/** The computed functions as data. INVARIANT: the keys are those of `computed`, and a test executes every example. */
import type { ComputedFunctionName, JsonValue } from '../types.js'

export interface ComputedFunctionExample {
  /** The argument; left out when it is absent. */
  readonly argument?: JsonValue
  readonly result: JsonValue
}

export interface ComputedFunctionEntry {
  readonly name: ComputedFunctionName
  readonly doc: string
  readonly examples: readonly ComputedFunctionExample[]
}

/** Wrapped in a function so that a bundler can drop the catalogue when nothing uses it. */
const entries = () =>
  ({
    $count: {
      doc: 'Elements of a list or keys of an object; 0 for anything else, so an absent field counts as 0.',
      examples: [
        { result: 0 },
        { argument: ['a', 'b'], result: 2 },
        { argument: { a: 1 }, result: 1 },
        { argument: 'abc', result: 0 },
        { argument: 7, result: 0 },
      ],
    },
    $length: {
      doc: 'Length of a text in UTF-16 units; 0 for anything else.',
      examples: [
        { result: 0 },
        { argument: 'abc', result: 3 },
        { argument: '🚀', result: 2 },
        { argument: ['a'], result: 0 },
      ],
    },
    $keys: {
      doc: 'Own keys of an object in insertion order; an empty list for anything else.',
      examples: [
        { result: [] },
        { argument: { b: 1, a: null }, result: ['b', 'a'] },
        { argument: ['a'], result: [] },
        { argument: 'abc', result: [] },
      ],
    },
    $lines: {
      doc: 'Line feeds of a text plus one, so an empty text has one line; 0 for anything else.',
      examples: [
        { result: 0 },
        { argument: '', result: 1 },
        { argument: 'a\nb', result: 2 },
        { argument: 'a\n', result: 2 },
        { argument: ['a'], result: 0 },
      ],
    },
  }) as const satisfies { readonly [name in ComputedFunctionName]: Omit<ComputedFunctionEntry, 'name'> }

const named = (): readonly ComputedFunctionEntry[] =>
  Object.entries(entries()).map(([name, entry]) => ({
    name: name as ComputedFunctionName,
    ...entry,
  }))

export const computedFunctions: readonly ComputedFunctionEntry[] = /* @__PURE__ */ named()
