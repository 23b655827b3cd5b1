/**
 * Tests cron expressions against an oracle that is independent of the parser: it reads each field again for each minute
 * of several years and decides whether the minute matches.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextRun, parseCron } from './cron.js'

const MINUTE_MS = 60_000
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** Whether one field matches the value, by its text alone. */
function means(
  text: string,
  value: number,
  min: number,
  max: number,
  names: readonly string[] = [],
  base = 0,
): boolean {
  const number = (word: string) =>
    names.includes(word.toUpperCase()) ? names.indexOf(word.toUpperCase()) + base : Number(word)
  return text.split(',').some((item) => {
    const [range = '', step = '1'] = item.split('/')
    const [from, to] =
      range === '*' ? [min, max] : range.includes('-') ? range.split('-').map(number) : [number(range), number(range)]
    const end = range.toUpperCase().endsWith('-SUN') && from !== 0 ? 7 : to
    for (let each = from as number; each <= (end as number); each += Number(step)) if (each === value) return true
    return false
  })
}

interface Meant {
  readonly minutes: readonly boolean[]
  readonly hours: readonly boolean[]
  readonly dates: readonly boolean[]
  readonly months: readonly boolean[]
  readonly weekdays: readonly boolean[]
  /** A day field that lists every value leaves the decision to the other day field. */
  readonly isOneEnough: boolean
}

/** Each field is read once for each of its values, because an oracle over years needs the same ones again and again. */
const known = new Map<string, Meant>()

function meantBy(expression: string): Meant {
  const found = known.get(expression)
  if (found !== undefined) return found
  const [minute = '', hour = '', date = '', month = '', weekday = ''] = expression
    .split(' ')
    .filter((part) => part !== '')
  const each = (count: number, holds: (value: number) => boolean) => Array.from({ length: count }, (_, n) => holds(n))
  const dates = each(32, (n) => n > 0 && means(date, n, 1, 31))
  const isWeekday = (day: number) => means(weekday, day, 0, 6, DAYS)
  const weekdays = each(7, (n) => isWeekday(n) || (n === 0 && isWeekday(7)))
  const meant = {
    minutes: each(60, (n) => means(minute, n, 0, 59)),
    hours: each(24, (n) => means(hour, n, 0, 23)),
    dates,
    months: each(13, (n) => n > 0 && means(month, n, 1, 12, MONTHS, 1)),
    weekdays,
    isOneEnough: !dates.slice(1).every(Boolean) && !weekdays.every(Boolean),
  }
  known.set(expression, meant)
  return meant
}

function isMeant(expression: string, ms: number): boolean {
  const { minutes, hours, dates, months, weekdays, isOneEnough } = meantBy(expression)
  const at = new Date(ms)
  if (!minutes[at.getUTCMinutes()] || !hours[at.getUTCHours()] || !months[at.getUTCMonth() + 1]) return false
  const onDate = dates[at.getUTCDate()] === true
  const onWeekday = weekdays[at.getUTCDay()] === true
  return isOneEnough ? onDate || onWeekday : onDate && onWeekday
}

