/**
 * Checks an object of a configuration, exemption or baseline file against a table of its fields.
 * INVARIANT: a key that is not in the table is a problem: a typing mistake must not widen what a file allows.
 */

import type { JsonSchema } from '@plumbline/engine'
import { nearestWord } from '@plumbline/engine/words'
import type { Diagnostic } from './diagnostic.js'
import type { Located, Path } from './located.js'

/** Returns what is wrong with a value, or null. `schema` expresses the same as JSON Schema, for editors. */
export interface FieldCheck {
  (value: unknown): string | null
  readonly schema: JsonSchema
}

/** INVARIANT: `schema` accepts what `judge` accepts. It may accept more where JSON Schema cannot say it. */
export const checked = (schema: JsonSchema, judge: (value: unknown) => string | null): FieldCheck =>
  Object.assign((value: unknown) => judge(value), { schema })

export interface RecordFields {
  readonly [key: string]: { readonly check: FieldCheck; readonly required?: boolean; readonly description?: string }
}

/** The table as JSON Schema. */
export function recordSchema(fields: RecordFields): JsonSchema {
  const entries = Object.entries(fields)
  const required = entries.filter(([, field]) => field.required === true).map(([key]) => key)
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(
      entries.map(([key, { check, description }]) => [
        key,
        { ...check.schema, ...(description === undefined ? {} : { description }) },
      ]),
    ),
  }
}

export function checkRecord(located: Located, path: Path, value: unknown, fields: RecordFields): Diagnostic[] {
  const at = (key: string | null, where: 'key' | 'value', message: string, fix: string): Diagnostic => ({
    file: located.file,
    position: located.positionOf(key === null ? path : [...path, key], where),
    field: [...path, ...(key === null ? [] : [key])].join('.'),
    message,
    fix,
  })
  if (!isRecord(value)) return [at(null, 'value', 'expected an object', 'write `key: value` pairs')]
  const problems: Diagnostic[] = []
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(fields, key)) {
      const message = fields[key]?.check(value[key]) ?? null
      if (message !== null) problems.push(at(key, 'value', message, 'correct the value'))
      continue
    }
    const near = nearestWord(key, Object.keys(fields))
    const fix = near ? `did you mean \`${near}\`?` : `use one of ${Object.keys(fields).join(', ')}`
    problems.push(at(key, 'key', 'unknown key', fix))
  }
  for (const [key, { required }] of Object.entries(fields)) {
    if (required === true && !Object.hasOwn(value, key))
      problems.push(at(null, 'key', `\`${key}\` is missing`, 'add it'))
  }
  return problems
}

/** JSON Schema of a whole file. */
export const fileSchema = (title: string, schema: JsonSchema): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title,
  ...schema,
})

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const isText = checked({ type: 'string', pattern: '\\S' }, (value) =>
  typeof value === 'string' && value.trim() !== '' ? null : 'expected non-empty text',
)

export const isBoolean = checked({ type: 'boolean' }, (value) =>
  typeof value === 'boolean' ? null : 'expected true or false',
)

export const isTextList = checked({ type: 'array', items: isText.schema }, (value) =>
  Array.isArray(value) && value.every((entry) => isText(entry) === null) ? null : 'expected a list of texts',
)

export const isAnything = checked({}, () => null)

export const oneOf = (...choices: readonly string[]): FieldCheck =>
  checked({ enum: choices }, (value) =>
    typeof value === 'string' && choices.includes(value) ? null : `expected one of ${choices.join(', ')}`,
  )

export const isWhole = (min: number, max: number): FieldCheck =>
  checked({ type: 'integer', minimum: min, maximum: max }, (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? null
      : min === max
        ? `expected ${min}`
        : `expected a whole number from ${min} to ${max}`,
  )

const INSTANT = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2}))?$'

/** The schema checks only the format. The function also checks the number of days in a month. */
export const isInstant = checked({ type: 'string', pattern: INSTANT }, (value) =>
  typeof value === 'string' && parseInstant(value) !== null
    ? null
    : 'expected an instant like 2026-01-31T12:00:00Z, or a date',
)

export const nullable = (check: FieldCheck): FieldCheck =>
  checked({ anyOf: [{ type: 'null' }, check.schema] }, (value) => (value === null ? null : check(value)))

/** ISO 8601 with `Z` or an offset; a date alone is its first moment in UTC. */
export function parseInstant(text: string): Date | null {
  if (!new RegExp(INSTANT).test(text)) return null
  const [year, month, day] = text.slice(0, 10).split('-')
  // Date.parse would read 30 February as a day in March.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (date.getUTCMonth() !== Number(month) - 1) return null
  const instant = new Date(text)
  return Number.isNaN(instant.getTime()) ? null : instant
}
