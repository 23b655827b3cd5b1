/**
 * The store on PostgreSQL: two roles besides the owner. Every statement of a tenant runs in a transaction that begins by
 * taking the tenant's role and naming the organization, which row-level security reads; nothing is kept in the session,
 * so that pooling by transaction works. Source: rulings, Store.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { Refusal } from '../errors.js'
import { UUID } from '../ids.js'
import { isSerializationFailure } from './database-error.js'
import type { Db, Store, StoreScope, TenantKey, Tx } from './db.js'

export const TENANT_ROLE = 'plumbline_tenant'
export const SYSTEM_ROLE = 'plumbline_system'

const ATTEMPTS_MAX = 5

/** One connection that a transaction may hold: node-postgres and PGlite alike. */
export interface PgSession {
  /** drizzle over the session. */
  readonly builders: unknown
  /** One or several statements without parameters. */
  exec(text: string): Promise<void>
}

/** How a transaction gets a session. */
export interface PgPool {
  use<T>(run: (session: PgSession) => Promise<T>): Promise<T>
  ping(): Promise<void>
  close(): Promise<void>
}

interface DrizzlePg {
  execute(query: SQL): Promise<{ rows: Record<string, unknown>[] }>
}

function dbOver(session: PgSession): Db {
  const builders = session.builders as DrizzlePg
  return Object.assign(Object.create(builders as object) as Omit<Db, 'database' | 'rows'>, {
    database: 'pg' as const,
    rows: async <T extends Record<string, unknown>>(query: SQL) => (await builders.execute(query)).rows as T[],
  })
}

/** Sets the role and, for a tenant, whose rows row-level security shows. */
function settingsOf(key: TenantKey | null): string {
  if (key === null) return `SET LOCAL ROLE ${SYSTEM_ROLE}`
  for (const id of [key.orgId, ...key.readableOrgIds]) {
    if (!UUID.test(id)) throw new Error('an organization id is a UUID')
  }
  return `SET LOCAL ROLE ${TENANT_ROLE}; SET LOCAL app.org = '${key.orgId}'; SET LOCAL app.readable = '{${key.readableOrgIds.join(',')}}'`
}

export function storeOver(pool: PgPool): Store {
  const writing = new AsyncLocalStorage<true>()

  async function transaction<T>(
    key: TenantKey | null,
    begin: string,
    run: (session: PgSession) => Promise<T>,
  ): Promise<T> {
    return pool.use(async (session) => {
      // One round trip: the role and the organization last until the transaction ends, whatever happens in it.
      await session.exec(`${begin}; ${settingsOf(key)}`)
      try {
        const value = await run(session)
        await session.exec('COMMIT')
        return value
      } catch (error) {
        await session.exec('ROLLBACK')
        throw error
      }
    })
  }

  function scope(key: TenantKey | null): StoreScope {
    return {
      read: (run) => transaction(key, 'BEGIN READ ONLY', (session) => run(dbOver(session))),
      snapshot: (run) =>
        transaction(key, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', (session) => run(dbOver(session))),
      async write<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
        if (writing.getStore()) throw new Error('a write inside a write would wait for itself')
        for (let attempt = 1; ; attempt++) {
          const after: (() => void)[] = []
          try {
            const value = await transaction(key, 'BEGIN', (session) => {
              const tx: Tx = Object.assign(dbOver(session), {
                afterCommit: (callback: () => void) => void after.push(callback),
              })
              return writing.run(true, () => run(tx))
            })
            for (const callback of after) callback()
            return value
          } catch (error) {
            if (!isSerializationFailure(error)) throw error
            if (attempt >= ATTEMPTS_MAX) {
              throw new Refusal('SERVICE_UNAVAILABLE', 'too many changes at once; try again', {
                headers: { 'Retry-After': '1' },
                cause: error,
              })
            }
          }
        }
      },
    }
  }

  return {
    database: 'pg',
    system: scope(null),
    tenant: (key) => scope(key),
    ping: () => pool.ping(),
    close: () => pool.close(),
  }
}

/** A pool of node-postgres. Its user owns the tables or is a member of both roles. */
export function nodePostgresPool(options: { url: string; connectionsMax: number }): PgPool {
  const pool = new pg.Pool({ connectionString: options.url, max: options.connectionsMax })
  return {
    async use(run) {
      const client = await pool.connect()
      let isBroken = false
      try {
        return await run({
          builders: drizzle(client),
          exec: async (text) => {
            try {
              await client.query(text)
            } catch (error) {
              // BEGIN, COMMIT or ROLLBACK that fails leaves a session in an unknown state.
              isBroken = true
              throw error
            }
          },
        })
      } finally {
        client.release(isBroken)
      }
    },
    async ping() {
      await pool.query('SELECT 1')
    },
    async close() {
      await pool.end()
    },
  }
}

/** `FOR UPDATE` where the database has row locks; SQLite has one writer, so a write already holds everything. */
export async function lockRow(tx: Tx, table: string, id: string): Promise<void> {
  if (tx.database === 'pg') await tx.rows(sql`SELECT 1 FROM ${sql.identifier(table)} WHERE id = ${id} FOR UPDATE`)
}
