/**
 * The store on PGlite, PostgreSQL in this process. A database that is closed is emptied and handed to the next suite of
 * the process: to start one takes a second of a processor, to empty one some 50 milliseconds. One whose schema, roles or
 * statistics are not those of the beginning is thrown away.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import type { Store } from '../../src/runtime/store/db.js'
import { migrate } from '../../src/runtime/store/migrate.js'
import { type PgPool, storeOver } from '../../src/runtime/store/postgres.js'

const require = createRequire(import.meta.url)
const migrations = fileURLToPath(new URL('../../migrations/pg', import.meta.url))

/** A name for these migrations: another schema has another. */
export function schemaDigest(): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(migrations).sort()) hash.update(name).update(readFileSync(join(migrations, name)))
  return hash.digest('hex').slice(0, 32)
}

/** Where the migrated image lies: a name for these migrations and this PGlite, so that another schema makes another. */
function imageFile(): string {
  const { version } = JSON.parse(
    readFileSync(join(dirname(require.resolve('@electric-sql/pglite')), '../package.json'), 'utf8'),
  ) as { version: string }
  const folder = fileURLToPath(new URL('../../../../node_modules/.cache/plumbline-tests', import.meta.url))
  return join(folder, `pglite-${version}-${schemaDigest()}.tar`)
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
  // Under its own name first: another process must never read half of it.
  const unfinished = `${file}.${randomUUID()}`
  writeFileSync(unfinished, Buffer.from(await dump.arrayBuffer()))
  renameSync(unfinished, file)
  return database
}

/** Everything but rows that a suite may have changed: objects by their ids, rights, triggers, roles, statistics. */
const SHAPE = `SELECT md5(concat_ws('|',
  (SELECT string_agg(concat_ws(' ', oid, relname, relnatts, relacl, relrowsecurity, relforcerowsecurity, reloptions), ',' ORDER BY oid)
    FROM pg_class WHERE oid >= 16384),
  (SELECT string_agg(concat_ws(' ', attrelid, attnum, attname, attnotnull, attacl), ',' ORDER BY attrelid, attnum)
    FROM pg_attribute WHERE attrelid >= 16384),
  (SELECT string_agg(concat_ws(' ', oid, tgenabled), ',' ORDER BY oid) FROM pg_trigger),
  (SELECT string_agg(concat_ws(' ', oid, prosrc), ',' ORDER BY oid) FROM pg_proc WHERE oid >= 16384),
  (SELECT string_agg(concat_ws(' ', oid, polname), ',' ORDER BY oid) FROM pg_policy),
  (SELECT string_agg(oid::text, ',' ORDER BY oid) FROM pg_constraint WHERE oid >= 16384),
  (SELECT string_agg(concat_ws(' ', oid, nspname, nspacl), ',' ORDER BY oid) FROM pg_namespace WHERE nspname !~ '^pg_'),
  (SELECT string_agg(concat_ws(' ', oid, rolname, rolsuper, rolcanlogin), ',' ORDER BY oid) FROM pg_roles),
  (SELECT string_agg(concat_ws(' ', roleid, member), ',' ORDER BY roleid, member) FROM pg_auth_members),
  (SELECT count(*) FROM pg_db_role_setting),
  (SELECT count(*) FROM pg_statistic WHERE starelid >= 16384),
  (SELECT string_agg(m::text, ',' ORDER BY version) FROM schema_migrations m))) AS shape`

/** Suites of one process follow one another; a few have two databases. */
const IDLE_MAX = 2

interface Pooled {
  readonly database: PGlite
  readonly shape: string
  /** Asks which tables have rows. */
  readonly filledTables: string
}

const idle: Pooled[] = []

async function take(): Promise<Pooled> {
  const ready = idle.pop()
  if (ready !== undefined) return ready
  const database = await migratedDatabase()
  const { rows } = await database.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'",
  )
  const filledTables = rows
    .map(({ name }) => `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM ${name})`)
    .join(' UNION ALL ')
  return { database, shape: await shapeOf(database), filledTables }
}

async function shapeOf(database: PGlite): Promise<string> {
  const { rows } = await database.query<{ shape: string }>(SHAPE)
  return rows[0]?.shape ?? ''
}

/** @returns false when the database is not what it was in the beginning. */
async function empty({ database, shape, filledTables }: Pooled): Promise<boolean> {
  await database.exec('DISCARD ALL')
  if ((await shapeOf(database)) !== shape) return false
  const { rows } = await database.query<{ name: string }>(filledTables)
  const names = rows.map(({ name }) => name).join(', ')
  const sequences = await database.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, sequencename) AS name FROM pg_sequences WHERE last_value IS NOT NULL",
  )
  const restarts = sequences.rows.map(({ name }) => `ALTER SEQUENCE ${name} RESTART;`).join('')
  // Triggers keep audit events from being removed: the role of a replica runs none.
  const truncate = names === '' ? '' : `TRUNCATE ${names} CASCADE;`
  await database.exec(`SET session_replication_role = replica; ${truncate} ${restarts} RESET session_replication_role`)
  // No process writes checkpoints beside this one: without, the log of changes grows in memory.
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
  // PGlite has one session: transactions take turns.
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
