/** The two billing intervals. */
import { invalid, type Result, show, unwrap } from '../refusal/refusal.js'

export const intervals = ['monthly', 'annual'] as const
export type Interval = (typeof intervals)[number]

/** Checks an untrusted interval: `monthly` or `annual`. */
export function parseInterval(value: unknown, field = 'interval'): Result<Interval> {
  if (value === 'monthly' || value === 'annual') return { ok: true, value }
  return invalid(field, `${field} must be monthly or annual, not ${show(value)}`)
}

/**
 * Returns the number of months in one interval.
 *
 * @throws {RefusedError} for any other text, so that an unknown word never counts as a month.
 */
export function monthsOf(interval: Interval): 1 | 12 {
  return unwrap(parseInterval(interval)) === 'annual' ? 12 : 1
}
