/**
 * The process that is killed while it migrates: `node migrator.mjs sqlite FILE` or `… pg URL`. It writes a dot to standard
 * output after each statement.
 */
import pg from 'pg'
import { type Migration, type MigrationTarget, migrate, readMigrations } from '../../src/runtime/store/migrate.js'
import { sqliteDriver } from '../../src/runtime/store/sqlite-driver.js'

const { Database } = sqliteDriver()

/** So that there are many commits to fall between, whatever number of migrations this build has. */
const MORE = 40

function migrationsOf(dialect: 'sqlite' | 'pg'): Migration[] {
  const own = readMigrations(dialect)
  const newest = Math.max(...own.map(({ version }) => version))
  const more = Array.from({ length: MORE }, (_, n) => ({
    version: newest + 1 + n,
    name: `more-${n}`,
    statements: [
      `CREATE TABLE more_${n} (id integer PRIMARY KEY, name text NOT NULL)`,
      `INSERT INTO more_${n} VALUES (1, 'kept')`,
      `ALTER TABLE more_${n} ADD COLUMN later text`,
      `CREATE UNIQUE INDEX more_${n}_name ON more_${n} (name)`,
      ...(n === 0 ? [] : [`DROP TABLE more_${n - 1}`]),
    ],
  }))
  return [...own, ...more]
}

const [dialect = '', address = ''] = process.argv.slice(2)

async function target(): Promise<MigrationTarget> {
  if (dialect === 'sqlite') {
    const database = new Database(address)
    database.pragma('journal_mode = WAL')
    database.pragma('busy_timeout = 5000')
    return {
      dialect: 'sqlite',
      database: address,
      exec: async (statement) => void database.exec(statement),
      rows: async (query) => database.prepare(query).all() as Record<string, unknown>[],
    }
  }
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  return {
    dialect: 'pg',
    database: 'of the proof',
    exec: async (statement) => void (await client.query(statement)),
    rows: async (query) => (await client.query<Record<string, unknown>>(query)).rows,
  }
}

const opened = await target()
const told: MigrationTarget = {
  ...opened,
  async exec(statement) {
    await opened.exec(statement)
    process.stdout.write('.')
  },
}
await migrate(told, migrationsOf(opened.dialect))
process.exit(0)
