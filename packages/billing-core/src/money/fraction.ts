/**
 * A part of an amount: `amount × numerator / denominator`, with half a cent rounded up. It uses BigInt, because an
 * annual price times the seconds of a year exceeds 2^53.
 */
import { invalid, show, unwrap } from '../refusal/refusal.js'
import { type Cents, cents } from './cents.js'

/**
 * Returns the part of the amount in cents. The result never exceeds the amount.
 *
 * @throws {RefusedError} unless 0 ≤ numerator ≤ denominator and the denominator is above 0.
 */
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
