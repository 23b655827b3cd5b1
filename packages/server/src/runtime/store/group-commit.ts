/**
 * Group commit: writes that arrive together share one durable commit. The operations of a group run one after another,
 * each in a savepoint of its own; answers leave after COMMIT. A group ends when nobody waits, at 256 operations or after
 * 5 ms, and the loop yields between groups, or promises would refill the queue and starve timers and sockets.
 *
 * INVARIANT: no answer, good or bad, leaves before the transaction that it rests on is durable or rolled back.
 * Source: rulings, Store.
 */
import type Database from 'better-sqlite3'
import { Refusal } from '../errors.js'

const GROUP_OPERATIONS_MAX = 256
const GROUP_MS_MAX = 5

interface Waiting {
  run(): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
  readonly queuedAtMs: number
}

export interface CommitCounts {
  groups: number
  operations: number
}

export interface GroupCommit {
  /** Queues an operation; resolves after the commit that holds it. */
  submit<T>(run: () => Promise<T>): Promise<T>
  /** How many commits carried how many operations, since the start. */
  readonly counts: Readonly<CommitCounts>
  /** Waits for what is queued, then refuses more. */
  close(): Promise<void>
}

const unavailable = (cause: unknown): Refusal =>
  new Refusal('SERVICE_UNAVAILABLE', 'the database can not store the change now; nothing was changed', {
    headers: { 'Retry-After': '1' },
    cause,
  })

export function groupCommit(writer: Database.Database): GroupCommit {
  const queue: Waiting[] = []
  const counts: CommitCounts = { groups: 0, operations: 0 }
  let running: Promise<void> | null = null
  let closed = false

  async function runGroup(): Promise<void> {
    const answers: (() => void)[] = []
    const members: Waiting[] = []
    const refuseAll = (error: unknown) => {
      if (writer.inTransaction) writer.exec('ROLLBACK')
      for (const member of members) member.reject(unavailable(error))
    }
    try {
      writer.exec('BEGIN IMMEDIATE')
    } catch (error) {
      members.push(...queue.splice(0, GROUP_OPERATIONS_MAX))
      return refuseAll(error)
    }
    const startedMs = performance.now()
    while (members.length < GROUP_OPERATIONS_MAX) {
      const member = queue.shift()
      if (member === undefined) break
      members.push(member)
      try {
        writer.exec('SAVEPOINT operation')
        const value = await member.run()
        writer.exec('RELEASE operation')
        answers.push(() => member.resolve(value))
      } catch (error) {
        // A full disk and an I/O error roll back the whole transaction, the neighbours' released savepoints too.
        if (!writer.inTransaction) return refuseAll(error)
        try {
          writer.exec('ROLLBACK TO operation')
          writer.exec('RELEASE operation')
        } catch (again) {
          return refuseAll(again)
        }
        answers.push(() => member.reject(error))
      }
      if (performance.now() - startedMs > GROUP_MS_MAX) break
    }
    try {
      writer.exec('COMMIT')
    } catch (error) {
      return refuseAll(error)
    }
    counts.groups += 1
    counts.operations += members.length
    for (const answer of answers) answer()
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await runGroup()
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    running = null
  }

  return {
    counts,
    submit<T>(run: () => Promise<T>): Promise<T> {
      if (closed) return Promise.reject(unavailable(new Error('the store is closed')))
      return new Promise<T>((resolve, reject) => {
        queue.push({ run, resolve: resolve as (value: unknown) => void, reject, queuedAtMs: performance.now() })
        // Started in a later turn of the loop, so that requests which arrive together find one another.
        running ??= new Promise<void>((start) => setImmediate(start)).then(drain)
      })
    },
    async close() {
      closed = true
      await running
    },
  }
}
