/**
 * Instants: UTC, ISO 8601 with milliseconds (`2026-01-31T00:00:00.000Z`). The type is branded after a check against the
 * calendar, so that text order is time order. No function here reads a clock.
 */
import { invalid, type Result, show, unwrap } from '../refusal/refusal.js'

declare const instantBrand: unique symbol
export type Instant = string & { readonly [instantBrand]: true }

export const DAY_MS = 86_400_000

const FORM = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** Checks an untrusted instant. It accepts only the canonical form; `2026-02-30…` and offsets are refused. */
export function parseInstant(value: unknown, field = 'instant'): Result<Instant> {
  if (isInstant(value)) return { ok: true, value }
  return invalid(field, `${field} must be a UTC instant such as 2026-01-31T00:00:00.000Z, not ${show(value)}`)
}

/**
 * True for the canonical form with a day that its month has. It does not use `Date`, because ledgers check one instant
 * for each row.
 */
export function isInstant(value: unknown): value is Instant {
  if (typeof value !== 'string' || !FORM.test(value)) return false
  const day = digit(value, 8) * 10 + digit(value, 9)
  if (day <= 28) return true
  const year = digit(value, 0) * 1000 + digit(value, 1) * 100 + digit(value, 2) * 10 + digit(value, 3)
  return day <= daysInMonth(year, digit(value, 5) * 10 + digit(value, 6) - 1)
}

function digit(text: string, at: number): number {
  return text.charCodeAt(at) - 48
}

/** The number of days of a month. `month` counts from 0. */
export function daysInMonth(year: number, month: number): number {
  if (month === 1) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 3 || month === 5 || month === 8 || month === 10 ? 30 : 31
}

/**
 * Converts a text that the program made itself to an `Instant`.
 *
 * @throws {RefusedError} when it is not in the canonical form.
 */
export function instant(value: string, field = 'instant'): Instant {
  return unwrap(parseInstant(value, field))
}

/** Milliseconds since 1970-01-01 in UTC. */
export function toMilliseconds(value: Instant): number {
  return Date.parse(value)
}

/**
 * Converts milliseconds since 1970-01-01 in UTC to an instant.
 *
 * @throws {RefusedError} outside the years 0000 to 9999.
 */
export function fromMilliseconds(milliseconds: number): Instant {
  const date = new Date(milliseconds)
  if (Number.isNaN(date.getTime())) return unwrap(invalid('instant', 'instant must be a valid time'))
  return instant(date.toISOString())
}

/**
 * Adds milliseconds to an instant; a negative number gives an earlier instant.
 *
 * @throws {RefusedError} outside the years 0000 to 9999.
 */
export function addMilliseconds(value: Instant, milliseconds: number): Instant {
  return fromMilliseconds(toMilliseconds(value) + milliseconds)
}

/**
 * Adds days of 24 hours to an instant.
 *
 * @throws {RefusedError} outside the years 0000 to 9999.
 */
export function addDays(value: Instant, days: number): Instant {
  return addMilliseconds(value, days * DAY_MS)
}
