/**
 * The first pass over a value that is not valid: is anything larger than its schema allows? It checks only lengths and
 * counts, does not descend into anything that is too large, and costs no more than a walk over the value.
 */
import type { TSchema } from 'typebox'
import type { FieldIssue } from '../errors.js'

/** The part of JSON Schema that limits sizes and describes parts. */
interface Shape {
  readonly type?: string
  readonly const?: unknown
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: boolean | Shape
  readonly propertyNames?: Shape
  readonly anyOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
}

/** `must have at most 2 items`. */
export const countText = (bound: 'least' | 'most', count: number, what: 'item' | 'character' | 'field'): string =>
  `must have at ${bound} ${count} ${what}${count === 1 ? '' : 's'}`

/** Up to this many unknown fields are reported one by one; more are reported as too many. */
const UNKNOWN_MAX = 100
const ISSUES_MAX = 100

/** Returns what is too large; empty when nothing is. Paths begin with `at`. */
export function oversized(schema: TSchema, value: unknown, at: string): FieldIssue[] {
  const issues: FieldIssue[] = []
  look(schema as Shape, value, at, issues)
  return issues
}

function look(shape: Shape, value: unknown, at: string, issues: FieldIssue[]): void {
  if (issues.length >= ISSUES_MAX) return
  for (const each of shape.allOf ?? []) look(each, value, at, issues)
  if (shape.anyOf !== undefined) lookAtForms(shape.anyOf, value, at, issues)
  if (typeof value === 'string') lookAtText(shape, value, at, issues)
  else if (Array.isArray(value)) lookAtItems(shape, value, at, issues)
  else if (typeof value === 'object' && value !== null) {
    lookAtFields(shape, value as Readonly<Record<string, unknown>>, at, issues)
  }
}

function lookAtText({ maxLength }: Shape, text: string, at: string, issues: FieldIssue[]): void {
  if (maxLength === undefined || !isLonger(text, maxLength)) return
  issues.push({ path: at, message: countText('most', maxLength, 'character'), code: 'maxLength' })
}

/** Compares in characters, each of which is one or two UTF-16 units. */
function isLonger(text: string, charactersMax: number): boolean {
  if (text.length <= charactersMax) return false
  if (text.length > 2 * charactersMax) return true
  let characters = 0
  for (const _ of text) characters += 1
  return characters > charactersMax
}

function lookAtItems({ maxItems, items }: Shape, list: readonly unknown[], at: string, issues: FieldIssue[]): void {
  // guard: a-list-that-is-too-long-is-not-looked-into
  if (maxItems !== undefined && list.length > maxItems) {
    issues.push({ path: at, message: countText('most', maxItems, 'item'), code: 'maxItems' })
  } else if (items !== undefined) {
    for (const [index, each] of list.entries()) look(items, each, `${at}/${index}`, issues)
  }
}

function lookAtFields(shape: Shape, fields: Readonly<Record<string, unknown>>, at: string, issues: FieldIssue[]): void {
  const { properties = {}, patternProperties, additionalProperties, propertyNames } = shape
  const names = Object.keys(fields)
  const isClosed = additionalProperties === false && patternProperties === undefined
  const most = Object.keys(properties).length + UNKNOWN_MAX
  const max = Math.min(shape.maxProperties ?? Number.POSITIVE_INFINITY, isClosed ? most : Number.POSITIVE_INFINITY)
  if (names.length > max) {
    issues.push({ path: at, message: countText('most', max, 'field'), code: 'maxProperties' })
    return
  }
  const ofOthers = [
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...Object.values(patternProperties ?? {}),
  ]
  for (const name of names) {
    const path = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (propertyNames !== undefined) lookAtText(propertyNames, name, path, issues)
    if (Object.hasOwn(properties, name)) look(properties[name] ?? {}, fields[name], path, issues)
    // The second pass decides which pattern a name matches. Here the largest of their limits counts.
    else if (ofOthers.length > 0) lookAtForms(ofOthers, fields[name], path, issues)
  }
}

/** A value is too large only when it is too large for each form that it may have. */
function lookAtForms(forms: readonly Shape[], value: unknown, at: string, issues: FieldIssue[]): void {
  let told: FieldIssue[] = []
  for (const form of forms) {
    if (!mayBe(form, value)) continue
    const found: FieldIssue[] = []
    look(form, value, at, found)
    if (found.length === 0) return
    told = found
  }
  issues.push(...told)
}

/** Decides by the type, and by fields with a fixed value that distinguish the forms. */
function mayBe({ type, properties = {} }: Shape, value: unknown): boolean {
  if (type !== undefined && type !== typeOf(value)) return false
  if (type !== 'object') return true
  const fields = value as Readonly<Record<string, unknown>>
  return Object.entries(properties).every(
    ([name, { const: only }]) => only === undefined || !Object.hasOwn(fields, name) || fields[name] === only,
  )
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
