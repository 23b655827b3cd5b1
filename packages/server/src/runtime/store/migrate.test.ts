/** Migrations: interrupted at any statement they leave what was before; foreign databases are refused. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import type BetterSqlite from 'better-sqlite3'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { heldClock } from '../clock.js'
import { whyNotStarted } from '../why-not-started.js'
import { ForeignSchema } from './foreign-schema.js'
import { type Migration, type MigrationTarget, migrate, readMigrations } from './migrate.js'
import { MigrationFailed } from './migration-failed.js'
import { sqliteDriver } from './sqlite-driver.js'

const { Database } = sqliteDriver()

interface Place {
  /** A connection; `dieAt`: the statement at which its process is killed. */
  connect(dieAt?: number): MigrationTarget
  /** What the kernel does for a dead process. */
  disconnect(): Promise<void>
  schema(): Promise<unknown>
  close(): Promise<void>
}

class Killed extends Error {}

/** After the kill nothing of the process runs any more, no ROLLBACK either. */
function mortal(
  dialect: 'sqlite' | 'pg',
  exec: (text: string) => Promise<void>,
  rows: MigrationTarget['rows'],
  dieAt = Number.POSITIVE_INFINITY,
): MigrationTarget {
  let count = 0
  return {
    dialect,
    database: 'plumbline of the test',
    exec: async (text) => {
      if (++count >= dieAt) throw new Killed('killed')
      await exec(text)
    },
    rows: async (query) => {
      if (count >= dieAt) throw new Killed('killed')
      return rows(query)
    },
  }
}

function sqlitePlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-migrate-'))
  const file = join(folder, 'test.db')
  let connection: BetterSqlite.Database | null = null
  return {
    connect(dieAt) {
      const opened = new Database(file)
      opened.pragma('journal_mode = WAL')
      connection = opened
      return mortal(
        'sqlite',
        async (text) => void opened.exec(text),
        async (query) => opened.prepare(query).all() as Record<string, unknown>[],
        dieAt,
      )
    },
    async disconnect() {
      connection?.close()
    },
    async schema() {
      const reader = new Database(file, { readonly: true })
      const rows = reader
        .prepare("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name")
        .all()
      reader.close()
      return rows
    },
    async close() {
      connection?.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let pglite: PGlite | null = null
afterAll(() => pglite?.close())

/** One instance for all, emptied each time: it takes seconds to start. */
async function pglitePlace(): Promise<Place> {
  pglite ??= new PGlite({ extensions: { pg_trgm } })
  const database = pglite
  await database.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  const rows = async (query: string) => (await database.query<Record<string, unknown>>(query)).rows
  return {
    connect: (dieAt) => mortal('pg', async (text) => void (await database.exec(text)), rows, dieAt),
    async disconnect() {
      await database.exec('ROLLBACK; SELECT pg_advisory_unlock_all()')
    },
    schema: () =>
      rows(`SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public'
        UNION ALL SELECT tablename, policyname, cmd FROM pg_policies UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
        ORDER BY 1, 2, 3`),
    close: async () => undefined,
  }
}

const migration = (version: number, ...statements: string[]): Migration => ({
  version,
  name: `step-${version}`,
  statements,
})
const STEPS = [
  migration(
    1,
    'CREATE TABLE a (id integer PRIMARY KEY)',
    'CREATE TABLE b (id integer PRIMARY KEY)',
    'CREATE INDEX b_id ON b (id)',
  ),
  migration(
    2,
    'ALTER TABLE a ADD COLUMN name text',
    "INSERT INTO a VALUES (1, 'kept')",
    'DROP TABLE b',
    'CREATE TABLE c (id integer)',
  ),
]

describe.each([
  { dialect: 'sqlite' as const, open: async () => sqlitePlace() },
  { dialect: 'pg' as const, open: pglitePlace },
])('migrations of $dialect', ({ dialect, open }) => {
  let place: Place
  afterEach(() => place.close())

  it('bring an empty database to the schema, and do nothing the second time', async () => {
    place = await open()
    expect(await migrate(place.connect())).toEqual(readMigrations(dialect).map(({ version }) => version))
    await place.disconnect()
    expect(await migrate(place.connect())).toEqual([])
  })

  it('recover from a kill at every statement', async () => {
    place = await open()
    await migrate(place.connect(), STEPS)
    const wanted = await place.schema()
    const [rows] = [await place.connect().rows('SELECT * FROM a')]
    await place.close()
    let points = 0
    for (let dieAt = 1; ; dieAt++) {
      place = await open()
      const killed = await migrate(place.connect(dieAt), STEPS).then(
        () => false,
        (error: unknown) => {
          if (!(error instanceof Killed || (error as Error).cause instanceof Killed)) throw error
          return true
        },
      )
      await place.disconnect()
      if (!killed) break
      points += 1
      await migrate(place.connect(), STEPS)
      expect(await place.schema(), `killed at ${dieAt}`).toEqual(wanted)
      expect(await place.connect().rows('SELECT * FROM a')).toEqual(rows)
      await place.close()
    }
    expect(points).toBeGreaterThanOrEqual(14)
  })

  it('refuse a database with a newer schema', async () => {
    place = await open()
    await migrate(place.connect(), STEPS)
    await expect(migrate(place.connect(), STEPS.slice(0, 1))).rejects.toThrow(
      new ForeignSchema(
        'the database has schema version 2, this build knows 1: start a newer build, or restore a backup',
      ),
    )
  })

  it('refuse a database whose applied migrations are others', async () => {
    place = await open()
    await migrate(place.connect(), STEPS)
    const other = [migration(1, 'CREATE TABLE other (id integer)'), ...STEPS.slice(1)]
    await expect(migrate(place.connect(), other)).rejects.toThrow(/schema version 1 .* does not match this build/)
  })

  const broken = (version: number) =>
    migration(
      version,
      'CREATE TABLE d (id integer)',
      '-- why it is here\n\nINSERT INTO nowhere\n VALUES (1)',
      'CREATE TABLE e (id integer)',
    )
  const NOWHERE =
    dialect === 'pg' ? 'relation "nowhere" does not exist (42P01)' : 'no such table: nowhere (SQLITE_ERROR)'

  it('say what failed, that nothing of it was kept, and that the release before still fits', async () => {
    place = await open()
    await migrate(place.connect(), STEPS)
    const before = await place.schema()
    await place.disconnect()
    const failed = await migrate(place.connect(), [...STEPS, broken(3)]).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(MigrationFailed)
    expect((failed as Error).message.split('\n')).toEqual([
      'migration 3 `step-3` of the database plumbline of the test failed at statement 2 of 3: INSERT INTO nowhere',
      `the database says: ${NOWHERE}`,
      'nothing of this migration was kept: the database is at schema version 2, as before this start. Remove the cause and start this release again, or start the release that ran before: it still fits',
    ])
    expect(whyNotStarted(failed, null)?.message).toBe((failed as Error).message)
    // What the message promises: nothing of it is there, and the older build starts.
    await place.disconnect()
    expect(await place.schema()).toEqual(before)
    expect(await migrate(place.connect(), STEPS)).toEqual([])
  })

  it('say which migrations of the same start stay, and that the way back is the backup', async () => {
    place = await open()
    await migrate(place.connect(), STEPS.slice(0, 1))
    await place.disconnect()
    const failed = migrate(place.connect(), [...STEPS, broken(3)])
    await expect(failed).rejects.toThrow(
      'nothing of this migration was kept: the database is at schema version 2, because migration 2 of this start stays. Remove the cause and start this release again; to go back to the release before, restore the backup from before the upgrade',
    )
    await place.disconnect()
    expect(await migrate(place.connect(), STEPS)).toEqual([])
    await place.disconnect()
    await expect(migrate(place.connect(), STEPS.slice(0, 1))).rejects.toThrow(ForeignSchema)
  })

  it('leave an empty database empty where the first one fails', async () => {
    place = await open()
    await expect(migrate(place.connect(), [broken(1)])).rejects.toThrow(
      'nothing of this migration was kept: the database is empty as before. Remove the cause and start again',
    )
    await place.disconnect()
    expect(await migrate(place.connect(), STEPS)).toEqual([1, 2])
  })

  it('do not claim that nothing was kept where the connection broke at the COMMIT', async () => {
    place = await open()
    const target = place.connect()
    const lost = Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' })
    const exec = async (text: string) => {
      await target.exec(text)
      if (text === 'COMMIT') throw lost
    }
    await expect(migrate({ ...target, exec }, STEPS.slice(0, 1))).rejects.toThrow(
      /failed at its COMMIT\n.*\nthe connection broke before the answer, so it is either kept as a whole or not at all .*: start this release again, it sees which$/,
    )
    await place.disconnect()
    expect(await migrate(place.connect(), STEPS)).toEqual([2])
  })

  it('say when each was applied', async () => {
    place = await open()
    await migrate(place.connect(), STEPS, heldClock(1_763_690_000_000))
    const rows = await place
      .connect()
      .rows('SELECT version, name, applied_at_ms AS at FROM schema_migrations ORDER BY version')
    expect(rows.map(({ version, name, at }) => [version, name, Number(at)])).toEqual([
      [1, 'step-1', 1_763_690_000_000],
      [2, 'step-2', 1_763_690_000_000],
    ])
  })
})
