/**
 * Group commit: writes that arrive together share one durable commit.
 *
 * The operations of a group run one after another, each in its own savepoint. Answers are sent after COMMIT. A group
 * ends when no operation waits, at 256 operations, or after 10 ms. Within a group the event loop gets a turn every 0.6
 * ms, so that reads continue, and it gets one between groups. After a large group, the next one begins when as many
 * operations wait again, or after 2 ms.
 *
 * INVARIANT: no answer, success or failure, is sent before the transaction that it depends on is durable or rolled
 * back. When the transaction is lost, every member of the group is refused, including those whose savepoint was
 * released. Source: spec platform 25.2.
 */
import type Database from 'better-sqlite3'
import { unavailable } from './database-error.js'
import { type OnSlowWrite, slowWriteWatch } from './slow-write.js'
import type { WriterGate } from './sqlite-connection.js'

const GROUP_OPERATIONS_MAX = 256
/**
 * Wall-clock time. On a busy machine a shorter time would make groups small, and their commits would use the rest of
 * its time.
 */
const GROUP_MS_MAX = 10
/** Reads have their own connection. They need not wait for the whole group, only for the thread. */
const SLICE_MS_MAX = 0.6
/** After a group of at least this many operations, the next one waits for as many. */
const GATHER_OPERATIONS_MIN = 8
const GATHER_MS_MAX = 2

interface Waiting {
  readonly operation: string
  run(): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

export interface CommitCounts {
  /** Durable commits. Each syncs the log once; checkpoints sync in addition. */
  groups: number
  /** Operations that those commits carried. */
  operations: number
  /** Groups that were refused as a whole. */
  lostGroups: number
}

export interface GroupCommit {
  /** Queues an operation; resolves after the commit that holds it. */
  submit<T>(operation: string, run: () => Promise<T>): Promise<T>
  /** How many commits carried how many operations, since the start. */
  readonly counts: Readonly<CommitCounts>
  /** Waits for queued operations, then refuses further ones. */
  close(): Promise<void>
}

export interface GroupCommitOptions {
  /** Called for a write that has been open for 50 ms. */
  readonly onSlowWrite?: OnSlowWrite | undefined
  /** How long a group accepts members, in ms; 10 by default. */
  readonly groupMsMax?: number
  /** How long the group after a large one waits for members, in ms; 2 by default. */
  readonly gatherMsMax?: number
}

/** One turn of the event loop, in which sockets are read and timers run. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

const REFUSED = 'the database cannot store the change now; nothing was changed'
/** After a crash, a commit that failed half-way may still be found in the log. So the message promises nothing. */
const UNCERTAIN = 'the database could not confirm the change; check whether it was made before trying again'

interface SqliteWriter {
  readonly driver: Database.Database
  readonly gate: WriterGate
}

export const groupCommit = (writer: SqliteWriter, options: GroupCommitOptions = {}): GroupCommit =>
  new SqliteGroupCommit(writer, options)

class SqliteGroupCommit implements GroupCommit {
  readonly counts: CommitCounts = { groups: 0, operations: 0, lostGroups: 0 }
  readonly #driver: Database.Database
  readonly #gate: WriterGate
  readonly #watch: ReturnType<typeof slowWriteWatch>
  readonly #groupMsMax: number
  readonly #gatherMsMax: number
  readonly #sql: ReturnType<typeof transactionStatements>
  readonly #queue: Waiting[] = []
  #running: Promise<void> | null = null
  #isClosed = false

  constructor({ driver, gate }: SqliteWriter, options: GroupCommitOptions) {
    this.#driver = driver
    this.#gate = gate
    this.#watch = slowWriteWatch(options.onSlowWrite)
    this.#groupMsMax = options.groupMsMax ?? GROUP_MS_MAX
    this.#gatherMsMax = options.gatherMsMax ?? GATHER_MS_MAX
    this.#sql = transactionStatements(driver)
  }

