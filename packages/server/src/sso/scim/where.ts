/**
 * Translates filters into SQL conditions. Each condition is true or false and never unknown, so that `not` works as
 * expected. For an absent attribute, only `ne` to a value is true.
 */
import { and, not, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { nameKey } from '../../runtime/operation/name.js'
import { isInstant } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { type Filter, type Operator, type Value, WrongFilter } from './filter.js'
import { foldPath } from './names.js'

export type Field =
  /** `folded`: compared without regard to case, as the column stores it. */
  | { readonly kind: 'text'; readonly column: SQLiteColumn | SQL; readonly folded: boolean }
  | { readonly kind: 'boolean'; readonly column: SQLiteColumn }
  | { readonly kind: 'instant'; readonly column: SQLiteColumn }
  | { readonly kind: 'constant'; readonly value: string | boolean }
  /** Rows of another table: matches if one of them fulfils the condition on the text. */
  | { readonly kind: 'rows'; readonly text: SQLiteColumn; exists(condition: SQL | null): SQL }

export interface Fields {
  readonly schema: string
  /** By the folded path of the attribute. */
  readonly of: ReadonlyMap<string, Field>
}

const TRUE = sql`1 = 1`
const FALSE = sql`1 = 0`
const truth = (value: boolean): SQL => (value ? TRUE : FALSE)

/** @throws WrongFilter that names the attribute. */
export function whereOf(db: Db, fields: Fields, filter: Filter, within = ''): SQL {
  switch (filter.kind) {
    case 'and':
      return and(...filter.parts.map((part) => whereOf(db, fields, part, within))) ?? TRUE
    case 'or':
      return or(...filter.parts.map((part) => whereOf(db, fields, part, within))) ?? FALSE
    case 'not':
      return not(whereOf(db, fields, filter.of, within))
    case 'element':
      return whereOf(db, fields, filter.of, `${foldPath(filter.path, fields.schema)}.`)
    case 'present':
      return presentIn(fieldOf(fields, filter.path, within))
    case 'is':
      return comparison(db, fieldOf(fields, filter.path, within), filter)
  }
}

function fieldOf(fields: Fields, path: string, within: string): Field {
  const found = fields.of.get(within + foldPath(path, fields.schema))
  // guard: an-attribute-that-is-not-known
  if (found === undefined) {
    const known = [...fields.of.keys()].join(', ')
    throw new WrongFilter(`\`${path}\` is not an attribute to filter by; there are ${known}`)
  }
  return found
}

function presentIn(field: Field): SQL {
  if (field.kind === 'rows') return field.exists(null)
  if (field.kind === 'constant' || field.kind === 'boolean' || field.kind === 'instant') return TRUE
  return sql`${field.column} IS NOT NULL`
}

interface Comparing {
  readonly path: string
  readonly operator: Operator
  readonly value: Value
}

function comparison(db: Db, field: Field, { path, operator, value }: Comparing): SQL {
  if (value === null) {
    if (operator !== 'eq' && operator !== 'ne') throw wrongValue(path, 'null can be compared only by `eq` and `ne`')
    return operator === 'eq' ? not(presentIn(field)) : presentIn(field)
  }
  switch (field.kind) {
    case 'constant':
      return truth(constantIs(field.value, operator, value))
    case 'boolean': {
      if (typeof value !== 'boolean') throw wrongValue(path, 'is true or false')
      if (operator !== 'eq' && operator !== 'ne') throw wrongValue(path, 'can be compared only by `eq` and `ne`')
      return sql`${field.column} = ${sql.param(value === (operator === 'eq'), field.column)}`
    }
    case 'instant':
      return instantIs(field.column, path, operator, value)
    case 'rows':
      if (typeof value !== 'string') throw wrongValue(path, 'is a text')
      return field.exists(textIs(db, field.text, operator, value))
    case 'text': {
      if (typeof value !== 'string') throw wrongValue(path, 'is a text')
      const wanted = field.folded ? nameKey(value) : value
      const holds = textIs(db, field.column, operator, wanted)
      return operator === 'ne'
        ? sql`(${field.column} IS NULL OR ${holds})`
        : sql`(${field.column} IS NOT NULL AND ${holds})`
    }
  }
}

const wrongValue = (path: string, message: string) => new WrongFilter(`\`${path}\` ${message}`)

function constantIs(own: string | boolean, operator: Operator, value: string | number | boolean): boolean {
  const [a, b] = [String(own).toLowerCase(), String(value).toLowerCase()]
  switch (operator) {
    case 'eq':
      return a === b
    case 'ne':
      return a !== b
    case 'co':
      return a.includes(b)
    case 'sw':
      return a.startsWith(b)
    case 'ew':
      return a.endsWith(b)
    case 'gt':
      return a > b
    case 'ge':
      return a >= b
    case 'lt':
      return a < b
    case 'le':
      return a <= b
  }
}

const ORDERS = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' } as const

/** Compares the bytes of the text, on both databases. */
function textIs(db: Db, column: SQLiteColumn | SQL, operator: Operator, value: string): SQL {
  const isPg = db.database === 'pg'
  switch (operator) {
    case 'co':
      return isPg ? sql`strpos(${column}, ${value}) > 0` : sql`instr(${column}, ${value}) > 0`
    case 'sw':
      return sql`substr(${column}, 1, ${[...value].length}) = ${value}`
    case 'ew':
      if (value === '') return TRUE
      return isPg
        ? sql`right(${column}, ${[...value].length}) = ${value}`
        : sql`substr(${column}, ${-[...value].length}) = ${value}`
    case 'eq':
    case 'ne':
      return sql`${column} ${sql.raw(ORDERS[operator])} ${value}`
    default:
      return sql`${column} ${isPg ? sql.raw('COLLATE "C"') : sql.raw('')} ${sql.raw(ORDERS[operator])} ${value}`
  }
}

function instantIs(column: SQLiteColumn, path: string, operator: Operator, value: string | number | boolean): SQL {
  // Without an offset it is in UTC, whatever the time zone of this machine is.
  // guard: an-instant-in-a-filter-is-of-no-machine
  const instant = [value, `${value}Z`].find((each) => typeof each === 'string' && isInstant(each))
  if (typeof instant !== 'string') throw wrongValue(path, 'is an instant such as "2026-11-23T10:00:00Z"')
  if (operator === 'co' || operator === 'sw' || operator === 'ew') {
    throw wrongValue(path, 'can be compared only by `eq`, `ne`, `gt`, `ge`, `lt` and `le`')
  }
  return sql`${column} ${sql.raw(ORDERS[operator])} ${Date.parse(instant)}`
}
