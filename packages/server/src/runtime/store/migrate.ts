/**
 * Migrates a database to the schema of this build.
 *
 * Each numbered file of `migrations/` runs in one transaction with the row that records it, so an interrupted migration
 * leaves the previous state. A database with a newer schema is refused, and so is one whose applied migrations differ
 * from those of this build.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type Database from 'better-sqlite3'
import pg from 'pg'
import { type Clock, systemClock } from '../clock.js'
import { BadSettings } from '../settings/bad-settings.js'
import { ForeignSchema } from './foreign-schema.js'
import { MigrationFailed } from './migration-failed.js'
import { placeOf, refusedConnection } from './refused-connection.js'

export interface Migration {
  readonly version: number
  readonly name: string
  readonly statements: readonly string[]
}

/** One connection of the owner, outside the store. */
export interface MigrationTarget {
  readonly dialect: 'sqlite' | 'pg'
  /** For messages. It contains no user and no password. */
  readonly database: string
  exec(statement: string): Promise<void>
  rows(query: string): Promise<Record<string, unknown>[]>
}

/** The folder lies beside `src` and beside `dist`. */
const folder = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../migrations' : '../migrations', import.meta.url),
)

const FILE = /^(\d{4})-([a-z0-9-]+)\.sql$/

export function readMigrations(dialect: 'sqlite' | 'pg'): Migration[] {
  return readdirSync(join(folder, dialect))
    .sort()
    .flatMap((file) => {
      const [, version, name] = FILE.exec(file) ?? []
      if (version === undefined || name === undefined) return []
      const text = readFileSync(join(folder, dialect, file), 'utf8')
      return [{ version: Number(version), name, statements: text.split('\n--> statement-breakpoint\n') }]
    })
}

/** The digest of a migration in 16 hexadecimal digits. It detects a file that changed after it was applied. */
const digestOf = ({ statements }: Migration): string =>
  createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 16)

const LOCK_KEY = 7_263_401

/**
 * @returns The versions that were applied now.
 * @throws ForeignSchema that says what to do when the database belongs to another build; MigrationFailed for a
 * statement that the database refused.
 */
export async function migrate(
  target: MigrationTarget,
  migrations: readonly Migration[] = readMigrations(target.dialect),
  clock: Clock = systemClock,
): Promise<number[]> {
  if (target.dialect === 'sqlite') return applyMissing(target, migrations, clock)
  // Replicas that start together wait for the first. SQLite's own lock does the same: each migration is looked for again
  // inside its transaction.
  await target.exec(`SELECT pg_advisory_lock(${LOCK_KEY})`)
  try {
    return await applyMissing(target, migrations, clock)
  } finally {
    // When the connection is lost its lock is released too, and the first error is the one to report.
    await target.exec(`SELECT pg_advisory_unlock(${LOCK_KEY})`).catch(() => undefined)
  }
}

async function applyMissing(target: MigrationTarget, migrations: readonly Migration[], clock: Clock) {
  await target.exec(
    'CREATE TABLE IF NOT EXISTS schema_migrations (version integer PRIMARY KEY, name text NOT NULL, digest text NOT NULL, applied_at_ms bigint NOT NULL)',
  )
  const before = await refuseForeign(target, migrations)
  const applied: number[] = []
  for (const migration of migrations) {
    if (await applyOne(target, migration, clock, { before, applied })) applied.push(migration.version)
  }
  return applied
}

/** @returns the schema version of the database, 0 for an empty one. */
async function refuseForeign(target: MigrationTarget, migrations: readonly Migration[]): Promise<number> {
  let before = 0
  const known = new Map(migrations.map((migration) => [migration.version, migration]))
  const newest = Math.max(0, ...known.keys())
  for (const row of await target.rows('SELECT version, digest FROM schema_migrations ORDER BY version')) {
    const version = Number(row['version'])
    const migration = known.get(version)
    if (migration === undefined) {
      throw new ForeignSchema(
        `the database has schema version ${version}, this build knows ${newest}: start a newer build, or restore a backup`,
      )
    }
    if (row['digest'] !== digestOf(migration)) {
      throw new ForeignSchema(
        `schema version ${version} of the database does not match this build: use the build that created it, or an empty database`,
      )
    }
    before = version
  }
  return before
}

/** @returns False when another process has applied it meanwhile. */
async function applyOne(
  target: MigrationTarget,
  migration: Migration,
  clock: Clock,
  start: { readonly before: number; readonly applied: readonly number[] },
): Promise<boolean> {
  const { version, name, statements } = migration
  await target.exec(target.dialect === 'pg' ? 'BEGIN' : 'BEGIN IMMEDIATE')
  let at: number | null = 0
  try {
    const [applied] = await target.rows(`SELECT 1 AS applied FROM schema_migrations WHERE version = ${version}`)
    if (applied !== undefined) {
      await target.exec('ROLLBACK')
      return false
    }
    for (; at < statements.length; at++) await target.exec(statements[at] ?? '')
    await target.exec(
      `INSERT INTO schema_migrations VALUES (${version}, '${name}', '${digestOf(migration)}', ${clock.now()})`,
    )
    at = null
    await target.exec('COMMIT')
    return true
  } catch (error) {
    await target.exec('ROLLBACK').catch(() => undefined)
    throw new MigrationFailed({ database: target.database, migration, at, ...start }, error)
  }
}

/** Migrates a SQLite file through its writer connection. */
export const migrateSqlite = (writer: Database.Database): Promise<number[]> =>
  migrate({
    dialect: 'sqlite',
    database: writer.name,
    exec: async (statement) => void writer.exec(statement),
    rows: async (query) => writer.prepare(query).all() as Record<string, unknown>[],
  })

/**
 * Migrates a PostgreSQL database on a connection of its own, not through a pooler, because the advisory lock belongs to
 * the session.
 *
 * @param url The address with the owner of the tables as its user. The owner must be able to make the roles, or both
 * must exist.
 */
export async function migratePostgres(url: string): Promise<number[]> {
  const { host, database } = placeOf(url)
  const client = new pg.Client({ connectionString: url, application_name: 'plumbline migrate' })
  // A broken connection fails the current statement. Without a listener its error would end the process.
  client.on('error', () => undefined)
  await client.connect().catch((error: unknown) => {
    throw new BadSettings([`DATABASE_URL: the database ${refusedConnection(error, url)}`], { cause: error })
  })
  try {
    return await migrate({
      dialect: 'pg',
      database: `${database} at ${host}`,
      exec: async (statement) => void (await client.query(statement)),
      rows: async (query) => (await client.query<Record<string, unknown>>(query)).rows,
    })
  } finally {
    await client.end()
  }
}
