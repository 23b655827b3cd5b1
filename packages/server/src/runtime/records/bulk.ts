/** Requests about many records: which refusals are the answer of one item, and which end the request. */
import { Refusal } from '../errors.js'

/**
 * What is wrong with an item is its answer. What is wrong with the server is not: a request that says 200 would be kept as
 * done under its Idempotency-Key, and would hide that the rules were not asked.
 * @throws the error that is no item's: of 500 and above, or no refusal at all.
 */
export function itemRefusal(error: unknown): Refusal {
  if (error instanceof Refusal && error.status < 500) return error
  throw error
}
