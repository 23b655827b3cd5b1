/**
 * Values that tell checks apart: the constants of the checks, their neighbours, other types, other spellings and
 * lengths.
 *
 * The static analysis tries them to refute claims before it reports them, and to find witnesses. The testing kit uses
 * them to generate values at the borders of checks.
 */

import type { Check } from '../operator/check.js'
import { Op } from '../operator/op.js'
import type { FieldPath } from '../path/field-path.js'
import type { Attributes, JsonValue } from '../types.js'
import { nextDown, nextUp } from './number-domain.js'

/** The longest text or list that is built for a try. */
const MAX_LENGTH = 400

const plain: readonly JsonValue[] = [
  '',
  'x',
  '0',
  ' ',
  true,
  false,
  0,
  1,
  -1,
  0.5,
  [],
  ['x'],
  [null],
  [{}],
  {},
  { x: 1 },
]

const addNumber = (number: number, into: unknown[]): void => {
  for (const value of [number, number + 1, number - 1, nextUp(number), nextDown(number)]) {
    if (Number.isFinite(value)) into.push(value)
  }
  into.push(String(number), ` ${number} `, `0${number}`, `${number}.0`, `${number}e0`)
}

const addText = (text: string, into: unknown[]): void => {
  const spellings = [
    text,
    text.toUpperCase(),
    text.toLowerCase(),
    ` ${text}`,
    `${text}x`,
    `x${text}`,
    text.slice(0, -1),
  ]
  into.push(...spellings, [text], [text.toUpperCase()], [text, 'x'], [text, {}], { [text]: 'x' }, { [text]: null })
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number)) into.push(number)
  if (text === 'true' || text === 'false') into.push(text === 'true')
}

const addSize = (size: number, into: unknown[]): void => {
  for (const length of [size - 1, size, size + 1]) {
    if (!Number.isInteger(length) || length < 0 || length > MAX_LENGTH) continue
    into.push('x'.repeat(length), '\n'.repeat(length), new Array<string>(length).fill('x'), membersNumbered(length))
  }
}

const membersNumbered = (count: number): { readonly [key: string]: string } =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 'x']))

/** Literal pieces of a pattern, which a matching text may have to contain. */
const literalsOfPattern = (pattern: string): string[] =>
  pattern.split(/[\\^$.*+?()[\]{}|]+/).filter((part) => part !== '')

/**
 * Adds values for the place that a check reads. When the field is computed, these are values before the function is
 * applied.
 */
const valuesOf = (check: Check, into: unknown[]): void => {
  if (Number.isFinite(check.number)) {
    addNumber(check.number, into)
    addSize(Math.round(check.number), into)
  }
  if (check.op === Op.matches) {
    const parts = literalsOfPattern(check.text)
    for (const part of [...parts, parts.join(''), '1.2.3', 'a', 'A', 'a-b', 'abc', '12', 'aaaaaaaaaa']) into.push(part)
    for (const branch of check.text.replace(/^\^|\$$/g, '').split('|')) into.push(branch.replace(/[()?:\\]/g, ''))
  } else if (check.texts !== null) {
    const texts = [...check.texts].slice(0, 12)
    for (const text of texts) addText(text, into)
    into.push(texts, [...texts, 'x'], [null])
  } else if (check.op <= Op.notEqualText || check.op === Op.contains || check.op === Op.notContains) {
    addText(check.text, into)
  }
  if (check.deep !== null) {
    into.push(check.deep)
    if (Array.isArray(check.deep)) into.push([...check.deep, 'x'], check.deep.slice(1), [...check.deep].reverse())
    else into.push({ ...(check.deep as object), x: 1 })
  }
}

