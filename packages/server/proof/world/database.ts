/**
 * A database for the proofs that can be set back to a remembered state, and asked what a request changed in it. Triggers
 * note which tables were written, so that both look at few. The audit chains are left out: they take no change back by
 * design, and nothing is sealed while a proof runs.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { getTableName } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import pg from 'pg'
import type { Store } from '../../src/runtime/store/db.js'
import { migrate } from '../../src/runtime/store/migrate.js'
import { openPostgresStore, openSqliteStore } from '../../src/runtime/store/open-store.js'
import { SYSTEM_ROLE, storeOver, TENANT_ROLE } from '../../src/runtime/store/postgres.js'
import type { PgPool } from '../../src/runtime/store/postgres-transaction.js'
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
  /** Its file or its address, for another process; empty where there is none. */
  readonly place: string
  /** Keeps the present rows of every table. */
  remember(): Promise<void>
  /** Brings the remembered rows back. */
  restore(): Promise<void>
  /** The tables that were written since the last `restore`, a change taken back included. */
  touched(): Promise<readonly string[]>
  /** The organizations of which rows in these tables differ from the remembered ones. */
  changes(among: readonly string[]): Promise<Change[]>
  /** Asks as the owner of the tables; `kept_<table>` holds what was remembered. Only PostgreSQL takes values. */
  rows(query: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
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

/** API calls are counted in memory, and written beside later requests, of whatever organization these are. */
const OWN_ROWS: Readonly<Record<string, string>> = {
  quota_pools: "WHERE type <> 'apiCalls'",
  quota_counters: "WHERE type <> 'apiCalls'",
}

/** SQL as the owner of the tables, past every policy. */
interface Owner {
  exec(statements: string): Promise<void>
  rows(query: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

export async function openProofDatabase(engine: Engine): Promise<ProofDatabase> {
  const { store, owner, place } = await OPEN[engine]()
  const isSqlite = engine === 'sqlite'
  return {
    engine,
    store,
    place,
    rows: (query, values) => owner.rows(query, values),
    async remember() {
      const copies = tables.map(
        ({ name }) => `DROP TABLE IF EXISTS kept_${name}; CREATE TABLE kept_${name} AS SELECT * FROM ${name};`,
      )
      await owner.exec(`${copies.join('\n')}\n${isSqlite ? SQLITE_NOTES : PG_NOTES}`)
    },
    touched,
    async restore() {
      const written = await touched()
      if (written.length === 0) return
      const values = isSqlite ? '' : 'OVERRIDING SYSTEM VALUE'
      const back = written.map(
        (name) => `DELETE FROM ${name}; INSERT INTO ${name} ${values} SELECT * FROM kept_${name};`,
      )
      await owner.exec(`${back.join('\n')} DELETE FROM proof_touched;`)
    },
    async changes(among) {
      const differences = tables
        .filter(({ name }) => among.includes(name))
        .flatMap(({ name, orgColumn }) => {
          if (orgColumn === null) return []
          const rows = (from: string) => `SELECT ${columns(from, orgColumn)} ${OWN_ROWS[name] ?? ''}`
          const differ = (a: string, b: string) =>
            `SELECT '${name}' AS "table", ${orgColumn} AS "orgId" FROM (${rows(a)} EXCEPT ${rows(b)}) AS x`
          return [differ(name, `kept_${name}`), differ(`kept_${name}`, name)]
        })
      return differences.length === 0 ? [] : ((await owner.rows(differences.join(' UNION '))) as unknown as Change[])
    },
    async close() {
      await store.close()
      await owner.close()
    },
  }

  async function touched(): Promise<string[]> {
    const rows = await owner.rows('SELECT DISTINCT name FROM proof_touched')
    return rows.map(({ name }) => String(name))
  }

  /** JSON has no equality in PostgreSQL, its text has. */
  function columns(table: string, orgColumn: string): string {
    return isSqlite ? `* FROM ${table}` : `${orgColumn}, t::text FROM ${table} AS t`
  }
}

/** SQLite has triggers a row: they write the first time only. */
const SQLITE_NOTES = `CREATE TABLE IF NOT EXISTS proof_touched (name text NOT NULL); DELETE FROM proof_touched; ${tables
  .flatMap(({ name }) =>
    ['INSERT', 'UPDATE', 'DELETE'].map(
      (kind) =>
        `DROP TRIGGER IF EXISTS proof_${kind}_${name}; CREATE TRIGGER proof_${kind}_${name} AFTER ${kind} ON ${name} BEGIN INSERT INTO proof_touched SELECT '${name}' WHERE NOT EXISTS (SELECT 1 FROM proof_touched WHERE name = '${name}'); END;`,
    ),
  )
  .join('\n')}`

/** As the owner, whatever role has written: that role is granted nothing on the list. */
const PG_NOTES = `CREATE TABLE IF NOT EXISTS proof_touched (name text NOT NULL); DELETE FROM proof_touched;
CREATE OR REPLACE FUNCTION proof_note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN INSERT INTO public.proof_touched VALUES (TG_TABLE_NAME); RETURN NULL; END $$;
${tables
  .map(
    ({ name }) =>
      `CREATE OR REPLACE TRIGGER proof_note AFTER INSERT OR UPDATE OR DELETE ON ${name} FOR EACH STATEMENT EXECUTE FUNCTION proof_note();`,
  )
  .join('\n')}`

const OPEN: Record<Engine, () => Promise<{ store: Store; owner: Owner; place: string }>> = {
  async sqlite() {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-proof-'))
    const place = join(folder, 'plumbline.db')
    const store = await openSqliteStore(place)
    // What a power cut leaves is another proof's matter, and waiting for the disk is most of the time of a request.
    store.writer.pragma('synchronous = OFF')
    return {
      store,
      place,
      owner: {
        // What the app writes beside the requests, such as counts of calls, comes to its end first.
        async exec(statements) {
          while (store.writer.inTransaction) await setImmediate()
          store.writer.exec(`BEGIN; ${statements} COMMIT;`)
        },
        rows: async (query) => store.writer.prepare(query).all() as Record<string, unknown>[],
        close: async () => rmSync(folder, { recursive: true, force: true }),
      },
    }
  },
  async pglite() {
    const database = new PGlite({ extensions: { pg_trgm } })
    const exec = async (statements: string) => void (await database.exec(statements))
    const rows = async (query: string) => (await database.query<Record<string, unknown>>(query)).rows
    await migrate({ dialect: 'pg', database: 'PGlite', exec, rows })
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
    return { store: storeOver(pool), owner, place: '' }
  },
  async postgres() {
    const address = process.env['PLUMBLINE_TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
    const name = `plumbline_proof_${process.pid}`
    const admin = new pg.Client({ connectionString: address })
    await admin.connect()
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await admin.query(`DROP ROLE IF EXISTS ${name}`)
    // As in production the server's user owns the tables and is not a superuser, so that no policy passes over it.
    await admin.query(`CREATE ROLE ${name} LOGIN CREATEROLE PASSWORD '${name}'`)
    await admin.query(MAKE_ROLES)
    await admin.query(`GRANT ${ROLES.join(', ')} TO ${name} WITH ADMIN OPTION`)
    await admin.query(`CREATE DATABASE ${name} OWNER ${name}`)
    await admin.query(`ALTER DATABASE ${name} SET synchronous_commit = off`)
    const url = new URL(address)
    url.pathname = `/${name}`
    const owner = new pg.Client({ connectionString: url.href })
    Object.assign(url, { username: name, password: name })
    const store = await openPostgresStore({ url: url.href, connectionsMax: 16 })
    await owner.connect()
    return {
      store,
      place: url.href,
      owner: {
        exec: async (statements) => void (await owner.query(statements)),
        rows: async (query, values = []) => (await owner.query(query, [...values])).rows as Record<string, unknown>[],
        async close() {
          await owner.end()
          await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
          await admin.query(`DROP ROLE ${name}`)
          await admin.end()
        },
      },
    }
  },
}

/** Belong to the whole server and not to a database: another user may have made them. */
const ROLES = [TENANT_ROLE, SYSTEM_ROLE, 'plumbline_maintenance']
const MAKE_ROLES = `DO $$ BEGIN
${ROLES.map((role) => `IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} NOLOGIN; END IF;`).join('\n')}
END $$`
