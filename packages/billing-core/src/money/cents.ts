/**
 * The two types of money: `Cents` (a safe integer ≥ 0) and `SignedCents` (a safe integer). Both are US cents.
 *
 * INVARIANT: a value of these types was checked by one of the functions below; the casts in this file are the only ones
 * in the package. `Cents` can be used as `SignedCents`, and never the reverse.
 */
import { invalid, type Result, show, unwrap } from '../refusal/refusal.js'

declare const signedCentsBrand: unique symbol
declare const centsBrand: unique symbol

export type SignedCents = number & { readonly [signedCentsBrand]: true }
export type Cents = SignedCents & { readonly [centsBrand]: true }

export const ZERO = 0 as Cents

/** The largest amount: 2^53 − 1 cents. */
export const MAX_CENTS = Number.MAX_SAFE_INTEGER as Cents

/** Checks an untrusted value and returns it as `Cents`, or a refusal that names `field`. */
export function parseCents(value: unknown, field = 'cents'): Result<Cents> {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return invalid(field, `${field} must be a whole number of cents, not ${show(value)}`)
  }
  if (!Number.isSafeInteger(value)) return invalid(field, `${field} must be at most 2^53 - 1 cents`)
  if (value < 0) return invalid(field, `${field} must not be negative, it is ${value}`)
  return { ok: true, value: (value + 0) as Cents }
}

/** Checks an untrusted value and returns it as `SignedCents`, or a refusal that names `field`. */
export function parseSignedCents(value: unknown, field = 'cents'): Result<SignedCents> {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return invalid(field, `${field} must be a whole number of cents, not ${show(value)}`)
  }
  if (!Number.isSafeInteger(value)) return invalid(field, `${field} must be within 2^53 - 1 cents of zero`)
  return { ok: true, value: (value + 0) as SignedCents }
}

/**
 * Converts a number that the program computed itself to `Cents`.
 *
 * @throws {RefusedError} when it is not a safe integer of at least 0.
 */
export function cents(value: number, field = 'cents'): Cents {
  return unwrap(parseCents(value, field))
}

/**
 * Converts a number that the program computed itself to `SignedCents`.
 *
 * @throws {RefusedError} when it is not a safe integer.
 */
export function signedCents(value: number, field = 'cents'): SignedCents {
  return unwrap(parseSignedCents(value, field))
}

/**
 * Converts whole dollars to cents.
 *
 * @throws {RefusedError} when the dollars are fractional, negative or too many.
 */
export function dollars(value: number, field = 'dollars'): Cents {
  if (!Number.isSafeInteger(value)) return unwrap(invalid(field, `${field} must be a whole number, not ${show(value)}`))
  return cents(value * 100, field)
}
