/**
 * Billing periods.
 *
 * Every boundary is the anchor (the start of the first period) plus a whole number of intervals. So a subscription that
 * began on the 31st is billed on the last day of short months, and on the 31st again afterwards. INVARIANT: the periods
 * of one anchor are half-open and adjacent, and each has its own period key.
 */
import { addMonths } from './add-months.js'
import { type Instant, toMilliseconds } from './instant.js'
import { type Interval, monthsOf } from './interval.js'

export interface Period {
  readonly start: Instant
  /** The start of the next period, which is not part of this one. */
  readonly end: Instant
  /** 0 for the period that begins at the anchor. */
  readonly index: number
}

/**
 * Returns the period with that index, counted from 0 at the anchor; negative indexes are before it. Its end is the
 * start of the next period.
 */
export function periodAt(anchor: Instant, interval: Interval, index: number): Period {
  const months = monthsOf(interval)
  return { start: addMonths(anchor, index * months), end: addMonths(anchor, (index + 1) * months), index }
}

/** Returns the end of a period that starts at its own anchor: one month or year later, with the day clamped. */
export function periodEnd(start: Instant, interval: Interval): Instant {
  return addMonths(start, monthsOf(interval))
}

/** Returns the period that contains the instant. `index` is negative before the anchor. */
export function periodContaining(anchor: Instant, interval: Interval, at: Instant): Period {
  const from = new Date(toMilliseconds(anchor))
  const to = new Date(toMilliseconds(at))
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  const guess = Math.floor(months / monthsOf(interval))
  const period = periodAt(anchor, interval, guess)
  // The boundary is in the month of the guess, so the guess is right or one too high.
  return at < period.start ? periodAt(anchor, interval, guess - 1) : period
}

/** The period key: the year `YYYY` (annual) or month `YYYY-MM` (monthly) in which the period starts, in UTC. */
export function periodKey(start: Instant, interval: Interval): string {
  return monthsOf(interval) === 12 ? start.slice(0, 4) : start.slice(0, 7)
}

/** The UTC hour of an instant, such as `2026-01-31T07`: the key of a metering call. */
export function hourKey(at: Instant): string {
  return at.slice(0, 13)
}
