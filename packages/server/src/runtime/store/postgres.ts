/**
 * The store on PostgreSQL: two roles besides the owner, and two pools.
 *
 * Every statement of a tenant runs in a transaction that begins by setting the tenant's role and the organization,
 * which row security reads. Nothing is stored in the session, so pooling by transaction works. Source: spec platform
 * 25.3.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { UUID } from '../ids.js'
import type { Maybe } from '../maybe.js'
import {
  isConnectionLoss,
  isLostStatement,
  isSerializationFailure,
  isUnavailable,
  readError,
  refusalIn,
  unavailable,
} from './database-error.js'
import type { Db, Store, StoreScope, TenantKey, Tx } from './db.js'
import { type Last, type PgPool, type PgSession, TransactionError, transaction } from './postgres-transaction.js'
import { prepared } from './prepared.js'
import { type OnSlowWrite, slowWriteWatch } from './slow-write.js'

export const TENANT_ROLE = 'plumbline_tenant'
export const SYSTEM_ROLE = 'plumbline_system'

const ATTEMPTS_MAX = 5
/** The most tenant scopes that are cached with their prepared statements. */
const TENANTS_MAX = 1000

/** One pool for each authority, so that each may use a login that can take no other role. */
export interface PgPools {
  readonly tenant: PgPool
  readonly system: PgPool
}

export interface PostgresOptions {
  /** The statement timeout in ms; PostgreSQL cancels a statement that runs longer. */
  readonly statementTimeoutMs?: number
  /** Called for a write that has been open for 50 ms. */
  readonly onSlowWrite?: OnSlowWrite
}

interface DrizzlePg {
  execute(query: SQL): Promise<{ rows: Record<string, unknown>[] }>
}

function dbOver(builders: object): Db {
  const drizzlePg = builders as DrizzlePg
  return Object.assign(Object.create(builders) as Omit<Db, 'database' | 'rows' | 'preparedFor'>, {
    database: 'pg' as const,
    preparedFor: builders,
    rows: async <T extends Record<string, unknown>>(query: SQL) => (await drizzlePg.execute(query)).rows as T[],
  })
}

/**
 * Sets the role and, for a tenant, the organizations whose rows row security shows. The settings end with the
 * transaction.
 */
function settingsOf(key: TenantKey | null, statementTimeoutMs: number): string {
  const limits = `SET LOCAL statement_timeout = ${statementTimeoutMs}`
  if (key === null) return `SET LOCAL ROLE ${SYSTEM_ROLE}; ${limits}`
  for (const id of [key.orgId, ...key.readableOrgIds]) {
    if (!UUID.test(id)) throw new Error('an organization id is a UUID')
  }
  return `SET LOCAL ROLE ${TENANT_ROLE}; SET LOCAL app.org = '${key.orgId}'; SET LOCAL app.readable = '{${key.readableOrgIds.join(',')}}'; ${limits}`
}

/** Runs `attempt` again after a conflict between transactions, or when its connection was lost before COMMIT. */
async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (thrown) {
      const isUncertain = thrown instanceof TransactionError && thrown.isUncertain
      const error = thrown instanceof TransactionError ? thrown.cause : thrown
      const refusal = refusalIn(error)
      if (refusal !== null) throw refusal
      if (isUncertain) {
        throw unavailable(
          'the connection to the database was lost; check whether the change was made before trying again',
          error,
        )
      }
      const isTransient = isSerializationFailure(error) || isConnectionLoss(error) || isLostStatement(error)
      if (isTransient && count < ATTEMPTS_MAX) {
        // Random waits, so that transactions that were in conflict do not meet again.
        await sleep(randomInt(1, 10 * 2 ** count))
        continue
      }
      if (isSerializationFailure(error)) throw unavailable('too many changes at once; try again', error)
      if (isUnavailable(error))
        throw unavailable('the database cannot store the change now; nothing was changed', error)
      throw error
    }
  }
}

async function guarded<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw readError(error instanceof TransactionError ? error.cause : error)
  }
}

