/**
 * The column kit: tables are written once, against the SQLite kit's types, and built for both databases. The PostgreSQL
 * kit has the same keys and is cast to the SQLite type in this one place; what differs between the drivers (booleans,
 * big integers, JSON) is evened out by the columns.
 */
import { sql } from 'drizzle-orm'
import * as p from 'drizzle-orm/pg-core'
import * as s from 'drizzle-orm/sqlite-core'

const sqliteKit = {
  dialect: 'sqlite' as 'sqlite' | 'pg',
  table: s.sqliteTable,
  index: s.index,
  uniqueIndex: s.uniqueIndex,
  primaryKey: s.primaryKey,
  foreignKey: s.foreignKey,
  /** Text; ids and slugs too. Compared byte by byte on both databases. */
  text: (name: string) => s.text(name),
  bool: (name: string) => s.integer(name, { mode: 'boolean' }),
  /** The primary key of a queue: numbers that grow in the order of inserts (on PostgreSQL not in the order of commits). */
  position: (name: string) => s.integer(name).primaryKey({ autoIncrement: true }),
  /** An integer below 2^31. */
  count: (name: string) => s.integer(name),
  /** An integer below 2^53: cents, bytes, sequence numbers. */
  large: (name: string) => s.integer(name),
  /** Milliseconds since 1970. */
  epochMs: (name: string) => s.integer(name),
  /** A JSON value, stored as text on both databases: what was written is what is read, key order included. */
  json: <T>(name: string) => s.text(name, { mode: 'json' }).$type<T>(),
  sql,
}

export type Kit = typeof sqliteKit

/** jsonb reorders keys and rewrites numbers, so JSON travels as text here too. */
const pgJson = p.customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (value) => JSON.parse(value),
})

/** Byte order, as SQLite compares: a database's own collation would page differently. */
const pgText = p.customType<{ data: string; driverData: string }>({ dataType: () => 'text COLLATE "C"' })

// The cast holds because each key takes the same arguments and gives a column with the same data type on the JavaScript side.
const pgKit = {
  dialect: 'pg' as const,
  table: p.pgTable,
  index: p.index,
  uniqueIndex: p.uniqueIndex,
  primaryKey: p.primaryKey,
  foreignKey: p.foreignKey,
  text: (name: string) => pgText(name),
  bool: (name: string) => p.boolean(name),
  position: (name: string) => p.bigserial(name, { mode: 'number' }).primaryKey(),
  count: (name: string) => p.integer(name),
  large: (name: string) => p.bigint(name, { mode: 'number' }),
  epochMs: (name: string) => p.bigint(name, { mode: 'number' }),
  json: <T>(name: string) => pgJson(name).$type<T>(),
  sql,
} as unknown as Kit

export { pgKit, sqliteKit }
