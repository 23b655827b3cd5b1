/**
 * Instants as the rule record writes them: a Date, or ISO 8601 text with `Z` or an offset.
 *
 * INVARIANT: no clock is read, and text without a zone is no instant.
 */

const isoInstant =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)$/

/** Epoch milliseconds, or NaN. */
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
  const [year, month, day] = [part(1), part(2), part(3)]
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return Number.NaN
  if (part(4) > 23 || part(5) > 59 || part(6) > 59 || part(9) > 23 || part(10) > 59) return Number.NaN
  const milliseconds = Math.floor(Number(`0.${match[7] ?? 0}`) * 1_000)
  const offsetMinutes = (part(9) * 60 + part(10)) * (match[8] === '-' ? -1 : 1)
  const instant = new Date(0)
  instant.setUTCFullYear(year, month - 1, day)
  instant.setUTCHours(part(4), part(5) - offsetMinutes, part(6), milliseconds)
  return instant.getTime()
}

const daysIn = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** `now` of a context: epoch milliseconds, NaN when there is none that can be read. */
export const parseNow = (value: Date | string | number | undefined): number =>
  typeof value === 'number' ? value : parseInstant(value)
