/**
 * The pool of node-postgres: bounded in connections, in how many may wait for one, and in how long. A connection that
 * breaks, idle or in use, is replaced; nobody but its user notices. Connections run in pipeline mode: statements that do
 * not wait for one another share a round trip.
 */
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { unavailable } from './database-error.js'
import { namedStatements } from './named-statements.js'
import type { PgPool } from './postgres.js'
import { sharedReads, type WithClient } from './postgres-reads.js'

export interface PoolOptions {
  /** `postgres://…`. Its user is a member of the role that the pool's transactions take on. */
  readonly url: string
  readonly connectionsMax: number
  /** How many may wait for a connection; the next is refused at once. */
  readonly waitingMax?: number
  /** How long one waits, in ms. */
  readonly acquireTimeoutMs?: number
  /** Told about a connection that broke while nobody waited for an answer on it. */
  readonly onError?: (error: Error) => void
}

type Query = (config: pg.QueryConfig, values: unknown[]) => Promise<pg.QueryResult>

/** drizzle asks its client for nothing but `query`. */
const drizzleThrough = (query: Query) => drizzle({ query } as unknown as pg.PoolClient)

export function nodePostgresPool(options: PoolOptions): PgPool {
  const { url, connectionsMax, waitingMax = 1000, acquireTimeoutMs = 5000, onError = () => undefined } = options
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: acquireTimeoutMs,
    keepAlive: true,
    pipeline: true,
    application_name: 'plumbline',
  })
  // Without a listener a connection that the server closes would end the process: the pool listens while it is idle,
  // this one while it is lent out.
  pool.on('error', onError)
  let openCount = 0
  let allGone: (() => void) | undefined
  pool.on('connect', (client) => {
    openCount += 1
    client.on('error', () => undefined)
  })
  pool.on('remove', () => {
    openCount -= 1
    if (openCount === 0) allGone?.()
  })

  const builders = new WeakMap<pg.PoolClient, object>()
  const send = namedStatements()

  async function acquire(): Promise<pg.PoolClient> {
    if (pool.waitingCount >= waitingMax) {
      throw unavailable('all connections to the database are busy; try again', new Error(`${waitingMax} are waiting`))
    }
    try {
      return await pool.connect()
    } catch (error) {
      throw unavailable('the database gave no connection in time; try again', error)
    }
  }

  /** `run` releases the client by answering whether it is still in a known state. */
  const withClient: WithClient = async (run) => {
    const client = await acquire()
    let isBroken = false
    try {
      return await run(client, () => {
        isBroken = true
      })
    } finally {
      client.release(isBroken)
    }
  }

  return {
    use: (run) =>
      withClient((client, broken) => {
        let over = builders.get(client)
        if (over === undefined) {
          over = drizzleThrough((config, values) => send(client, config, values))
          builders.set(client, over)
        }
        return run({
          builders: over,
          exec: async (text) => {
            try {
              await client.query(text)
            } catch (error) {
              // BEGIN, COMMIT or ROLLBACK that fails leaves a session in an unknown state.
              broken()
              throw error
            }
          },
        })
      }),
    statements(begin) {
      return drizzleThrough(sharedReads({ begin, lanesMax: connectionsMax, waitingMax, withClient, send }))
    },
    async ping() {
      await withClient(async (client, broken) => {
        await client.query('SELECT 1').catch((error: unknown) => {
          broken()
          throw error
        })
      })
    },
    async close() {
      await pool.end()
      // The pool answers before its sockets are closed.
      if (openCount > 0) await new Promise<void>((resolve) => (allGone = resolve))
    },
  }
}
