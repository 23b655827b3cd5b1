/**
 * Parses instants as rules write them: a Date, or ISO 8601 text with `Z` or an offset.
 *
 * INVARIANT: no clock is read, and text without a time zone is not an instant.
 */

const isoInstant =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)$/

/** Returns epoch milliseconds, or NaN. */
export const parseInstant = (value: unknown): number => {
  if (typeof value === 'string') return parseIsoInstant(value)
  if (typeof value === 'object' && value !== null) {
    try {
      return Date.prototype.getTime.call(value)
    } catch {
      return Number.NaN
    }
  }
  return Number.NaN
}

const parseIsoInstant = (text: string): number => {
  const match = isoInstant.exec(text)
  if (match === null) return Number.NaN
  const part = (index: number): number => Number(match[index] ?? 0)
  const month = part(2) - 1
  const instant = new Date(0)
  instant.setUTCFullYear(part(1), month, part(3))
  // JavaScript moves a day that the month does not have into the next month. Such a date is refused.
  if (instant.getUTCMonth() !== month || instant.getUTCDate() !== part(3)) return Number.NaN
  if (part(4) > 23 || part(5) > 59 || part(6) > 59 || part(9) > 23 || part(10) > 59) return Number.NaN
  const milliseconds = Math.floor(Number(`0.${match[7] ?? 0}`) * 1_000)
  const offsetMinutes = (part(9) * 60 + part(10)) * (match[8] === '-' ? -1 : 1)
  instant.setUTCHours(part(4), part(5) - offsetMinutes, part(6), milliseconds)
  return instant.getTime()
}

/** The `now` of a context in epoch milliseconds; NaN when it is absent or cannot be parsed. */
export const parseNow = (value: Date | string | number | undefined): number =>
  typeof value === 'number' ? value : parseInstant(value)
