/**
 * Kills a migrating process after a random number of statements, starts it again, and compares the schema with one that
 * nobody interrupted. Two processes at once migrate the last time, as replicas of a new version do.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type BetterSqlite from 'better-sqlite3'
import pg from 'pg'
import { sqliteDriver } from '../../src/runtime/store/sqlite-driver.js'

const { Database } = sqliteDriver()

const KILLS = 3

export interface MigrationsResult {
  readonly rounds: number
  readonly kills: number
  /** Kills after which some migrations were there and others were not, or none was though the process had begun. */
  readonly halfway: number
  readonly failures: string[]
}

/** An empty database for each round. */
interface Place {
  readonly address: string
  /** What is there, as text. */
  schema(): Promise<string>
  /** How many migrations are recorded. */
  applied(): Promise<number>
  /** What the database finds wrong with itself, or null. */
  damage(): Promise<string | null>
  remove(): Promise<void>
}

export type MigrationPlace = () => Promise<Place>

export async function killMigrations(
  migrator: string,
  { dialect, open }: { dialect: 'sqlite' | 'pg'; open: MigrationPlace },
  rounds: number,
  random: () => number,
): Promise<MigrationsResult> {
  const whole = await open()
  const statements = await runToEnd(migrator, dialect, whole.address)
  const [wanted, all] = [await whole.schema(), await whole.applied()]
  await whole.remove()
  const failures: string[] = []
  let [kills, halfway] = [0, 0]
  for (let round = 0; round < rounds && failures.length < 10; round++) {
    const place = await open()
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        const after = Math.floor(random() * statements)
        if (!(await runAndKill(migrator, dialect, place.address, after))) continue
        kills += 1
        const applied = await place.applied()
        if (applied < all) halfway += 1
        const damage = await place.damage()
        if (damage !== null) failures.push(`round ${round}, kill ${kill}: ${damage}`)
      }
      const ends = await Promise.allSettled([0, 1].map(() => runToEnd(migrator, dialect, place.address)))
      for (const end of ends) if (end.status === 'rejected') failures.push(`round ${round}: ${end.reason}`)
      if ((await place.schema()) !== wanted) failures.push(`round ${round}: another schema than without the kills`)
      if ((await place.applied()) !== all) failures.push(`round ${round}: not every migration is recorded`)
    } finally {
      await place.remove()
    }
  }
  if (kills < rounds) failures.push(`only ${kills} kills came before the end of the migrations`)
  if (halfway < rounds / 2) failures.push(`only ${halfway} kills interrupted the migrations`)
  return { rounds, kills, halfway, failures }
}

function start(migrator: string, dialect: string, address: string, onStatement: (count: number) => void) {
  const child: ChildProcess = spawn(process.execPath, [migrator, dialect, address], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let statements = 0
  child.stdout?.on('data', (dots: Buffer) => {
    statements += dots.length
    onStatement(statements)
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, ended }
}

/** @returns how many statements it took. */
async function runToEnd(migrator: string, dialect: string, address: string): Promise<number> {
  let statements = 0
  const { ended } = start(migrator, dialect, address, (count) => {
    statements = count
  })
  const code = await ended
  if (code !== 0) throw new Error(`the migrations of ${dialect} ended with ${code}`)
  return statements
}

/** @returns false when it had ended before it came to so many statements. */
async function runAndKill(migrator: string, dialect: string, address: string, after: number): Promise<boolean> {
  const { child, ended } = start(migrator, dialect, address, (count) => {
    if (count > after) child.kill('SIGKILL')
  })
  return (await ended) === null
}

export const sqlitePlace: MigrationPlace = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-migrations-'))
  const address = join(folder, 'plumbline.db')
  const ask = async <T>(run: (database: BetterSqlite.Database) => T): Promise<T> => {
    const database = new Database(address)
    try {
      return run(database)
    } finally {
      database.close()
    }
  }
  const list = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name"
  return {
    address,
    schema: () => ask((database) => JSON.stringify(database.prepare(list).all())),
    applied: () =>
      ask((database) => {
        const isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'schema_migrations'").get()
        if (isThere === undefined) return 0
        return (database.prepare('SELECT count(*) AS n FROM schema_migrations').get() as { n: number }).n
      }),
    damage: () =>
      ask((database) => {
        const text = database.pragma('integrity_check', { simple: true })
        return text === 'ok' ? null : String(text)
      }),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Tables, indexes, policies, triggers, functions and who may do what. */
const PG_SCHEMA = `
SELECT 'column' AS what, table_name AS a, column_name AS b, concat(data_type, ' ', is_nullable, ' ', column_default) AS c FROM information_schema.columns WHERE table_schema = 'public'
UNION ALL SELECT 'index', tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT 'policy', tablename, policyname, concat(cmd, ' ', roles, ' ', qual, ' ', with_check) FROM pg_policies
UNION ALL SELECT 'security', relname, relrowsecurity::text, relforcerowsecurity::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
UNION ALL SELECT 'grant', table_name, grantee, privilege_type FROM information_schema.role_table_grants WHERE table_schema = 'public'
UNION ALL SELECT 'trigger', event_object_table, trigger_name, concat(event_manipulation, ' ', action_statement) FROM information_schema.triggers
UNION ALL SELECT 'function', proname, prosecdef::text, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
ORDER BY 1, 2, 3, 4`

/** @param admin address of a server on which databases may be made. */
export const postgresPlace =
  (admin: string): MigrationPlace =>
  async () => {
    const name = `plumbline_migrations_${process.pid}`
    const server = new pg.Client({ connectionString: admin })
    await server.connect()
    await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await server.query(`CREATE DATABASE ${name}`)
    const url = new URL(admin)
    url.pathname = `/${name}`
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    return {
      address: url.href,
      schema: async () => JSON.stringify((await client.query(PG_SCHEMA)).rows),
      async applied() {
        const { rows } = await client.query("SELECT to_regclass('schema_migrations') IS NOT NULL AS there")
        if (rows[0].there !== true) return 0
        return Number((await client.query('SELECT count(*) AS n FROM schema_migrations')).rows[0].n)
      },
      damage: async () => null,
      async remove() {
        await client.end()
        await server.query(`DROP DATABASE ${name} WITH (FORCE)`)
        await server.end()
      },
    }
  }
