/**
 * Sums, differences and products of amounts.
 *
 * `+` on `Cents` gives `number`, which no function of the package accepts as money. These functions check the bound and
 * return the branded type. INVARIANT: no result leaves the safe integers; otherwise the function throws `RefusedError`.
 */
import { invalid, show, unwrap } from '../refusal/refusal.js'
import { type Cents, cents, type SignedCents, signedCents } from './cents.js'

/**
 * `a + b`.
 *
 * @throws {RefusedError} when the sum exceeds the safe integers.
 */
export function add(a: Cents, b: Cents): Cents
export function add(a: SignedCents, b: SignedCents): SignedCents
export function add(a: SignedCents, b: SignedCents): SignedCents {
  return signedCents(a + b, 'sum')
}

/**
 * The sum of the amounts; 0 when there are none.
 *
 * @throws {RefusedError} when the sum exceeds the safe integers.
 */
export function sum(amounts: Iterable<Cents>): Cents {
  let total = 0
  for (const amount of amounts) total = cents(total + amount, 'sum')
  return cents(total)
}

/**
 * The sum of amounts of either sign; 0 when there are none.
 *
 * @throws {RefusedError} when the sum exceeds the safe integers.
 */
export function sumSigned(amounts: Iterable<SignedCents>): SignedCents {
  let total = 0
  for (const amount of amounts) total = signedCents(total + amount, 'sum')
  return signedCents(total)
}

/**
 * `a − b`.
 *
 * @throws {RefusedError} when the difference is negative.
 */
export function subtract(a: Cents, b: Cents): Cents {
  return cents(a - b, 'difference')
}

/** `a − b`, or 0 when the difference is negative. */
export function subtractToZero(a: Cents, b: Cents): Cents {
  return cents(a > b ? a - b : 0)
}

/** The amount with the opposite sign; 0 stays 0. */
export function negate(amount: SignedCents): SignedCents {
  return signedCents(0 - amount)
}

/** The smaller of two amounts. */
export function smaller(a: Cents, b: Cents): Cents {
  return a < b ? a : b
}

/**
 * An amount times a whole number of units.
 *
 * @throws {RefusedError} when the product is not a valid amount.
 */
export function times(amount: Cents, quantity: number): Cents {
  if (!Number.isSafeInteger(quantity) || quantity < 0) {
    return unwrap(invalid('quantity', `quantity must be a whole number from 0, not ${show(quantity)}`))
  }
  return cents(amount * quantity, 'product')
}
