/**
 * Single reads of one authority on PostgreSQL.
 *
 * A read is a transaction: BEGIN with the role and the organization, the statement, COMMIT, sent in one packet. While
 * all connections are busy, waiting reads of the same authority share the next one: one transaction, one packet and one
 * wake-up of each side for all of them.
 *
 * INVARIANT: a transaction begins after each of its reads was requested, and each statement sees what was committed
 * before it ran (READ COMMITTED). So no caller can tell whether reads shared a transaction. A read that fails does not
 * make other reads fail.
 */
import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { isConnectionLoss, isLostStatement, unavailable } from './database-error.js'
import type { Send } from './named-statements.js'

/** The most reads in one transaction, so that a slow read delays few others. */
const SHARED_MAX = 8
/** The SQLSTATE of a statement after a failed one in its transaction. */
const IN_FAILED_TRANSACTION = '25P02'

/** `run` calls `broken` for a client whose state is unknown. */
export type WithClient = <T>(run: (client: pg.PoolClient, broken: () => void) => Promise<T>) => Promise<T>

export interface SharedReadsOptions {
  /** Sets the role, the organization, and the statement timeout. */
  readonly begin: string
  /** How many connections the reads of this authority use at once. */
  readonly lanesMax: number
  /** How many reads may wait; the next is refused at once. */
  readonly waitingMax: number
  readonly withClient: WithClient
  readonly send: Send
}

interface Read {
  readonly config: pg.QueryConfig
  readonly values: unknown[]
  readonly resolve: (result: pg.QueryResult) => void
  readonly reject: (error: unknown) => void
  /** The read failed because of another read, or its connection was lost. It runs once more, alone. */
  isSecondTry: boolean
}

type Query = (config: pg.QueryConfig, values: unknown[]) => Promise<pg.QueryResult>

export function sharedReads({ begin, lanesMax, waitingMax, withClient, send }: SharedReadsOptions): Query {
  const waiting: Read[] = []
  let lanes = 0

  /** Uses one connection after another until no read waits. */
  async function lane(): Promise<void> {
    lanes += 1
    while (waiting.length > 0) {
      try {
        await withClient((client, broken) => together(client, broken, share()))
      } catch (error) {
        // No connection was available. The other lanes have theirs and take the remaining reads.
        for (const read of share()) read.reject(error)
      }
    }
    lanes -= 1
  }

  /**
   * The reads that a lane takes once it has a connection: one read while there are enough lanes, more when reads queue
   * up.
   */
  function share(): Read[] {
    const size = Math.min(SHARED_MAX, Math.ceil(waiting.length / lanes))
    const secondTry = waiting.slice(0, size).findIndex((read) => read.isSecondTry)
    return waiting.splice(0, secondTry < 0 ? size : Math.max(1, secondTry))
  }

  async function together(client: pg.PoolClient, broken: () => void, reads: Read[]): Promise<void> {
    if (reads.length === 0) return
    const [begun, ended, ...answers] = await Promise.allSettled(
      inOnePacket(client, () => {
        const first = client.query(begin)
        const sent = reads.map(({ config, values }) => send(client, config, values))
        return [first, client.query('COMMIT'), ...sent]
      }),
    )
    if (begun?.status !== 'fulfilled' || ended?.status !== 'fulfilled') broken()
    for (const [index, read] of reads.entries()) {
      const answer = begun?.status === 'rejected' ? begun : answers[index]
      if (answer?.status === 'fulfilled') read.resolve(answer.value)
      else if (!read.isSecondTry && mayRunAgain(answer?.reason)) {
        read.isSecondTry = true
        waiting.unshift(read)
      } else read.reject(answer?.reason)
    }
  }

  return (config, values) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitingMax) {
        reject(
          unavailable('all connections to the database are busy; try again', new Error(`${waitingMax} are waiting`)),
        )
        return
      }
      waiting.push({ config, values, resolve, reject, isSecondTry: false })
      if (lanes < lanesMax) void lane()
    })
}

/** True when a read may be sent again: its pooled connection died unnoticed, or its statement followed a failed one. */
function mayRunAgain(error: unknown): boolean {
  return (
    isConnectionLoss(error) || isLostStatement(error) || (error as { code?: unknown }).code === IN_FAILED_TRANSACTION
  )
}

/**
 * node-postgres writes each message separately. Written together they cost one system call, and PostgreSQL wakes up
 * once.
 */
export function inOnePacket<T>(client: pg.PoolClient, send: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}