/** Values to try at one place; absent comes first. A place is identified by its path segments. */
const candidateValues = (checks: readonly Check[]): unknown[] => {
  const values: unknown[] = [undefined, null, ...plain]
  for (const check of checks) valuesOf(check, values)
  const containsTexts = checks.filter(({ op }) => op === Op.contains).map(({ text }) => text)
  if (containsTexts.length > 1) values.push(containsTexts.join(' '), containsTexts)
  const seen = new Set<string>()
  const distinct = values.filter((value) => {
    const name = value === undefined ? 'absent' : JSON.stringify(value)
    if (seen.has(name)) return false
    seen.add(name)
    return true
  })
  const own = checks.flatMap(ownConstants)
  const times = own.length === 0 ? 0 : Math.ceil(distinct.length / (4 * own.length))
  return [...distinct, ...Array.from({ length: times }, () => own).flat()]
}

/**
 * The constants of the check as written. They are listed several times, so that they are about a fifth of what is
 * tried.
 */
const ownConstants = (check: Check): unknown[] => [
  ...(Number.isFinite(check.number) ? [check.number] : []),
  ...(check.texts === null ? [] : [...check.texts].slice(0, 4)),
  ...(check.op === Op.equalText || check.op === Op.notEqualText || check.op === Op.contains ? [check.text] : []),
  ...(check.deep === null ? [] : [check.deep]),
]

/** A place in an entity that at least one check reads, with all checks that read it. */
export interface ReadPlace {
  readonly segments: readonly string[]
  readonly values: readonly unknown[]
}

/** Every place that these checks read, each with values to try. */
export const readPlaces = (checks: readonly { readonly check: Check; readonly path: FieldPath }[]): ReadPlace[] => {
  const places = new Map<string, { segments: readonly string[]; checks: Check[] }>()
  for (const { check, path } of checks) {
    const segments = path.segments.at(-1) === 'length' ? path.segments.slice(0, -1) : path.segments
    const used = segments.length === 0 ? path.segments : segments
    const name = JSON.stringify(used)
    const place = places.get(name)
    if (place === undefined) places.set(name, { segments: used, checks: [check] })
    else place.checks.push(check)
  }
  return [...places.values()].map((place) => ({
    segments: place.segments,
    values: candidateValues(place.checks),
  }))
}

/**
 * Puts a value at a place and creates the containers on the way; `undefined` leaves the place as it is.
 *
 * A value of another type that is in the way is kept. The place then stays absent, which is also a case to try.
 */
export const placeValue = (
  entity: { [key: string]: unknown },
  segments: readonly string[],
  value: unknown,
  asLists: boolean,
): void => {
  if (value === undefined) return
  let container: unknown = entity
  segments.forEach((segment, depth) => {
    if (typeof container !== 'object' || container === null) return
    const last = depth === segments.length - 1
    const existing = Object.hasOwn(container, segment) ? (container as Record<string, unknown>)[segment] : undefined
    const isIndex = /^\d{1,3}$/.test(segments[depth + 1] ?? '')
    const next = last ? value : (existing ?? (asLists && isIndex ? [] : {}))
    if (Array.isArray(container)) {
      if (/^\d{1,3}$/.test(segment)) {
        while (container.length < Number(segment)) container.push('x')
        container[Number(segment)] = next
      }
    } else if (!(last && isContainer(existing) && isContainer(value))) {
      Object.defineProperty(container, segment, { value: next, enumerable: true, configurable: true, writable: true })
    }
    container = next
  })
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Builds an entity from one value for each place. `choose` returns an index below its argument. */
export const buildEntity = (places: readonly ReadPlace[], choose: (below: number) => number): Attributes => {
  const entity: { [key: string]: unknown } = {}
  const asLists = choose(2) === 0
  const shortestFirst = [...places].sort((a, b) => a.segments.length - b.segments.length)
  for (const { segments, values } of shortestFirst) {
    const value = values[choose(values.length)]
    placeValue(entity, segments, structuredCopy(value), asLists)
  }
  return entity
}

/** Copies containers, because later places may write into them. */
const structuredCopy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(structuredCopy)
  if (!isContainer(value)) return value
  return Object.fromEntries(Object.entries(value as object).map(([key, member]) => [key, structuredCopy(member)]))
}
