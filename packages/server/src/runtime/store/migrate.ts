/**
 * Brings a database to the schema of this build: the numbered files of `migrations/`, each in one transaction with the
 * row that records it, so that an interrupted migration leaves the state before it. A database with a newer schema than
 * this build knows is refused.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Migration {
  readonly version: number
  readonly name: string
  readonly statements: readonly string[]
}

/** One connection of the owner, outside the store. */
export interface MigrationTarget {
  readonly dialect: 'sqlite' | 'pg'
  exec(statement: string): Promise<void>
  rows(query: string): Promise<Record<string, unknown>[]>
}

/** The folder lies beside `src` and beside `dist`. */
const folder = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../migrations' : '../migrations', import.meta.url),
)

export function readMigrations(dialect: 'sqlite' | 'pg'): Migration[] {
  return readdirSync(join(folder, dialect))
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      statements: readFileSync(join(folder, dialect, file), 'utf8').split('\n--> statement-breakpoint\n'),
    }))
}

const LOCK_KEY = 7_263_401

/** @returns the versions that were applied now. */
export async function migrate(target: MigrationTarget, migrations = readMigrations(target.dialect)): Promise<number[]> {
  const isPg = target.dialect === 'pg'
  // Replicas that start together wait for the first; SQLite's own lock does the same.
  if (isPg) await target.exec(`SELECT pg_advisory_lock(${LOCK_KEY})`)
  try {
    await target.exec(
      'CREATE TABLE IF NOT EXISTS schema_migrations (version integer PRIMARY KEY, name text NOT NULL, applied_at_ms bigint NOT NULL)',
    )
    const known = new Set(migrations.map(({ version }) => version))
    const applied = (await target.rows('SELECT version FROM schema_migrations')).map(({ version }) => Number(version))
    const newer = applied.filter((version) => !known.has(version))
    if (newer.length > 0) {
      throw new Error(
        `the database has schema version ${Math.max(...newer)}, this build knows ${Math.max(0, ...known)}: start a newer build, or restore a backup`,
      )
    }
    const done: number[] = []
    for (const { version, name, statements } of migrations) {
      if (applied.includes(version)) continue
      await target.exec(isPg ? 'BEGIN' : 'BEGIN IMMEDIATE')
      try {
        for (const statement of statements) await target.exec(statement)
        await target.exec(`INSERT INTO schema_migrations VALUES (${version}, '${name}', ${Date.now()})`)
        await target.exec('COMMIT')
      } catch (error) {
        await target.exec('ROLLBACK')
        throw error
      }
      done.push(version)
    }
    return done
  } finally {
    if (isPg) await target.exec(`SELECT pg_advisory_unlock(${LOCK_KEY})`)
  }
}
