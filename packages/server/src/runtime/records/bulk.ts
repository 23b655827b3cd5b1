/**
 * Requests about many records. The body is a list. Each item is validated, checked and answered separately, so that an
 * invalid item does not stop the others. Only a body that is not a list of items is refused as a whole.
 */
import Type, { type Static, type TSchema } from 'typebox'
import { invalid, Refusal } from '../errors.js'
import { ITEMS, problems } from '../operation/schema.js'

/** A list whose items are validated one by one with `bulkItem`; the API's documentation shows their schema. */
export const bulkList = <S extends TSchema>(item: S, itemsMax: number, options: object = {}) =>
  Type.Unsafe<unknown[]>({ type: 'array', minItems: 1, maxItems: itemsMax, [ITEMS]: item, ...options })

/** @throws Refusal 400 for an item that is not valid. It is the failure of that item alone. */
export function bulkItem<S extends TSchema>(schema: S, item: unknown, at: string): Static<S> {
  const issues = problems(schema, item, at)
  if (issues.length > 0) throw invalid(issues)
  return item as Static<S>
}

/** What every failed item is answered with, besides its index. */
export const ITEM_FAILURE = {
  code: Type.Optional(Type.String({ description: 'The code of the refusal' })),
  message: Type.Optional(Type.String()),
  details: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
}

export interface ItemFailure {
  index: number
  status: 'failed'
  code: string
  message: string
  details?: Record<string, unknown>
}

export const itemFailure = (index: number, { code, message, details }: Refusal): ItemFailure => ({
  index,
  status: 'failed',
  code,
  message,
  ...(details === undefined ? {} : { details }),
})

/** The result of an item: its value, or its refusal. */
export type Attempt<T> = { readonly value: T } | { readonly refusal: Refusal }

/** @throws Errors that are not caused by the item: see `itemRefusal`. */
export function attempt<T>(run: () => T): Attempt<T> {
  try {
    return { value: run() }
  } catch (error) {
    return { refusal: itemRefusal(error) }
  }
}

/**
 * Of items with the same key only the first is processed.
 *
 * @throws Refusal 409 for the others.
 */
export function refuseRepeated(keys: readonly (string | null)[], index: number, message: string, field: string): void {
  const key = keys[index] ?? null
  if (key === null || keys.indexOf(key) === index) return
  throw new Refusal('DUPLICATE_ENTRY', message, { details: { field } })
}

/**
 * Returns the refusal of an item. An error of the server is not an item's: a request that answers 200 would be stored
 * as done under its Idempotency-Key, and would hide that the rules were not checked.
 *
 * @throws The error when it is not an item's: a refusal of 500 and above, or not a refusal.
 */
export function itemRefusal(error: unknown): Refusal {
  // guard: rules-that-cannot-be-asked-refuse-a-whole-bulk
  if (error instanceof Refusal && error.status < 500) return error
  throw error
}
