/** The two billing intervals. */
import { invalid, type Result, show, unwrap } from '../refusal/refusal.js'

export const intervals = ['monthly', 'annual'] as const
export type Interval = (typeof intervals)[number]

/** An untrusted interval: `monthly` or `annual`. */
export function parseInterval(value: unknown, field = 'interval'): Result<Interval> {
  if (value === 'monthly' || value === 'annual') return { ok: true, value }
  return invalid(field, `${field} must be monthly or annual, not ${show(value)}`)
}

/** Months in one interval. Throws `RefusedError` on anything else: an unknown word must not pass for a month. */
export function monthsOf(interval: Interval): 1 | 12 {
  return unwrap(parseInterval(interval)) === 'annual' ? 12 : 1
}
