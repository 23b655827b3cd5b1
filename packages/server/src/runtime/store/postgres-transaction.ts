/** A transaction on a session of PostgreSQL. Its last statements travel with COMMIT (ADR 263). */
import { isConnectionLoss } from './database-error.js'

/** One connection for a transaction, of node-postgres or of PGlite. */
export interface PgSession {
  /** drizzle over the session. The same object each time the same connection is used. */
  readonly builders: object
  /** One or several statements without parameters. */
  exec(text: string): Promise<void>
  /** Statements that do not wait for one another. Absent when the driver sends each after the answer to the one before. */
  readonly pipeline?: {
    /** What `send` sends before it returns leaves in one packet. */
    inOnePacket<T>(send: () => T): T
    /** How many statements were sent so far. It omits a statement with values that may turn out not to be sendable. */
    sentCount(): number
  }
}

/** How a transaction gets a session. */
export interface PgPool {
  use<T>(run: (session: PgSession) => Promise<T>): Promise<T>
  /**
   * drizzle, with every statement as a transaction of its own that starts with `begin`, sent together in one round
   * trip. Absent when the driver cannot do that.
   */
  statements?(begin: string): object
  /** Fails when the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The outcome of a transaction that failed. */
export class TransactionError extends Error {
  /** The failure happened at COMMIT, so the transaction may have been committed. */
  readonly isUncertain: boolean

  constructor(isUncertain: boolean, cause: unknown) {
    super('the transaction failed', { cause })
    this.isUncertain = isUncertain
  }
}

/** Sends a statement whose answer nothing in the transaction waits for. */
export type Last = () => unknown

/**
 * Runs `run` in a transaction. What `begin` sets lasts until its end, whatever happens in it.
 *
 * @param last is read when `run` has ended. These statements are sent with COMMIT.
 * @throws TransactionError when COMMIT fails; otherwise what `run` or a last statement threw, and nothing was changed.
 */
export async function transaction<T>(
  pool: PgPool,
  begin: string,
  run: (session: PgSession) => Promise<T>,
  last: readonly Last[] = [],
): Promise<T> {
  return pool.use(async (session) => {
    // One round trip, which nothing overtakes: a statement behind a BEGIN that failed would run outside of it (ADR 116).
    await session.exec(begin)
    let value: T
    try {
      value = await run(session)
    } catch (error) {
      // A pool discards a session that cannot roll back, and that rolls back too.
      await session.exec('ROLLBACK').catch(() => undefined)
      throw error
    }
    await commit(session, last)
    return value
  })
}

/**
 * INVARIANT: COMMIT is sent only after every statement of `last` was. PostgreSQL turns it into a rollback when one of
 * them fails.
 */
async function commit({ exec, pipeline }: PgSession, last: readonly Last[]): Promise<void> {
  let sent: Promise<unknown>[] = []
  let committed: Promise<void> | undefined
  const send = () => {
    const wanted = (pipeline?.sentCount() ?? 0) + last.length
    sent = last.map(async (each) => each())
    // guard: no-commit-before-its-last-statements-are-sent
    if (pipeline?.sentCount() === wanted) committed = exec('COMMIT')
  }
  if (pipeline === undefined) send()
  else pipeline.inOnePacket(send)
  const failed = (await Promise.allSettled(sent)).find((each) => each.status === 'rejected')
  if (committed === undefined && failed !== undefined) {
    await exec('ROLLBACK').catch(() => undefined)
    throw failed.reason
  }
  try {
    await (committed ?? exec('COMMIT'))
  } catch (error) {
    throw new TransactionError(isConnectionLoss(error), error)
  }
  if (failed !== undefined) throw failed.reason
}
