/**
 * Billing periods. Every boundary is the anchor (the start of the first period) plus a whole number of intervals, so a
 * subscription begun on the 31st bills on the last day of short months and on the 31st again afterwards.
 * INVARIANT: periods of one anchor are half-open, adjacent, and each has a period key of its own.
 */
import { addMonths } from './add-months.js'
import { type Instant, toMilliseconds } from './instant.js'
import { type Interval, monthsOf } from './interval.js'

export interface Period {
  readonly start: Instant
  /** The start of the next period; not part of this one. */
  readonly end: Instant
  /** 0 for the period that begins at the anchor. */
  readonly index: number
}

/**
 * The period of that number, counted from 0 at the anchor; negative ones lie before it. The end is the start of the
 * next one.
 */
export function periodAt(anchor: Instant, interval: Interval, index: number): Period {
  const months = monthsOf(interval)
  return { start: addMonths(anchor, index * months), end: addMonths(anchor, (index + 1) * months), index }
}

/** The end of a period that starts at its own anchor: one month or year later, the day clamped. */
export function periodEnd(start: Instant, interval: Interval): Instant {
  return addMonths(start, monthsOf(interval))
}

/** The period that holds the instant; `index` is negative before the anchor. */
export function periodContaining(anchor: Instant, interval: Interval, at: Instant): Period {
  const from = new Date(toMilliseconds(anchor))
  const to = new Date(toMilliseconds(at))
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  const guess = Math.floor(months / monthsOf(interval))
  const period = periodAt(anchor, interval, guess)
  // The boundary lies within the month that the guess names: the guess is right or one too far.
  return at < period.start ? periodAt(anchor, interval, guess - 1) : period
}

/** `YYYY` (annual) or `YYYY-MM` (monthly) of the period's start in UTC. */
export function periodKey(start: Instant, interval: Interval): string {
  return monthsOf(interval) === 12 ? start.slice(0, 4) : start.slice(0, 7)
}

/** The UTC hour of an instant, `2026-01-31T07`: the key of a metering call. */
export function hourKey(at: Instant): string {
  return at.slice(0, 13)
}
