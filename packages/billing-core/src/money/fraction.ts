/**
 * A part of an amount, `amount × numerator / denominator`, half a cent up. BigInt throughout: an annual price times the
 * seconds of a year passes 2^53.
 */
import { invalid, show, unwrap } from '../refusal/refusal.js'
import { type Cents, cents } from './cents.js'

/** Throws `RefusedError` unless 0 ≤ numerator ≤ denominator and the denominator is above 0. Never more than the amount. */
export function fractionOf(amount: Cents, numerator: number, denominator: number): Cents {
  if (!Number.isSafeInteger(denominator) || denominator < 1) {
    return unwrap(invalid('denominator', `denominator must be a whole number from 1, not ${show(denominator)}`))
  }
  if (!Number.isSafeInteger(numerator) || numerator < 0 || numerator > denominator) {
    return unwrap(invalid('numerator', `numerator must be from 0 to ${denominator}, not ${show(numerator)}`))
  }
  const whole = BigInt(denominator)
  return cents(Number((2n * BigInt(amount) * BigInt(numerator) + whole) / (2n * whole)))
}
