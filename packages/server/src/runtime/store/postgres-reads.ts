/**
 * Single reads of one authority on PostgreSQL. A read on its own is a transaction: BEGIN with the role and the organization, the
 * statement, COMMIT, sent in one packet. While all connections are busy, reads of the same authority that wait for one share
 * the next: one transaction, one packet, one wake-up of each side for all of them.
 *
 * INVARIANT: a transaction begins after every read of it was asked for, and each statement sees what was committed before it
 * ran (READ COMMITTED), so that nobody can tell whether reads shared a transaction. A read that fails takes no other with it.
 */
import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { isConnectionLoss, isLostStatement, unavailable } from './database-error.js'
import type { Send } from './named-statements.js'

/** At most so many share a transaction, so that a slow read holds up few. */
const SHARED_MAX = 8
/** What PostgreSQL says of a statement that follows a failed one in its transaction. */
const IN_FAILED_TRANSACTION = '25P02'

/** `run` reports a client that is no longer in a known state. */
export type WithClient = <T>(run: (client: pg.PoolClient, broken: () => void) => Promise<T>) => Promise<T>

export interface SharedReadsOptions {
  /** Takes the role, names the organization, and bounds the time of a statement. */
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
  /** It failed because of another read, or its connection was lost: it runs once more, by itself. */
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
        // No connection came. The other lanes have theirs, and take the rest.
        for (const read of share()) read.reject(error)
      }
    }
    lanes -= 1
  }

  /** What one lane takes, once its connection is there: one read while the lanes suffice, more when reads queue up. */
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

/** A pooled connection may have died unnoticed, and a statement may have followed a failed one: a read may be sent again. */
function mayRunAgain(error: unknown): boolean {
  return (
    isConnectionLoss(error) || isLostStatement(error) || (error as { code?: unknown }).code === IN_FAILED_TRANSACTION
  )
}

/** node-postgres writes each message by itself; held back together they cost one system call, and PostgreSQL one wake-up. */
function inOnePacket<T>(client: pg.PoolClient, send: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}
