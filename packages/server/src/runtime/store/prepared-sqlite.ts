/**
 * Runs a prepared query of drizzle on SQLite with the codecs of its parameters and columns looked up once, not again at
 * each call. Drizzle's handling of a value costs more than the database needs for it. Drizzle runs queries of other
 * forms (joins, aggregates in objects) itself.
 *
 * This reads undocumented parts of a prepared query. So `prepared.test.ts` compares it with drizzle, and a query
 * without the expected parts falls back to drizzle.
 */
import { Column, is, Param, Placeholder, SQL } from 'drizzle-orm'

/** The part of the connection's statement that is used. */
interface RowsStatement {
  all(...values: unknown[]): unknown[]
  run(...values: unknown[]): unknown
  raw(): RowsStatement
}

/** What drizzle keeps in a prepared query. */
interface Kept {
  readonly stmt?: RowsStatement
  readonly query?: { readonly params?: readonly unknown[] }
  readonly fields?: readonly { readonly path: readonly string[]; readonly field: unknown }[]
  readonly customResultMapper?: unknown
  readonly executeMethod?: string
}

type Values = Readonly<Record<string, unknown>>
type Codec = (value: unknown) => unknown

interface Binding {
  readonly name: string | null
  /** The value of a parameter that is the same at each call. */
  readonly constant: unknown
  readonly encode: Codec | null
}

interface Reading {
  readonly name: string
  readonly decode: Codec | null
}

function bindingOf(parameter: unknown): Binding {
  if (is(parameter, Placeholder)) return { name: parameter.name, constant: null, encode: null }
  if (is(parameter, Param) && is(parameter.value, Placeholder)) {
    const { encoder, value } = parameter
    const isPlain = encoder.mapToDriverValue === Column.prototype.mapToDriverValue
    return { name: value.name, constant: null, encode: isPlain ? null : (each) => encoder.mapToDriverValue(each) }
  }
  return { name: null, constant: parameter, encode: null }
}

/** Null for a field that drizzle reads in another way, such as one of a joined table. */
function readingOf({ path, field }: NonNullable<Kept['fields']>[number]): Reading | null {
  const [name, ...rest] = path
  if (name === undefined || rest.length > 0) return null
  if (is(field, Column)) {
    const isPlain = field.mapFromDriverValue === Column.prototype.mapFromDriverValue
    return { name, decode: isPlain ? null : (value) => field.mapFromDriverValue(value) }
  }
  if (!is(field, SQL)) return null
  const { decoder } = field as unknown as { decoder: { mapFromDriverValue: Codec } }
  return { name, decode: (value) => decoder.mapFromDriverValue(value) }
}

function boundBy({ name, constant, encode }: Binding, values: Values): unknown {
  if (name === null) return constant
  const value = values[name]
  if (value === undefined) throw new Error(`no value was given for "${name}"`)
  return encode === null ? value : encode(value)
}

/** @returns A function that runs the query with the values synchronously; null for a form that drizzle runs. */
export function runnerOf(prepared: unknown): ((values: Values) => unknown) | null {
  const { stmt, query, fields, customResultMapper, executeMethod } = prepared as Kept
  if (stmt === undefined || query?.params === undefined || customResultMapper !== undefined) return null
  const bindings = query.params.map(bindingOf)
  const bind = (values: Values): unknown[] => bindings.map((binding) => boundBy(binding, values))
  if (executeMethod === 'run') return (values) => stmt.run(...bind(values))
  if (executeMethod !== 'all' || fields === undefined) return null
  const readings = fields.map(readingOf)
  if (!readings.every((each) => each !== null)) return null
  const rows = stmt.raw()
  return (values) => {
    const found = rows.all(...bind(values)) as unknown[][]
    return found.map((row) => recordOf(readings, row))
  }
}

function recordOf(readings: readonly Reading[], row: readonly unknown[]): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (let index = 0; index < readings.length; index++) {
    const { name, decode } = readings[index] as Reading
    const value = row[index]
    record[name] = decode === null || value === null ? value : decode(value)
  }
  return record
}