/** @param pools One pool serves both authorities when there is only one session. */
export function storeOver(pools: PgPools | PgPool, options: PostgresOptions = {}): Store {
  const { statementTimeoutMs = 10_000, onSlowWrite } = options
  const { tenant, system } = 'use' in pools ? { tenant: pools, system: pools } : pools
  const both = [...new Set([tenant, system])]
  const writing = new AsyncLocalStorage<true>()

  function scope(key: TenantKey | null): StoreScope {
    const pool = key === null ? system : tenant
    const settings = settingsOf(key, statementTimeoutMs)
    const readOnly = `BEGIN READ ONLY; ${settings}`
    const single = pool.statements?.(readOnly)
    const singleDb = single && dbOver(single)
    return {
      read: (run) =>
        guarded(async () =>
          singleDb === undefined
            ? transaction(pool, readOnly, async (session) => run(dbOver(session.builders)))
            : run(singleDb),
        ),
      snapshot: (run) =>
        guarded(() =>
          transaction(pool, `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${settings}`, async (session) =>
            run(dbOver(session.builders)),
          ),
        ),
      async write<T>(run: (tx: Tx) => Maybe<T>, operation = 'unnamed'): Promise<T> {
        if (writing.getStore()) throw new Error('a write inside a write would wait for itself')
        const watch = slowWriteWatch(onSlowWrite)
        const { value, after } = await retrying(async () => {
          const callbacks: (() => void)[] = []
          const last: Last[] = []
          const attempt = async (session: PgSession) => {
            const tx: Tx = Object.assign(dbOver(session.builders), {
              afterCommit: (callback: () => void) => void callbacks.push(callback),
              withCommit: (statement: Last) => void last.push(statement),
            })
            watch.opened(operation)
            try {
              return await writing.run(true, () => run(tx))
            } finally {
              watch.closed()
            }
          }
          const answer = await transaction(pool, `BEGIN; ${settings}`, attempt, last)
          return { value: answer, after: callbacks }
        })
        for (const callback of after) callback()
        return value
      },
    }
  }

  const tenants = new LRUCache<string, StoreScope>({ max: TENANTS_MAX })
  return {
    database: 'pg',
    system: scope(null),
    tenant(key) {
      const name = `${key.orgId} ${key.readableOrgIds.join(' ')}`
      let known = tenants.get(name)
      if (known === undefined) {
        known = scope(key)
        tenants.set(name, known)
      }
      return known
    },
    ping: () => guarded(async () => void (await Promise.all(both.map((pool) => pool.ping())))),
    close: async () => void (await Promise.all(both.map((pool) => pool.close()))),
  }
}

/** `FOR UPDATE` on a database with row locks. SQLite has one writer, so a write already excludes all others. */
export async function lockRow(tx: Tx, table: string, id: string): Promise<void> {
  if (tx.database !== 'pg') return
  let lock = locks.get(table)
  if (lock === undefined) {
    lock = prepared((db, value: (name: 'id') => Placeholder) =>
      locking(
        db,
        db
          .select({ one: sql`1` })
          .from(sql`${sql.identifier(table)}`)
          .where(sql`id = ${value('id')}`),
      ),
    )
    locks.set(table, lock)
  }
  await lock(tx, { id })
}
/** By table. */
const locks = new Map<string, (tx: Tx, values: { readonly id: string }) => unknown>()

/**
 * `lockRow` for several rows, always in the order of their ids, so that two transactions that want the same rows cannot
 * deadlock.
 */
export async function lockRows(tx: Tx, table: string, ids: readonly string[]): Promise<void> {
  if (tx.database !== 'pg' || ids.length === 0) return
  const list = sql.join(
    ids.map((id) => sql`${id}`),
    sql`, `,
  )
  await tx.rows(sql`SELECT 1 FROM ${sql.identifier(table)} WHERE id IN (${list}) ORDER BY id FOR UPDATE`)
}

/**
 * Lets the transactions that name this take turns until they end, for what has no row to lock yet. On SQLite they take
 * turns anyway.
 */
export async function lockName(tx: Tx, name: string): Promise<void> {
  if (tx.database === 'pg') await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtext(${name}))`)
}

/** A query that locks its rows. Unchanged on SQLite. */
export function locking<Q>(db: Pick<Db, 'database'>, query: Q): Q {
  return db.database === 'sqlite' ? query : ((query as Lockable).for('update') as Q)
}

/** A query that locks its rows, without those that another transaction has locked. Unchanged on SQLite. */
export function skippingLocked<Q>(db: Pick<Db, 'database'>, query: Q): Q {
  return db.database === 'sqlite' ? query : ((query as Lockable).for('update', { skipLocked: true }) as Q)
}
type Lockable = { for(strength: 'update', config?: { readonly skipLocked: true }): unknown }
