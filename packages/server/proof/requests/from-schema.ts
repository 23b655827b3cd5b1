/**
 * Values for a JSON Schema: mostly valid ones, so that requests come past the validation. A new operation is covered by
 * its own schemas.
 */
import fc from 'fast-check'
import { UUID } from '../../src/runtime/ids.js'

/** The part of JSON Schema that operations are written in. */
export interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly minProperties?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
}

/** Gives a text for a place that names something, such as `roleId`; null where any text will do. */
export type Slot = (name: string, schema: Schema) => (() => string) | null

const LENGTH_MAX = 40
const ITEMS_MAX = 3

export function fromSchema(schema: Schema, slot: Slot, name = ''): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((each) => fromSchema(each, slot, name)))
  switch (schema.type) {
    case 'string':
      return text(schema, slot, name)
    case 'integer':
      return fc.integer(range(schema))
    case 'number':
      return fc.double({ ...range(schema), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return array(schema, slot, name)
    case 'object':
      return object(schema, slot)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

const range = ({ minimum = -5, maximum = 1000 }: Schema) => ({ min: Math.min(minimum, maximum), max: maximum })

function text(schema: Schema, slot: Slot, name: string): fc.Arbitrary<string> {
  const given = slot(name, schema)
  // The slot is asked at each value, because what it gives changes from request to request.
  if (given !== null) return fc.constant(null).map(given)
  const { minLength = 0, maxLength = LENGTH_MAX, pattern, format } = schema
  if (pattern === UUID.source) return fc.uuid()
  if (format === 'email') return fc.integer({ min: 0, max: 1_000_000 }).map((n) => `someone${n}@plumbline.test`)
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString())
  const max = Math.max(minLength, Math.min(maxLength, LENGTH_MAX))
  if (pattern === undefined) return fc.string({ minLength, maxLength: max })
  return matching(pattern).map((value) => {
    if (value.length > maxLength) return value.slice(0, maxLength)
    return value.length < minLength ? value.padEnd(minLength, 'a') : value
  })
}

const made = new Map<string, fc.Arbitrary<string>>()

/** Made once a pattern: to make one takes more time than to answer the request that it is for. */
function matching(pattern: string): fc.Arbitrary<string> {
  const known = made.get(pattern)
  if (known !== undefined) return known
  const arbitrary = fc.stringMatching(new RegExp(pattern), { size: 'small' })
  made.set(pattern, arbitrary)
  return arbitrary
}

function array({ items = {}, minItems = 0, maxItems = ITEMS_MAX, uniqueItems }: Schema, slot: Slot, name: string) {
  const item = fromSchema(items, slot, name)
  const size = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, ITEMS_MAX)) }
  return fc.array(item, size).map((all) => (uniqueItems ? [...new Set(all)] : all))
}

function object(schema: Schema, slot: Slot): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [], minProperties = 0 } = schema
  const fields = Object.entries(properties).map(([name, each]) => ({
    name,
    value: fromSchema(each, slot, name),
    isRequired: required.includes(name),
  }))
  const values = fc.tuple(...fields.map(({ value }) => value))
  const kept = fc.tuple(...fields.map(({ isRequired }) => (isRequired ? fc.constant(true) : fc.boolean())))
  return fc.tuple(values, kept).map(([all, keep]) => {
    const entries = fields.map(({ name }, at) => [name, all[at]] as const).filter((_, at) => keep[at])
    const enough = entries.length >= minProperties ? entries : fields.map(({ name }, at) => [name, all[at]] as const)
    return Object.fromEntries(enough)
  })
}
