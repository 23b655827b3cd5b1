/**
 * The period that a list is asked for. A day means the whole day in UTC: as the begin its first millisecond, as the end
 * its last. Both ends belong to the period.
 */
import Type from 'typebox'
import { DAY_MS } from '../clock.js'
import { invalidField } from '../errors.js'
import { DAY_OR_INSTANT } from './schema.js'

const edge = (description: string) =>
  Type.String({
    format: DAY_OR_INSTANT,
    maxLength: 40,
    'x-says': 'must be an instant such as 2026-11-01T09:30:00Z, or a day such as 2026-11-01',
    description,
  })

export const Begin = edge('From this instant on, or from the beginning of this day in UTC')
export const End = edge('Up to this instant, or to the end of this day in UTC')

const isDay = (text: string): boolean => text.length === 'yyyy-mm-dd'.length

/** @param text of the form `Begin` */
export const beginOf = (text: string): number => Date.parse(text)
/** @param text of the form `End` */
export const endOf = (text: string): number => Date.parse(text) + (isDay(text) ? DAY_MS - 1 : 0)

/** The first and the last millisecond; undefined when that end is open. */
export interface Period {
  readonly from: number | undefined
  readonly to: number | undefined
}

/** @throws Refusal 400 for a period that ends before it begins. */
export function periodOf<B extends string, E extends string>(
  asked: Readonly<Partial<Record<B | E, string | undefined>>>,
  begin: B,
  end: E,
): Period {
  const [first, last] = [asked[begin], asked[end]]
  const from = first === undefined ? undefined : beginOf(first)
  const to = last === undefined ? undefined : endOf(last)
  if (from !== undefined && to !== undefined && from > to) {
    throw invalidField(`/query/${end}`, `is before \`${begin}\``, 'date_order')
  }
  return { from, to }
}
