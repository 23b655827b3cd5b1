/** The store suite's databases: SQLite on a temporary file, PGlite in this process, PostgreSQL where one is at hand. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import pg from 'pg'
import type { Store } from '../src/runtime/store/db.js'
import { migrate } from '../src/runtime/store/migrate.js'
import { openPostgresStore, openSqliteStore } from '../src/runtime/store/open-store.js'
import { type PgPool, storeOver } from '../src/runtime/store/postgres.js'
import type { SqliteStore } from '../src/runtime/store/sqlite.js'

export async function sqliteStore(): Promise<SqliteStore> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const store = await openSqliteStore(join(folder, 'plumbline.db'))
  const close = store.close
  return Object.assign(store, {
    close: async () => {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  })
}

export async function pgliteStore(): Promise<Store> {
  const database = new PGlite()
  await migrate({
    dialect: 'pg',
    exec: async (statement) => void (await database.exec(statement)),
    rows: async (query) => (await database.query<Record<string, unknown>>(query)).rows,
  })
  // PGlite has one session: transactions take turns.
  let turn: Promise<unknown> = Promise.resolve()
  const session = { builders: drizzle(database), exec: async (text: string) => void (await database.exec(text)) }
  const pool: PgPool = {
    use(run) {
      const next = turn.then(() => run(session))
      turn = next.catch(() => undefined)
      return next
    },
    ping: async () => void (await database.query('SELECT 1')),
    close: () => database.close(),
  }
  return storeOver(pool)
}

const POSTGRES_URL = process.env['PLUMBLINE_TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

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

/** A database of its own on the server, dropped on close. */
export async function postgresStore(): Promise<Store & { readonly url: string }> {
  const name = `plumbline_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: POSTGRES_URL })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  const url = new URL(POSTGRES_URL)
  url.pathname = `/${name}`
  const store = await openPostgresStore({ url: url.href, connectionsMax: 8 })
  const { close } = store
  return Object.assign(store, {
    url: url.href,
    close: async () => {
      await close()
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.end()
    },
  })
}
