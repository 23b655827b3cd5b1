/** The store suite's databases: SQLite on a temporary file, PGlite in this process, PostgreSQL where one is at hand. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import { Redis } from 'ioredis'
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

const require = createRequire(import.meta.url)

/** Where the migrated image lies: a name for these migrations and this PGlite, so that another schema makes another. */
function imageFile(): string {
  const migrations = fileURLToPath(new URL('../migrations/pg', import.meta.url))
  const hash = createHash('sha256')
  hash.update(readFileSync(join(dirname(require.resolve('@electric-sql/pglite')), '../package.json')))
  for (const name of readdirSync(migrations).sort()) hash.update(name).update(readFileSync(join(migrations, name)))
  const folder = fileURLToPath(new URL('../../../node_modules/.cache/plumbline-tests', import.meta.url))
  return join(folder, `pglite-${hash.digest('hex').slice(0, 32)}.tar`)
}

/** An empty database with the schema. Making one takes seconds of a processor; a copy of the image, a fraction. */
async function migratedDatabase(): Promise<PGlite> {
  const file = imageFile()
  let image: Buffer | null = null
  try {
    image = readFileSync(file)
  } catch {
    // The first of a run makes it.
  }
  if (image !== null) {
    return new PGlite({ loadDataDir: new Blob([new Uint8Array(image)]), extensions: { pg_trgm } })
  }
  const database = new PGlite({ extensions: { pg_trgm } })
  await migrate({
    dialect: 'pg',
    exec: async (statement) => void (await database.exec(statement)),
    rows: async (query) => (await database.query<Record<string, unknown>>(query)).rows,
  })
  const dump = await database.dumpDataDir('none')
  mkdirSync(dirname(file), { recursive: true })
  // Under its own name first: another process must never read half of it.
  const unfinished = `${file}.${randomUUID()}`
  writeFileSync(unfinished, Buffer.from(await dump.arrayBuffer()))
  renameSync(unfinished, file)
  return database
}

export async function pgliteStore(): Promise<Store> {
  const database = await migratedDatabase()
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
