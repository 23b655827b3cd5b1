/**
 * The store on PGlite, which is PostgreSQL in this process. A closed database is emptied and reused by the next suite
 * of the process: starting one takes a second of processor time, emptying one about 50 milliseconds. A database whose
 * schema, roles or statistics have changed is discarded.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import type { Store } from '../../src/runtime/store/db.js'
import { migrate, readMigrations } from '../../src/runtime/store/migrate.js'
import { storeOver } from '../../src/runtime/store/postgres.js'
import type { PgPool } from '../../src/runtime/store/postgres-transaction.js'
import { type Beginning, beginningOf, emptied, type Session } from './emptied-database.js'

const require = createRequire(import.meta.url)

/** A digest of the migrations, different for each schema. */
export function schemaDigest(): string {
  const hash = createHash('sha256')
  for (const each of readMigrations('pg')) hash.update(JSON.stringify(each))
  return hash.digest('hex').slice(0, 32)
}

/**
 * The path of the migrated image. It contains the digest of the migrations and the version of PGlite, so that another
 * schema gets another image.
 */
function imageFile(): string {
  const { version } = JSON.parse(
    readFileSync(join(dirname(require.resolve('@electric-sql/pglite')), '../package.json'), 'utf8'),
  ) as { version: string }
  const folder = fileURLToPath(new URL('../../../../node_modules/.cache/plumbline-tests', import.meta.url))
  return join(folder, `pglite-${version}-${schemaDigest()}.tar`)
}

/** An empty database with the schema. Migrating takes seconds of processor time; copying the image takes a fraction. */
async function migratedDatabase(): Promise<PGlite> {
  const file = imageFile()
  let image: Buffer | null = null
  try {
    image = readFileSync(file)
  } catch {
    // The first database of a run creates the image below.
  }
  if (image !== null) {
    return PGlite.create({ loadDataDir: new Blob([new Uint8Array(image)]), extensions: { pg_trgm } })
  }
  const database = await PGlite.create({ extensions: { pg_trgm } })
  await migrate({
    dialect: 'pg',
    database: 'PGlite',
    exec: async (statement) => void (await database.exec(statement)),
    rows: async (query) => (await database.query<Record<string, unknown>>(query)).rows,
  })
  const dump = await database.dumpDataDir('none')
  mkdirSync(dirname(file), { recursive: true })
  // Written to a temporary name first, so that another process never reads an incomplete file.
  const unfinished = `${file}.${randomUUID()}`
  writeFileSync(unfinished, Buffer.from(await dump.arrayBuffer()))
  renameSync(unfinished, file)
  return database
}

/** Suites of a process run one after another, and a few use two databases. */
const IDLE_MAX = 2

interface Pooled {
  readonly database: PGlite
  readonly beginning: Beginning
}

const idle: Pooled[] = []

const sessionOf = (database: PGlite): Session => ({
  exec: async (statements) => void (await database.exec(statements)),
  rows: async (query) => (await database.query<Record<string, unknown>>(query)).rows,
})

async function take(): Promise<Pooled> {
  const ready = idle.pop()
  if (ready !== undefined) return ready
  const database = await migratedDatabase()
  return { database, beginning: await beginningOf(sessionOf(database), 'alone') }
}

/** @returns false if the database differs from its initial state. */
async function empty({ database, beginning }: Pooled): Promise<boolean> {
  if (!(await emptied(sessionOf(database), beginning))) return false
  // PGlite has no background process for checkpoints. Without this one, the write-ahead log grows in memory.
  await database.exec('CHECKPOINT')
  return true
}

async function giveBack(pooled: Pooled): Promise<void> {
  const isReusable = idle.length < IDLE_MAX && (await empty(pooled).catch(() => false))
  if (isReusable) idle.push(pooled)
  else await pooled.database.close()
}

export async function pgliteStore(): Promise<Store> {
  const pooled = await take()
  const { database } = pooled
  let isClosed = false
  // PGlite has one session, so transactions run one after another.
  let turn: Promise<unknown> = Promise.resolve()
  const session = { builders: drizzle(database), exec: async (text: string) => void (await database.exec(text)) }
  const pool: PgPool = {
    async use(run) {
      if (isClosed) throw new Error('the database is closed')
      const next = turn.then(() => run(session))
      turn = next.catch(() => undefined)
      return next
    },
    async ping() {
      if (isClosed) throw new Error('the database is closed')
      await database.query('SELECT 1')
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await turn
      await giveBack(pooled)
    },
  }
  return storeOver(pool)
}
