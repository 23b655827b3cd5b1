/**
 * Cron expressions of five fields: minute, hour, day of month, month, day of week; in UTC (spec compliance 10.1). Our
 * own parser refuses everything that the product does not support, and names the position. cron-parser finds the next
 * run. ADR 58 gives the reasons.
 */
import {
  CronDayOfMonth,
  CronDayOfWeek,
  CronExpression,
  CronFieldCollection,
  CronHour,
  CronMinute,
  CronMonth,
  CronSecond,
} from 'cron-parser'

/** A parsed expression: the values that each field allows. */
export interface Cron {
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  readonly daysOfMonth: ReadonlySet<number>
  /** 1 to 12. */
  readonly months: ReadonlySet<number>
  /** 0 (Sunday) to 6. */
  readonly daysOfWeek: ReadonlySet<number>
}

export interface CronMistake {
  /** Position in the text, counted from 0 in UTF-16 units. */
  readonly position: number
  readonly message: string
}

export type ParsedCron = { readonly cron: Cron } | { readonly mistake: CronMistake }

/** A text that is too short for five fields is refused by the parser, which names the position. */
export const CRON_LENGTH = { min: 1, max: 100 } as const

interface Field {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  // 7 is Sunday too.
  { name: 'day of week', min: 0, max: 7, names: DAYS },
]

class Mistake extends Error {
  constructor(
    readonly position: number,
    message: string,
  ) {
    super(message)
  }
}

/** Never throws. An accepted expression may still never match a date: `0 0 30 2 *`; see `nextRun`. */
export function parseCron(text: string): ParsedCron {
  try {
    const fields = splitFields(text)
    const [minutes, hours, daysOfMonth, months, weekdays] = FIELDS.map((field, at) =>
      readField(field, fields[at] as Part),
    ) as [Set<number>, Set<number>, Set<number>, Set<number>, Set<number>]
    return { cron: { minutes, hours, daysOfMonth, months, daysOfWeek: new Set([...weekdays].map((day) => day % 7)) } }
  } catch (error) {
    if (!(error instanceof Mistake)) throw error
    return { mistake: { position: error.position, message: error.message } }
  }
}

interface Part {
  readonly text: string
  readonly position: number
}

function splitFields(text: string): Part[] {
  if (text.startsWith('@')) throw new Mistake(0, 'macros such as `@daily` are not supported: write five fields')
  if (text.length > CRON_LENGTH.max) throw new Mistake(CRON_LENGTH.max, `is longer than ${CRON_LENGTH.max} characters`)
  const parts = [...text.matchAll(/[^ ]+/g)].map((match): Part => ({ text: match[0], position: match.index }))
  const sixth = parts[FIELDS.length]
  if (sixth !== undefined) {
    throw new Mistake(
      sixth.position,
      'has more than five fields: minute, hour, day of month, month, day of week; no seconds',
    )
  }
  const missing = FIELDS[parts.length]
  if (missing !== undefined) throw new Mistake(text.length, `ends before the field ${missing.name}`)
  return parts
}

function readField(field: Field, { text, position }: Part): Set<number> {
  const values = new Set<number>()
  let at = position
  for (const item of text.split(',')) {
    for (const value of readItem(field, { text: item, position: at })) values.add(value)
    at += item.length + 1
  }
  return values
}

// A star, `5` or `1-5`; with a step a star and `/10`, or `1-30/2`.
function readItem(field: Field, { text, position }: Part): number[] {
  const slash = text.indexOf('/')
  const range = slash === -1 ? text : text.slice(0, slash)
  const step = slash === -1 ? 1 : readStep(field, { text: text.slice(slash + 1), position: position + slash + 1 })
  const [first, last] = readRange(field, { text: range, position })
  if (slash !== -1 && range !== '*' && !range.includes('-')) {
    throw new Mistake(position + slash, `a step needs \`*\` or a range, such as \`${range}-${field.max}/${step}\``)
  }
  const values: number[] = []
  for (let value = first; value <= last; value += step) values.push(value)
  return values
}

function readStep(field: Field, { text, position }: Part): number {
  const step = digits(text)
  if (step === null || step < 1 || step > field.max) {
    throw new Mistake(position, `a step of the field ${field.name} is a number from 1 to ${field.max}`)
  }
  return step
}

function readRange(field: Field, { text, position }: Part): readonly [number, number] {
  if (text === '*') return [field.min, field.max === 7 ? 6 : field.max]
  const dash = text.indexOf('-')
  if (dash === -1) {
    const value = readValue(field, { text, position })
    return [value, value]
  }
  const first = readValue(field, { text: text.slice(0, dash), position })
  const end = text.slice(dash + 1)
  const value = readValue(field, { text: end, position: position + dash + 1 })
  // In `FRI-SUN`, Sunday is the end of the week, so its number is 7.
  const last = value === 0 && first > 0 && end.toUpperCase() === 'SUN' ? 7 : value
  if (first > last) throw new Mistake(position, `the range ${text} runs backwards`)
  return [first, last]
}

function readValue(field: Field, { text, position }: Part): number {
  const named = field.names?.indexOf(text.toUpperCase()) ?? -1
  const value = named === -1 ? digits(text) : named + field.min
  if (value !== null && value >= field.min && value <= field.max) return value
  const names = field.names === undefined ? '' : ` or ${field.names[0]} to ${field.names.at(-1)}`
  const what = text === '' ? 'nothing stands' : `\`${text.slice(0, 20)}\` stands`
  throw new Mistake(position, `${what} where the field ${field.name} takes ${field.min} to ${field.max}${names}`)
}

const digits = (text: string): number | null => (/^[0-9]{1,2}$/.test(text) ? Number(text) : null)

/**
 * How far ahead a next run is searched: a leap day comes within four years, except around some turns of the century.
 */
const YEARS_AHEAD = 4

/** The errors by which cron-parser reports that there is no run before the end date, or none ever. */
const NEVER = new Set(['Out of the time span range', 'Invalid explicit day of month definition'])

/**
 * The first minute after an instant that matches the expression, in ms since 1970; always a whole minute. cron-parser
 * gets the parsed values and not the text, so that only our parser interprets an expression.
 * @returns null when there is none within four years.
 */
export function nextRun(cron: Cron, afterMs: number): number | null {
  const endDate = new Date(afterMs)
  endDate.setUTCFullYear(endDate.getUTCFullYear() + YEARS_AHEAD)
  try {
    return new CronExpression(fieldsOf(cron), { currentDate: new Date(afterMs), endDate, tz: 'UTC' }).next().getTime()
  } catch (error) {
    if (error instanceof Error && NEVER.has(error.message)) return null
    throw error
  }
}

/**
 * When both day fields are restricted, a match of either is enough, as in cron. A field that lists every value
 * restricts nothing.
 */
function fieldsOf(cron: Cron): CronFieldCollection {
  const all = <T>(values: ReadonlySet<number>) => [...values] as T[]
  return new CronFieldCollection({
    second: new CronSecond([0]),
    minute: new CronMinute(all(cron.minutes)),
    hour: new CronHour(all(cron.hours)),
    dayOfMonth: new CronDayOfMonth(all(cron.daysOfMonth), { wildcard: cron.daysOfMonth.size === 31 }),
    month: new CronMonth(all(cron.months)),
    dayOfWeek: new CronDayOfWeek(all(cron.daysOfWeek), { wildcard: cron.daysOfWeek.size === 7 }),
  })
}
