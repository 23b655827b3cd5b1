/**
 * Converts texts of the query and of the path to the types of their schemas. A text that does not fit stays a text, and
 * the validator reports it. Source: spec platform 1.6, 1.10.
 */
import Type, { type TObject, type TSchema } from 'typebox'
import { Refusal } from '../errors.js'
import { refuseProto } from './body.js'

/** Marks a number that is clamped to its bounds instead of being refused: `limit` and `offset`. */
const CLAMP = 'x-clamp'
/** Marks a field of a form whose text is JSON. */
const JSON_TEXT = 'x-json'
/** Marks a list whose values may contain commas: several values are several parameters. */
const REPEATED = 'x-repeated'

type Coerce = (text: string) => unknown

const INTEGER = /^-?\d{1,15}$/
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/

interface Shape {
  readonly type?: string
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  readonly [CLAMP]?: boolean
  readonly [JSON_TEXT]?: boolean
  readonly [REPEATED]?: boolean
}

function coercionOf(schema: TSchema): Coerce {
  const shape = schema as Shape
  if (shape[JSON_TEXT]) return parsed
  switch (shape.type) {
    case 'boolean':
      return (text) => (text === 'true' ? true : text === 'false' ? false : text)
    case 'integer':
      return (text) => (INTEGER.test(text) ? clamp(Number(text), shape) : text)
    case 'number':
      return (text) => (NUMBER.test(text) ? clamp(Number(text), shape) : text)
  }
  if (shape.anyOf !== undefined) {
    const ways = shape.anyOf.map(coercionOf)
    return (text) => ways.map((way) => way(text)).find((value) => value !== text) ?? text
  }
  return (text) => text
}

function parsed(text: string): unknown {
  try {
    // guard: the-json-of-a-form-holds-no-proto
    return JSON.parse(text, refuseProto)
  } catch (error) {
    if (error instanceof Refusal) throw error
    return text
  }
}

const clamp = (value: number, { [CLAMP]: clamped, minimum = -Infinity, maximum = Infinity }: Shape): number =>
  clamped ? Math.min(maximum, Math.max(minimum, value)) : value

/**
 * Reads the declared names of a query. Other names are ignored, unless the schema accepts them by a pattern.
 *
 * @param pageMax The largest `limit` of this server, when the schema allows more.
 */
export function queryReader(
  schema: TObject,
  pageMax = Number.POSITIVE_INFINITY,
): (sent: Record<string, string[]>) => Record<string, unknown> {
  const narrowed = (name: string, property: TSchema): TSchema => {
    const { [CLAMP]: clamped, maximum = pageMax } = property as Shape
    return name === 'limit' && clamped ? { ...property, maximum: Math.min(maximum, pageMax) } : property
  }
  const fields = Object.entries(schema.properties as Record<string, TSchema>).map(([name, property]) => {
    const shape = property as Shape
    const isList = shape.type === 'array' && shape[JSON_TEXT] !== true
    return {
      name,
      isList,
      isRepeated: shape[REPEATED] === true,
      coerce: coercionOf(isList ? (shape.items ?? Type.String()) : narrowed(name, property)),
      fallback: shape.default,
    }
  })
  const patterns = Object.keys((schema as { patternProperties?: object }).patternProperties ?? {}).map(
    (pattern) => new RegExp(pattern),
  )
  return (sent) => {
    const query: Record<string, unknown> = {}
    for (const { name, isList, isRepeated, coerce, fallback } of fields) {
      const values = Object.hasOwn(sent, name) ? sent[name] : undefined
      if (values === undefined) {
        if (fallback !== undefined) query[name] = fallback
      } else if (isList) {
        query[name] = (isRepeated ? values : values.flatMap((each) => each.split(','))).map(coerce)
      } else {
        // A parameter that is given twice is a list where one value is expected. The validator refuses it.
        query[name] = values.length === 1 ? coerce(values[0] ?? '') : values
      }
    }
    if (patterns.length > 0) {
      for (const [name, [value]] of Object.entries(sent)) {
        if (patterns.some((pattern) => pattern.test(name))) query[name] = value
      }
    }
    return query
  }
}

/** Reads the parameters of a path. */
export function pathReader(schema: TObject): (sent: (name: string) => string | undefined) => Record<string, unknown> {
  const fields = Object.entries(schema.properties as Record<string, TSchema>).map(
    ([name, property]) => [name, coercionOf(property)] as const,
  )
  return (sent) => {
    const path: Record<string, unknown> = {}
    for (const [name, coerce] of fields) path[name] = coerce(sent(name) ?? '')
    return path
  }
}
