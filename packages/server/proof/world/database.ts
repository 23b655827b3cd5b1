/**
 * A database for the proofs that can be set back to a remembered state, and asked what a request changed in it. The
 * audit chains are left out: they take no change back by design, and nothing is sealed while a proof runs.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { getTableName } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import pg from 'pg'
import type { Store } from '../../src/runtime/store/db.js'
import { migrate } from '../../src/runtime/store/migrate.js'
import { openPostgresStore, openSqliteStore } from '../../src/runtime/store/open-store.js'
import { type PgPool, storeOver } from '../../src/runtime/store/postgres.js'
import { TABLE_SETS } from '../../src/schema.js'

export type Engine = 'sqlite' | 'pglite' | 'postgres'

/** Rows of one table that are not as they were remembered, by organization. */
export interface Change {
  readonly table: string
  readonly orgId: string | null
}

export interface ProofDatabase {
  readonly engine: Engine
  readonly store: Store
  /** Keeps the present rows of every table. */
  remember(): Promise<void>
  /** Brings the remembered rows back. */
  restore(): Promise<void>
  /** The organizations of which rows differ from the remembered ones. */
  changes(): Promise<Change[]>
  /** Asks as the owner of the tables; `kept_<table>` holds what was remembered. */
  rows(query: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

const UNTOUCHED = 'audit'

const tables = TABLE_SETS.filter(({ domain }) => domain !== UNTOUCHED).flatMap((set) =>
  Object.entries(set.sqlite).map(([key, table]) => {
    const tenancy = (set.tenancy as Record<string, { kind: string; column?: string }>)[key]
    return {
      name: getTableName(table as Parameters<typeof getTableName>[0]),
      orgColumn: tenancy?.kind === 'tenant' ? (tenancy.column ?? null) : null,
    }
  }),
)

/** SQL as the owner of the tables, past every policy. */
interface Owner {
  exec(statements: string): Promise<void>
  rows(query: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

export async function openProofDatabase(engine: Engine): Promise<ProofDatabase> {
  const { store, owner } = await OPEN[engine]()
  const isSqlite = engine === 'sqlite'
  return {
    engine,
    store,
    rows: (query) => owner.rows(query),
    remember: () =>
      owner.exec(
        tables
          .map(({ name }) => `DROP TABLE IF EXISTS kept_${name}; CREATE TABLE kept_${name} AS SELECT * FROM ${name};`)
          .join('\n'),
      ),
    async restore() {
      const copy = tables.map(({ name }) =>
        isSqlite
          ? `DELETE FROM ${name}; INSERT INTO ${name} SELECT * FROM kept_${name};`
          : `INSERT INTO ${name} OVERRIDING SYSTEM VALUE SELECT * FROM kept_${name};`,
      )
      const empty = isSqlite ? '' : `TRUNCATE ${tables.map(({ name }) => name).join(', ')};`
      await owner.exec(`${empty} ${copy.join('\n')}`)
    },
    async changes() {
      const found = await owner.rows(
        tables
          .flatMap(({ name, orgColumn }) => {
            if (orgColumn === null) return []
            const differ = (a: string, b: string) =>
              `SELECT '${name}' AS "table", ${orgColumn} AS "orgId" FROM (SELECT ${columns(a)} EXCEPT SELECT ${columns(b)}) AS x`
            return [differ(name, `kept_${name}`), differ(`kept_${name}`, name)]
          })
          .join(' UNION '),
      )
      return found as unknown as Change[]
    },
    async close() {
      await store.close()
      await owner.close()
    },
  }

  /** JSON has no equality in PostgreSQL, its text has. */
  function columns(table: string): string {
    const { name } = tables.find((each) => table.endsWith(each.name) && table.replace(/^kept_/, '') === each.name) ?? {
      name: table,
    }
    const orgColumn = tables.find((each) => each.name === name)?.orgColumn
    return isSqlite ? `* FROM ${table}` : `${orgColumn}, t::text FROM ${table} AS t`
  }
}

const OPEN: Record<Engine, () => Promise<{ store: Store; owner: Owner }>> = {
  async sqlite() {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-proof-'))
    const store = await openSqliteStore(join(folder, 'plumbline.db'))
    return {
      store,
      owner: {
        exec: async (statements) => void store.writer.exec(`BEGIN; ${statements} COMMIT;`),
        rows: async (query) => store.writer.prepare(query).all() as Record<string, unknown>[],
        close: async () => rmSync(folder, { recursive: true, force: true }),
      },
    }
  },
  async pglite() {
    const database = new PGlite()
    const exec = async (statements: string) => void (await database.exec(statements))
    const rows = async (query: string) => (await database.query<Record<string, unknown>>(query)).rows
    await migrate({ dialect: 'pg', exec, rows })
    // PGlite has one session: transactions take turns.
    let turn: Promise<unknown> = Promise.resolve()
    const pool: PgPool = {
      use(run) {
        const next = turn.then(() => run({ builders: drizzle(database), exec }))
        turn = next.catch(() => undefined)
        return next
      },
      ping: async () => void (await database.query('SELECT 1')),
      close: () => database.close(),
    }
    // The one session may still have the role of the last transaction.
    const asOwner = <T>(run: (tx: Pick<PGlite, 'exec' | 'query'>) => Promise<T>): Promise<T> =>
      database.transaction(async (tx) => {
        await tx.exec('SET LOCAL ROLE postgres')
        return run(tx as unknown as Pick<PGlite, 'exec' | 'query'>)
      })
    const owner: Owner = {
      exec: (statements) => asOwner(async (tx) => void (await tx.exec(statements))),
      rows: (query) => asOwner(async (tx) => (await tx.query<Record<string, unknown>>(query)).rows),
      close: async () => undefined,
    }
    return { store: storeOver(pool), owner }
  },
  async postgres() {
    const address = process.env['PLUMBLINE_TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
    const name = `plumbline_proof_${process.pid}`
    const admin = new pg.Client({ connectionString: address })
    await admin.connect()
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await admin.query(`CREATE DATABASE ${name}`)
    const url = new URL(address)
    url.pathname = `/${name}`
    const store = await openPostgresStore({ url: url.href, connectionsMax: 4 })
    const owner = new pg.Client({ connectionString: url.href })
    await owner.connect()
    return {
      store,
      owner: {
        exec: async (statements) => void (await owner.query(statements)),
        rows: async (query) => (await owner.query(query)).rows as Record<string, unknown>[],
        async close() {
          await owner.end()
          await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
          await admin.end()
        },
      },
    }
  },
}
