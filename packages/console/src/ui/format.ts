/** Numbers, dates and money in the reader's language. Money is always integer cents and never a float. */
import { type Language, useLanguage } from './words.js'

export interface Format {
  number(value: number): string
  percent(share: number): string
  bytes(value: number): string
  date(iso: string): string
  /** Day and month of a day of the calendar, such as `2026-11-29`. */
  day(day: string): string
  /** Month and year of a day of the calendar. */
  month(day: string): string
  dateTime(iso: string): string
  time(ms: number): string
  relative(iso: string, nowMs?: number): string
  duration(ms: number): string
  money(cents: number, currency?: string): string
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const BYTES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Making a formatter takes many times as long as using it, and there is one for each language and style. */
function remembered<Options extends object, Made>(make: (to: string, options: Options) => Made) {
  const known = new Map<string, Made>()
  return (to: string, options = {} as Options): Made => {
    const key = `${to} ${JSON.stringify(options)}`
    const made = known.get(key) ?? make(to, options)
    known.set(key, made)
    return made
  }
}

const numbers = remembered((to, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(to, options))
const datesOf = remembered((to, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(to, options))
const distances = remembered((to, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(to, options))

/** `en-GB` for a reader whose browser names it, who writes the day before the month; plain `en` is American. */
const dates = (to: Language, options: Intl.DateTimeFormatOptions) =>
  datesOf(globalThis.navigator?.languages.find((each) => each.startsWith(`${to}-`)) ?? to, options)

export const formatOf = (to: Language): Format => ({
  number: (value) => numbers(to).format(value),
  percent: (share) => numbers(to, { style: 'percent', maximumFractionDigits: 1 }).format(share),
  bytes(value) {
    let index = 0
    let rest = value
    while (rest >= 1000 && index < BYTES.length - 1) {
      rest /= 1000
      index += 1
    }
    const unit = BYTES[index] ?? 'byte'
    return numbers(to, { style: 'unit', unit, maximumFractionDigits: 1 }).format(rest)
  },
  date: (iso) => dates(to, { dateStyle: 'medium' }).format(new Date(iso)),
  day: (day) => dates(to, { day: 'numeric', month: 'numeric', timeZone: 'UTC' }).format(new Date(day)),
  month: (day) => dates(to, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(new Date(day)),
  dateTime: (iso) => dates(to, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso)),
  time: (ms) => dates(to, { timeStyle: 'short' }).format(ms),
  relative(iso, nowMs = Date.now()) {
    const seconds = (new Date(iso).getTime() - nowMs) / 1000
    const format = distances(to, { numeric: 'auto' })
    for (const [unit, size] of UNITS)
      if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit)
    return format.format(0, 'second')
  },
  duration(ms) {
    const seconds = ms / 1000
    const [value, unit] =
      seconds < 1
        ? [ms, 'millisecond']
        : seconds < 120
          ? [seconds, 'second']
          : seconds < 7200
            ? [seconds / 60, 'minute']
            : [seconds / 3600, 'hour']
    return numbers(to, { style: 'unit', unit: String(unit), maximumFractionDigits: 1 }).format(Number(value))
  },
  money: (cents, currency = 'usd') => moneyText(cents, currency, to),
})

/** `-1234` cents are `-12.34`. The digits are split and never divided. */
export function decimalCents(cents: number): `${number}` {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`
}

export const moneyText = (cents: number, currency: string, to: Language): string =>
  numbers(to, { style: 'currency', currency: currency.toUpperCase() }).format(
    // Passed as text, which `Intl` formats exactly.
    decimalCents(cents) as unknown as number,
  )

export const useFormat = (): Format => formatOf(useLanguage())
