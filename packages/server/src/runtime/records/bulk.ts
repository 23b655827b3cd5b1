/**
 * Requests about many records. The body is a list; each item is validated, judged and answered on its own, so that one mistake
 * does not keep the others from being done. Only a body that is not a list of items is refused as a whole.
 */
import Type, { type Static, type TSchema } from 'typebox'
import { invalid, Refusal } from '../errors.js'
import { ITEMS, problems } from '../operation/schema.js'

/** A list whose items are validated one by one with `bulkItem`; the API's documentation shows their schema. */
export const bulkList = <S extends TSchema>(item: S, itemsMax: number, options: object = {}) =>
  Type.Unsafe<unknown[]>({ type: 'array', minItems: 1, maxItems: itemsMax, [ITEMS]: item, ...options })

/** @throws Refusal 400 for an item that does not validate: that item's own failure. */
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

/** An item on its way: what it became, or what refused it. */
export type Attempt<T> = { readonly value: T } | { readonly refusal: Refusal }

/** @throws what is not an item's fault: see `itemRefusal`. */
export function attempt<T>(run: () => T): Attempt<T> {
  try {
    return { value: run() }
  } catch (error) {
    return { refusal: itemRefusal(error) }
  }
}

/** The first of the same key keeps its turn. @throws Refusal 409 for the others. */
export function refuseRepeated(keys: readonly (string | null)[], index: number, message: string, field: string): void {
  const key = keys[index] ?? null
  if (key === null || keys.indexOf(key) === index) return
  throw new Refusal('DUPLICATE_ENTRY', message, { details: { field } })
}

/**
 * What is wrong with an item is its answer. What is wrong with the server is not: a request that says 200 would be kept as
 * done under its Idempotency-Key, and would hide that the rules were not asked.
 * @throws the error that is not an item's: of 500 and above, or no refusal at all.
 */
export function itemRefusal(error: unknown): Refusal {
  // guard: rules-that-cannot-be-asked-refuse-a-whole-bulk
  if (error instanceof Refusal && error.status < 500) return error
  throw error
}
