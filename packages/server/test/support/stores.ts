/**
 * The databases of the store suites: SQLite on a temporary file, PGlite in this process, PostgreSQL if a server
 * answers.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { Store } from '../../src/runtime/store/db.js'
import { migratePostgres } from '../../src/runtime/store/migrate.js'
import { openPostgresStore, openSqliteStore } from '../../src/runtime/store/open-store.js'
import type { SqliteStore } from '../../src/runtime/store/sqlite.js'
import { schemaDigest } from './pglite-store.js'

export { pgliteStore } from './pglite-store.js'

/** A migrated file without rows. Writing it again takes a fraction of the time of a migration. */
let migrated: Buffer | null = null

export async function sqliteStore(): Promise<SqliteStore> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const file = join(folder, 'plumbline.db')
  if (migrated !== null) writeFileSync(file, migrated)
  const store = await openSqliteStore(file)
  migrated ??= store.writer.serialize()
  // Tests do not simulate a power failure, and a killed process leaves the same files without syncing.
  store.writer.pragma('synchronous = OFF')
  const close = store.close
  return Object.assign(store, {
    close: async () => {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  })
}

export const POSTGRES_URL = process.env['PLUMBLINE_TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Why the tests on a PostgreSQL server are skipped, or null when one answers. CI forbids skipping. */
export async function postgresMissing(): Promise<string | null> {
  const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    await client.end()
    return null
  } catch (error) {
    if (process.env['PLUMBLINE_REQUIRE_SERVICES'] === '1') throw error
    return 'no PostgreSQL answers: set PLUMBLINE_TEST_POSTGRES_URL to a server on which databases may be made'
  }
}

/** A machine that does much else takes longer than a server's limits allow. Tests of the limits set their own. */
const BUSY_MACHINE = { acquireTimeoutMs: 60_000, statementTimeoutMs: 60_000 }

/** A new database on the server: a copy of a migrated one, dropped on close. */
export async function postgresStore(): Promise<Store & { readonly url: string }> {
  const { url, drop } = await postgresDatabase()
  const store = await openPostgresStore({ url, connectionsMax: 8, ...BUSY_MACHINE })
  const { close } = store
  return Object.assign(store, {
    url,
    close: async () => {
      await close()
      await drop()
    },
  })
}

/** A database with the schema and no rows. */
export async function postgresDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `plumbline_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: POSTGRES_URL })
  await admin.connect()
  await copyTemplate(admin, name)
  return {
    url: urlOfDatabase(name),
    async drop() {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.end()
    },
  }
}

export function urlOfDatabase(database: string): string {
  const url = new URL(POSTGRES_URL)
  url.pathname = `/${database}`
  return url.href
}

const TEMPLATE_LOCK = 7_263_402

/** Copies the migrated database of this schema, and creates it first if it is missing. */
export async function copyTemplate(admin: pg.Client, name: string): Promise<void> {
  const template = `plumbline_template_${schemaDigest()}`
  const copy = () => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  const isMissing = (error: unknown) => error instanceof pg.DatabaseError && error.code === '3D000'
  try {
    await copy()
  } catch (error) {
    if (!isMissing(error)) throw error
    // Processes that need it at the same time wait for the first one.
    await admin.query(`SELECT pg_advisory_lock(${TEMPLATE_LOCK})`)
    try {
      const { rows } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [template])
      if (rows.length === 0) {
        // Migrated under a temporary name first, so that a template is never half migrated.
        const unfinished = `${name}_template`
        await admin.query(`CREATE DATABASE ${unfinished}`)
        await migratePostgres(urlOfDatabase(unfinished))
        await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`)
        await dropOldTemplates(admin)
      }
    } finally {
      await admin.query(`SELECT pg_advisory_unlock(${TEMPLATE_LOCK})`)
    }
    await copy()
  }
}

/** Drops templates of other schemas that were not created today. */
async function dropOldTemplates(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    "SELECT datname AS name FROM pg_database WHERE datname LIKE 'plumbline\\_template\\_%' AND (pg_stat_file(format('base/%s/PG_VERSION', oid))).modification < now() - interval '1 day'",
  )
  for (const { name } of rows) await admin.query(`DROP DATABASE IF EXISTS ${name}`)
}

export const REDIS_URL = process.env['PLUMBLINE_TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'

/** Why the tests on Redis are skipped, or null when one answers. CI forbids skipping. */
export async function redisMissing(): Promise<string | null> {
  const redis = new Redis(REDIS_URL, { lazyConnect: true, connectTimeout: 2000, retryStrategy: () => null })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    await redis.quit()
    return null
  } catch (error) {
    if (process.env['PLUMBLINE_REQUIRE_SERVICES'] === '1') throw error
    return 'no Redis answers: set PLUMBLINE_TEST_REDIS_URL'
  }
}
