/**
 * A percentage of a price, with half a cent rounded up: floor((price × percent + 50) / 100), in integers.
 *
 * The price is split into hundreds and a rest. So no product leaves the safe integers, and every division is exact.
 * `(price × percent + 50) / 100` in floating point is wrong above about 2^46, where the quotient can round up to an
 * integer.
 */
import { invalid, type Result, show, unwrap } from '../refusal/refusal.js'
import { type Cents, cents } from './cents.js'

declare const percentBrand: unique symbol
/** A whole number of percentage points, from 0 to 100. */
export type Percent = number & { readonly [percentBrand]: true }

/** Checks an untrusted percentage: a whole number from 0 to 100. */
export function parsePercent(value: unknown, field = 'percent'): Result<Percent> {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 100) {
    return invalid(field, `${field} must be a whole number from 0 to 100, not ${show(value)}`)
  }
  return { ok: true, value: (value + 0) as Percent }
}

/**
 * Converts a number that the program computed itself to `Percent`.
 *
 * @throws {RefusedError} when it is not a whole number from 0 to 100.
 */
export function percent(value: number, field = 'percent'): Percent {
  return unwrap(parsePercent(value, field))
}

/** Returns that percentage of a price in cents, with half a cent rounded up. The result never exceeds the price. */
export function percentOf(price: Cents, points: Percent): Cents {
  const rest = price % 100
  const hundreds = (price - rest) / 100
  const scaled = rest * points + 50
  return cents(hundreds * points + (scaled - (scaled % 100)) / 100)
}
