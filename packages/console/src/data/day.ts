/** Days of the calendar as the reader means them, as `YYYY-MM-DD`. */

const two = (value: number): string => String(value).padStart(2, '0')

export const dayOf = (ms: number): string => {
  const date = new Date(ms)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/**
 * The last instant of a past day, for questions about the past.
 * @returns an empty text for today, for a day that is not over, and for a text that is not a day.
 */
export function endOfPastDay(day: string, nowMs: number): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return ''
  const end = new Date(`${day}T23:59:59.999`)
  return Number.isNaN(end.getTime()) || end.getTime() >= nowMs ? '' : end.toISOString()
}
