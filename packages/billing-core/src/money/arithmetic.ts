/**
 * Sums, differences and products of amounts. Plain `+` on `Cents` yields `number`, which no function of the package
 * takes as money; these functions check the bound once and give the brand back.
 * INVARIANT: no result leaves the safe integers; one that would throws `RefusedError`.
 */
import { invalid, show, unwrap } from '../refusal/refusal.js'
import { type Cents, cents, type SignedCents, signedCents } from './cents.js'

/** `a + b`. Throws `RefusedError` beyond the safe integers. */
export function add(a: Cents, b: Cents): Cents
export function add(a: SignedCents, b: SignedCents): SignedCents
export function add(a: SignedCents, b: SignedCents): SignedCents {
  return signedCents(a + b, 'sum')
}

/** The sum, 0 of nothing. Throws `RefusedError` beyond the safe integers. */
export function sum(amounts: Iterable<Cents>): Cents {
  let total = 0
  for (const amount of amounts) total = cents(total + amount, 'sum')
  return cents(total)
}

/** The sum of amounts of either sign, 0 of nothing. Throws `RefusedError` beyond the safe integers. */
export function sumSigned(amounts: Iterable<SignedCents>): SignedCents {
  let total = 0
  for (const amount of amounts) total = signedCents(total + amount, 'sum')
  return signedCents(total)
}

/** `a − b`, which must not be negative. */
export function subtract(a: Cents, b: Cents): Cents {
  return cents(a - b, 'difference')
}

/** `a − b`, and 0 where that would be negative. */
export function subtractToZero(a: Cents, b: Cents): Cents {
  return cents(a > b ? a - b : 0)
}

/** The amount with the other sign; 0 stays 0. */
export function negate(amount: SignedCents): SignedCents {
  return signedCents(0 - amount)
}

/** The smaller of two amounts. */
export function smaller(a: Cents, b: Cents): Cents {
  return a < b ? a : b
}

/** An amount times a whole number of units. */
export function times(amount: Cents, quantity: number): Cents {
  if (!Number.isSafeInteger(quantity) || quantity < 0) {
    return unwrap(invalid('quantity', `quantity must be a whole number from 0, not ${show(quantity)}`))
  }
  return cents(amount * quantity, 'product')
}
