/** The window of a report: half-open, in UTC, by default the last 30 days. Source: spec platform 18. */
import Type from 'typebox'
import { DAY_MS, toIso } from '../../runtime/clock.js'
import { invalidField } from '../../runtime/errors.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { type Bucket, bucketsOf, dayStart, INTERVALS, type IntervalName } from '../metric/bucket.js'
import type { Window } from '../model.js'
import { keptFrom, WINDOW_DAYS_MAX } from '../retention.js'

const DEFAULT_DAYS = 30

export const RANGE_QUERY = {
  from: Type.Optional(
    Type.String({
      format: 'date-time',
      maxLength: 40,
      description: 'From this instant on; by default, 30 days before `to`',
    }),
  ),
  to: Type.Optional(
    Type.String({
      format: 'date-time',
      maxLength: 40,
      description: 'Up to this instant, which is excluded; by default, now',
    }),
  ),
}
export const INTERVAL_QUERY = {
  interval: Type.Optional(
    Type.Unsafe<IntervalName>({
      type: 'string',
      enum: [...INTERVALS],
      default: 'week',
      description: 'UTC; weeks begin on Monday',
    }),
  ),
}

export const RangeEcho = strictObject({
  from: Instant,
  to: Instant,
  clamped: Type.Boolean({ description: 'The requested start was before the kept history' }),
})

export interface Range {
  readonly window: Window
  readonly isClamped: boolean
  /** From here on there is more than sums. */
  readonly factsFromMs: number
  readonly echo: { readonly from: string; readonly to: string; readonly clamped: boolean }
}

/**
 * @param reach `sums`: for a report that includes days of which only sums are left. Such days count as a whole.
 * @throws Refusal 400 for a window that is reversed, empty, too wide, or before the kept history.
 */
export function rangeOf(
  query: { readonly from?: string; readonly to?: string },
  factDays: number,
  nowMs: number,
  reach: 'facts' | 'sums' = 'facts',
): Range {
  const from = query.from === undefined ? undefined : Date.parse(query.from)
  const to = query.to === undefined ? undefined : Date.parse(query.to)
  const keptDays = reach === 'sums' ? WINDOW_DAYS_MAX : factDays
  const daysMax = factDays === -1 ? WINDOW_DAYS_MAX : Math.min(WINDOW_DAYS_MAX, keptDays)
  const days = Math.min(DEFAULT_DAYS, daysMax)
  const toMs = to ?? (from === undefined ? nowMs : from + days * DAY_MS)
  const askedMs = from ?? toMs - days * DAY_MS
  // guard: a-window-is-not-reversed
  if (askedMs >= toMs) throw invalidField('/query/to', 'must be after `from`', 'date_order')
  if (toMs - askedMs > daysMax * DAY_MS) {
    throw invalidField(
      '/query/from',
      `a window can have at most ${daysMax} days, the history that this account keeps: choose a later \`from\``,
      'range',
    )
  }
  const keptMs = keptFrom(factDays === -1 ? -1 : keptDays, nowMs)
  if (toMs <= keptMs) {
    const after = toIso(keptMs)
    throw to === undefined
      ? invalidField(
          '/query/from',
          `begins a window of ${days} days that ends before the ${keptDays} days that this account keeps: choose a window after ${after}, or name its end with \`to\``,
          'range',
        )
      : invalidField(
          '/query/to',
          `is before the ${keptDays} days that this account keeps: choose a window after ${after}`,
          'range',
        )
  }
  const isClamped = askedMs < keptMs
  const factsFromMs = keptFrom(factDays, nowMs)
  const window = wholeDaysBefore(dayStart(factsFromMs), {
    fromMs: Math.max(askedMs, keptMs),
    toMs,
  })
  return {
    window,
    isClamped,
    factsFromMs,
    echo: { from: toIso(window.fromMs), to: toIso(window.toMs), clamped: isClamped },
  }
}

/** The window, extended to whole days where it starts or ends before the instant, because only sums are left there. */
const wholeDaysBefore = (ms: number, { fromMs, toMs }: Window): Window => ({
  fromMs: fromMs < ms ? dayStart(fromMs) : fromMs,
  toMs: toMs < ms ? Math.ceil(toMs / DAY_MS) * DAY_MS : toMs,
})

export const bucketsIn = ({ window: { fromMs, toMs } }: Range, interval: IntervalName): Bucket[] =>
  bucketsOf(fromMs, toMs, interval)