  submit<T>(operation: string, run: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(unavailable(REFUSED, new Error('the store is closed')))
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ operation, run, resolve: resolve as (value: unknown) => void, reject })
      // Started in a later turn of the event loop, so that requests that arrive together are in one group.
      this.#running ??= nextTurn().then(() => this.#drain())
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const before = this.counts.operations
      await this.#runGroup()
      await this.#gather(this.counts.operations - before)
    }
    this.#running = null
  }

  async #runGroup(): Promise<void> {
    const answers: (() => void)[] = []
    const members: Waiting[] = []
    try {
      this.#sql.begin.run()
    } catch (error) {
      return this.#refuseAll(this.#queue.splice(0, GROUP_OPERATIONS_MAX), REFUSED, error)
    }
    this.#gate.open()
    try {
      await this.#runMembers(members, answers)
    } catch (error) {
      return this.#refuseAll(members, REFUSED, error)
    }
    this.#gate.close()
    try {
      this.#sql.commit.run()
    } catch (error) {
      return this.#refuseAll(members, UNCERTAIN, error)
    }
    this.counts.groups += 1
    this.counts.operations += members.length
    for (const answer of answers) answer()
  }

  /** Takes members from the queue until the group is full; throws when the transaction is lost. */
  async #runMembers(members: Waiting[], answers: (() => void)[]): Promise<void> {
    const startedMs = performance.now()
    let sliceMs = startedMs
    for (let member = this.#queue.shift(); member !== undefined; member = this.#queue.shift()) {
      members.push(member)
      answers.push(await this.#runMember(member))
      if (performance.now() - sliceMs > SLICE_MS_MAX) {
        await nextTurn()
        sliceMs = performance.now()
      }
      if (members.length >= GROUP_OPERATIONS_MAX || performance.now() - startedMs > this.#groupMsMax) return
    }
  }

  /** Runs one member. Returns the function that settles it after the commit; throws when the transaction is lost. */
  async #runMember(member: Waiting): Promise<() => void> {
    let value: unknown
    try {
      this.#sql.savepoint.run()
      this.#watch.opened(member.operation)
      value = await member.run()
      // An operation that ignored the error of a lost transaction must not be answered with success.
      if (this.#isLost()) throw this.#gate.lost ?? new Error('the transaction has ended')
      this.#sql.release.run()
    } catch (error) {
      if (this.#isLost()) throw this.#gate.lost ?? error
      this.#sql.rollbackTo.run()
      this.#sql.release.run()
      return () => member.reject(error)
    } finally {
      this.#watch.closed()
    }
    return () => member.resolve(value)
  }

  #isLost(): boolean {
    return this.#gate.lost !== null || !this.#driver.inTransaction
  }

  #refuseAll(members: readonly Waiting[], message: string, error: unknown): void {
    this.#gate.close()
    this.counts.lostGroups += 1
    try {
      if (this.#driver.inTransaction) this.#driver.exec('ROLLBACK')
    } catch {
      // When the connection is still inside the old transaction, the next BEGIN fails.
    }
    for (const member of members) member.reject(unavailable(message, error))
  }

  /**
   * Under load, waits for clients that were just answered to send their next request: one sync for all of them costs
   * the same as one for half of them.
   */
  async #gather(lately: number): Promise<void> {
    const untilMs = performance.now() + this.#gatherMsMax
    const isWorthWaiting = () =>
      !this.#isClosed && lately >= GATHER_OPERATIONS_MIN && this.#queue.length < lately && performance.now() < untilMs
    do await nextTurn()
    while (isWorthWaiting())
  }
}

const transactionStatements = (driver: Database.Database) => ({
  begin: driver.prepare('BEGIN IMMEDIATE'),
  savepoint: driver.prepare('SAVEPOINT operation'),
  release: driver.prepare('RELEASE operation'),
  rollbackTo: driver.prepare('ROLLBACK TO operation'),
  commit: driver.prepare('COMMIT'),
})
