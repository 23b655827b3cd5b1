/**
 * Runs a prepared query of drizzle on SQLite without asking again at each call what each value and each column is: the
 * codecs of its parameters and columns are looked up once. Handling a value by drizzle costs more than the database needs
 * for it. A query of another form than those here (joins, aggregates in objects) is left to drizzle.
 *
 * This reads what drizzle keeps in a prepared query and does not document, so `prepared.test.ts` compares it with drizzle
 * itself, and a query without the expected parts falls back.
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
  /** Of a parameter that is the same at each call. */
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

/** Null for a field that drizzle reads in a way of its own, such as one of a joined table. */
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

/** @returns runs the query with the values at once; null for a form that is left to drizzle. */
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
