/**
 * The column kit. Tables are written once, against the types of the SQLite kit, and are built for both databases. The
 * PostgreSQL kit has the same keys and is cast to the SQLite type here only. Its columns hide the differences between
 * the drivers (booleans, big integers, JSON).
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
  /**
   * The primary key of a queue: numbers that increase in the order of inserts (on PostgreSQL this is not the order of
   * commits).
   */
  position: (name: string) => s.integer(name).primaryKey({ autoIncrement: true }),
  /** An integer below 2^31. */
  count: (name: string) => s.integer(name),
  /** An integer below 2^53: cents, bytes, sequence numbers. */
  large: (name: string) => s.integer(name),
  /** Milliseconds since 1970. */
  epochMs: (name: string) => s.integer(name),
  /**
   * A JSON value, stored as text on both databases, so that it is read exactly as it was written, including the order
   * of keys.
   */
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

/** Byte order, as in SQLite. A database's own collation would give other pages. */
const pgText = p.customType<{ data: string; driverData: string }>({ dataType: () => 'text COLLATE "C"' })

// The cast is safe, because each key takes the same arguments and returns a column with the same JavaScript type.
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