const item = (min: number, max: number, names: readonly string[] = [], base = 0): fc.Arbitrary<string> => {
  const value = fc
    .integer({ min, max })
    .map((n) => (names[n - base] !== undefined && n % 2 === 0 ? (names[n - base] as string) : String(n)))
  const range = fc
    .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
    .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`)
  const step = fc.tuple(fc.oneof(fc.constant('*'), range), fc.integer({ min: 1, max })).map(([of, by]) => `${of}/${by}`)
  return fc.oneof({ arbitrary: fc.constant('*'), weight: 2 }, value, range, step)
}
const field = (...of: Parameters<typeof item>) =>
  fc.array(item(...of), { minLength: 1, maxLength: 2 }).map((items) => items.join(','))
const expressions = fc
  .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12, MONTHS, 1), field(0, 7, DAYS))
  .map((fields) => fields.join(' '))
  .filter((text) => text.length <= 100)
const instants = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2032, 0, 1) })

function next(expression: string, afterMs: number): number | null {
  const parsed = parseCron(expression)
  if ('mistake' in parsed) throw new Error(`${expression}: ${parsed.mistake.message}`)
  return nextRun(parsed.cron, afterMs)
}

describe('cron expressions', () => {
  it('the next run is the first minute that is meant, and none between is', () => {
    const runs = Number(process.env.PLUMBLINE_TEST_CRON_RUNS ?? 60)
    const minutesMax = 60 * 24 * 40
    fc.assert(
      fc.property(expressions, instants, (expression, ms) => {
        const run = next(expression, ms)
        const first = Math.floor(ms / MINUTE_MS) * MINUTE_MS + MINUTE_MS
        const last = Math.min(run ?? Number.POSITIVE_INFINITY, first + minutesMax * MINUTE_MS)
        let passedOver = 0
        for (let at = first; at < last; at += MINUTE_MS) if (isMeant(expression, at)) passedOver += 1
        expect(passedOver).toBe(0)
        if (run !== null) expect([run % MINUTE_MS, isMeant(expression, run), run > ms]).toEqual([0, true, true])
      }),
      { numRuns: runs },
    )
  })

  it('the runs of years are the minutes that are meant, each of them and no other', { timeout: 600_000 }, () => {
    const runs = Number(process.env.PLUMBLINE_TEST_CRON_YEARS ?? 1)
    fc.assert(
      fc.property(expressions, fc.integer({ min: 2023, max: 2031 }), (expression, year) => {
        let run = next(expression, Date.UTC(year) - 1)
        for (let at = Date.UTC(year); at < Date.UTC(year + 1); at += MINUTE_MS) {
          const isRun = run === at
          if (isMeant(expression, at) !== isRun) throw new Error(`${expression}: ${new Date(at).toISOString()}`)
          if (isRun) run = next(expression, at)
        }
      }),
      { numRuns: runs },
    )
  })

  it.each([
    '0 0 29 2 *',
    '30 2 * * SUN',
    '15 3 31 * *',
    '0 12 13 * FRI',
    '*/20 9-17 * * MON-FRI',
    '59 23 28-31 2 *',
    '0 0 1 JAN,JUL 7',
    '5,10 0 */10 * FRI-SUN',
  ])('%s names the minutes of four years that the oracle names', (expression) => {
    const [from, until] = [Date.UTC(2027, 1, 27), Date.UTC(2031, 2, 2)]
    const ours: number[] = []
    for (let at = next(expression, from - 1); at !== null && at < until; at = next(expression, at)) ours.push(at)
    const meant: number[] = []
    for (let at = from; at < until; at += MINUTE_MS) if (isMeant(expression, at)) meant.push(at)
    expect(ours).toEqual(meant)
    expect(meant.length).toBeGreaterThan(0)
  })

  it.each([
    ['@daily', 0, 'macros'],
    ['* * * *', 7, 'ends before the field day of week'],
    ['0 * * * * *', 10, 'no seconds'],
    ['60 * * * *', 0, 'minute takes 0 to 59'],
    ['* 24 * * *', 2, 'hour takes 0 to 23'],
    ['* * 0 * *', 4, 'day of month takes 1 to 31'],
    ['* * * 13 *', 6, 'month takes 1 to 12 or JAN to DEC'],
    ['* * * * 8', 8, 'day of week takes 0 to 7 or SUN to SAT'],
    ['* * L * *', 4, '`L` stands'],
    ['* * 15W * *', 4, '`15W` stands'],
    ['* * * * 5#2', 8, '`5#2` stands'],
    ['5-1 * * * *', 0, 'runs backwards'],
    ['* * * * 5-0', 8, 'runs backwards'],
    ['*/0 * * * *', 2, 'a step of the field minute'],
    ['5/10 * * * *', 1, 'a step needs'],
    ['1,,2 * * * *', 2, 'nothing stands'],
    ['1,99 * * * *', 2, '`99` stands'],
    ['-1 * * * *', 0, 'nothing stands'],
    ['1e1 * * * *', 0, '`1e1` stands'],
    ['* * * ? *', 6, '`?` stands'],
    ['*\t* * * * *', 0, 'stands'],
    ['٣ * * * *', 0, 'stands'],
  ])('%s is refused at %i', (expression, position, message) => {
    expect(parseCron(expression)).toMatchObject({ mistake: { position, message: expect.stringContaining(message) } })
  })

  it('never throws, and knows what never comes', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => void parseCron(text)))
    expect(next('0 0 30 2 *', Date.UTC(2026, 0, 1))).toBeNull()
    expect(next('0 0 29 FEB *', Date.UTC(2096, 2, 1))).toBeNull()
    expect(next('0 0 30 2 MON', Date.UTC(2026, 0, 1))).toBe(Date.UTC(2026, 1, 2))
  })
})
