/**
 * Calendar arithmetic in UTC: adds months and keeps day and time. The day is clamped to the last day of the target
 * month.
 *
 * Adding n months is one step, not n steps: 31 January plus two months is 31 March, not 28 March.
 */
import { daysInMonth, fromMilliseconds, type Instant, toMilliseconds } from './instant.js'

export function addMonths(start: Instant, count: number): Instant {
  const from = new Date(toMilliseconds(start))
  const month = from.getUTCFullYear() * 12 + from.getUTCMonth() + count
  const year = Math.floor(month / 12)
  const monthOfYear = month - year * 12
  const to = new Date(toMilliseconds(start))
  to.setUTCFullYear(year, monthOfYear, Math.min(from.getUTCDate(), daysInMonth(year, monthOfYear)))
  return fromMilliseconds(to.getTime())
}
