/**
 * Periods against an oracle that knows no calendar arithmetic: it walks day by day through a calendar of its own and
 * notices where a month begins. Every anchor day from 28 to 31, every month, twenty years, both intervals.
 */
import { type Instant, type Interval, instant, periodAt, periodContaining, periodKey } from '../src/index.js'
import { must } from './random.js'

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function lengthOf(year: number, month: number): number {
  const leap = year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0)
  return month === 2 && leap ? 29 : (LENGTHS[month - 1] as number)
}

function nextDay({ year, month, day }: Day): Day {
  if (day < lengthOf(year, month)) return { year, month, day: day + 1 }
  return month < 12 ? { year, month: month + 1, day: 1 } : { year: year + 1, month: 1, day: 1 }
}

function write({ year, month, day }: Day): Instant {
  const pad = (value: number, width: number): string => String(value).padStart(width, '0')
  return instant(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T06:07:08.009Z`)
}

export function provePeriods(years = 20): number {
  let checked = 0
  // From 1999 on stands 2000, a leap century; from 2098 on 2100, which is none.
  for (const firstYear of [1999, 2026, 2098]) {
    for (let month = 1; month <= 12; month++) {
      for (let anchorDay = 28; anchorDay <= Math.min(31, lengthOf(firstYear, month)); anchorDay++) {
        for (const interval of ['monthly', 'annual'] as const) {
          checked += walk({ year: firstYear, month, day: anchorDay }, interval, years)
        }
      }
    }
  }
  return checked
}

function walk(anchor: Day, interval: Interval, years: number): number {
  const start = write(anchor)
  let index = 0
  let boundary = start
  let checked = 0
  for (let day = nextDay(anchor); day.year < anchor.year + years; day = nextDay(day)) {
    const isDue = day.day === Math.min(anchor.day, lengthOf(day.year, day.month))
    const opens = isDue && (interval === 'monthly' || day.month === anchor.month)
    // Boundaries fall on the anchor day or a month's last: the days around both are looked up, the others walked by.
    if (!opens && day.day > 3 && day.day < 27) continue
    const today = write(day)
    if (opens) {
      const period = periodAt(start, interval, index)
      must(
        period.start === boundary && period.end === today,
        () => `${start} ${interval} ${index}: ${period.end}, not ${today}`,
      )
      must(periodKey(period.start, interval) !== periodKey(period.end, interval), () => `${start}: one key twice`)
      boundary = today
      index++
    }
    // The day belongs to the period that the walk is in.
    const found = periodContaining(start, interval, today)
    must(found.index === index, () => `${today} of ${start} ${interval}: period ${found.index}, not ${index}`)
    checked++
  }
  return checked
}
