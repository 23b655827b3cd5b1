/**
 * The pool of node-postgres: bounded in connections, in how many may wait for one, and in how long. A connection that
 * breaks, idle or in use, is replaced; nobody but its user notices. Connections run in pipeline mode: statements that do
 * not wait for one another share a round trip.
 */
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { unavailable } from './database-error.js'
import { namedStatements } from './named-statements.js'
import { inOnePacket, sharedReads, type WithClient } from './postgres-reads.js'
import type { PgPool, PgSession } from './postgres-transaction.js'

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

type Builder = Required<Pick<PgSession, 'builders' | 'pipeline'>>

/** False for a value that node-postgres turns into text by code of its own, which may throw after half a message. */
const isSendable = (value: unknown): boolean => value === null || typeof value !== 'object'

/** drizzle asks its client for nothing but `query`. */
const drizzleThrough = (query: Query) => drizzle({ query } as unknown as pg.PoolClient)

export const nodePostgresPool = (options: PoolOptions): PgPool => new NodePostgresPool(options)

class NodePostgresPool implements PgPool {
  readonly #pool: pg.Pool
  readonly #connectionsMax: number
  readonly #waitingMax: number
  readonly #builders = new WeakMap<pg.PoolClient, Builder>()
  readonly #send = namedStatements()
  #openCount = 0
  #allGone: (() => void) | undefined

  constructor({ url, connectionsMax, waitingMax = 1000, acquireTimeoutMs = 5000, onError }: PoolOptions) {
    this.#connectionsMax = connectionsMax
    this.#waitingMax = waitingMax
    this.#pool = new pg.Pool({
      connectionString: url,
      max: connectionsMax,
      connectionTimeoutMillis: acquireTimeoutMs,
      keepAlive: true,
      pipeline: true,
      application_name: 'plumbline',
    })
    // Without a listener a connection that the server closes would end the process: the pool listens while it is idle,
    // this one while it is lent out.
    this.#pool.on('error', onError ?? (() => undefined))
    this.#pool.on('connect', (client) => {
      this.#openCount += 1
      client.on('error', () => undefined)
    })
    this.#pool.on('remove', () => {
      this.#openCount -= 1
      if (this.#openCount === 0) this.#allGone?.()
    })
  }

  use<T>(run: (session: PgSession) => Promise<T>): Promise<T> {
    return this.#withClient((client, broken) => {
      const { builders, pipeline } = this.#builderOf(client)
      const exec = async (text: string) => {
        try {
          await client.query(text)
        } catch (error) {
          // BEGIN, COMMIT or ROLLBACK that fails leaves a session in an unknown state.
          broken()
          throw error
        }
      }
      return run({ builders, pipeline, exec })
    })
  }

  statements(begin: string): object {
    const limits = { lanesMax: this.#connectionsMax, waitingMax: this.#waitingMax }
    return drizzleThrough(sharedReads({ begin, ...limits, withClient: this.#withClient, send: this.#send }))
  }

  async ping(): Promise<void> {
    await this.#withClient(async (client, broken) => {
      await client.query('SELECT 1').catch((error: unknown) => {
        broken()
        throw error
      })
    })
  }

  async close(): Promise<void> {
    await this.#pool.end()
    // The pool answers before its sockets are closed.
    if (this.#openCount > 0) await new Promise<void>((resolve) => (this.#allGone = resolve))
  }

  #builderOf(client: pg.PoolClient): Builder {
    const known = this.#builders.get(client)
    if (known !== undefined) return known
    let sentCount = 0
    const builders = drizzleThrough((config, values) => {
      const sent = this.#send(client, config, values)
      // guard: commit-waits-for-what-may-not-be-sendable
      if (values.every(isSendable)) sentCount += 1
      return sent
    })
    const builder: Builder = {
      builders,
      pipeline: { inOnePacket: (send) => inOnePacket(client, send), sentCount: () => sentCount },
    }
    this.#builders.set(client, builder)
    return builder
  }

  /** `run` releases the client by answering whether it is still in a known state. */
  readonly #withClient: WithClient = async (run) => {
    const client = await this.#acquire()
    let isBroken = false
    try {
      return await run(client, () => {
        isBroken = true
      })
    } finally {
      client.release(isBroken)
    }
  }

  async #acquire(): Promise<pg.PoolClient> {
    if (this.#pool.waitingCount >= this.#waitingMax) {
      const cause = new Error(`${this.#waitingMax} are waiting`)
      throw unavailable('all connections to the database are busy; try again', cause)
    }
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw unavailable('no database connection became free in time; try again', error)
    }
  }
}
