/**
 * What a domain says about its background work: a job is one object (kind, payload, how it is retried, what evidence it
 * may write, run), a schedule says when one is queued.
 *
 * A job runs at least once. Its effect in the database is written through `JobContext.write`, which compares the job's
 * fencing token in the same transaction, so that a worker that lost its lease writes nothing. What it does outside (an
 * e-mail, an HTTP call) may happen twice and has to bear it.
 */
import type { ActionName } from '@plumbline/audit-chain'
import type { Static, TSchema } from 'typebox'
import type { AuditEntry, OutboxMessage, Runtime } from '../operation/context.js'
import type { NoAudit } from '../operation/operation.js'
import type { Db, Tx } from '../store/db.js'

/** A transaction of a job, under the organization of its row, or the system's for a row without one. */
export interface JobWrite<A extends ActionName = ActionName> {
  readonly tx: Tx
  readonly nowMs: number
  /** Writes evidence in this transaction, as the actor `system`. */
  audit(action: A, entry: AuditEntry): Promise<void>
  /** Queues more work in this transaction. */
  enqueue(message: OutboxMessage): Promise<void>
}

export interface JobContext<A extends ActionName = ActionName> {
  readonly runtime: Runtime
  readonly job: { readonly id: string; readonly kind: string; readonly orgId: string | null; readonly attempt: number }
  readonly nowMs: number
  /** Aborted when the lease is lost, and when a shutdown does not wait any longer. */
  readonly signal: AbortSignal
  read<T>(run: (db: Db) => Promise<T>): Promise<T>
  /**
   * One transaction that keeps the job running: for work in batches. It extends the lease.
   * @throws LeaseLost when another worker has the job; nothing was written.
   */
  write<T>(run: (write: JobWrite<A>) => Promise<T>): Promise<T>
  /**
   * The last transaction: its effect and the job's completion are committed together. A job whose `run` returns without it is
   * completed in a transaction of its own.
   * @throws LeaseLost as `write`.
   */
  finish(run: (write: JobWrite<A>) => Promise<void>): Promise<void>
}

export interface JobDefinition<S extends TSchema = TSchema, A extends ActionName = ActionName> {
  /** `noun.verb`, such as `mail.send`. */
  readonly kind: string
  readonly payload: S
  /** The actions that `run` may write, or why it writes none. */
  readonly audit: readonly A[] | NoAudit
  /** Jobs of this kind that one process runs at a time; 4 unless said. */
  readonly concurrency?: number
  /** Attempts before the job is a dead letter; 8 unless said. */
  readonly attemptsMax?: number
  /** How long a worker has the job before others may take it, in ms; extended while it runs. 60,000 unless said. */
  readonly leaseMs?: number
  /** The wait after the first failure, in ms; doubled with each further one up to an hour. 5000 unless said. */
  readonly backoffMs?: number
  /** Clears the payload once the job is done or dead: it holds what should not stay. */
  readonly forgetPayload?: boolean
  run(context: JobContext<A>, payload: Static<S>): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of jobs forgets each one's own types; `run` is reached through the payload's schema
export type AnyJob = JobDefinition<any, any>

export const defineJob = <S extends TSchema, A extends ActionName = never>(
  definition: JobDefinition<S, A>,
): JobDefinition<S, A> => definition

export interface Schedule {
  /** Unique in the process, such as `identity.purge`. */
  readonly name: string
  /** The kind of the job that each tick queues. */
  readonly kind: string
  /** Ticks fall on multiples of this since 1970, so every replica knows the same ones. Missed ticks are not made up. */
  readonly everyMs: number
  readonly payload?: unknown
}

export const defineSchedule = (schedule: Schedule): Schedule => schedule

/** Thrown inside a job whose lease another worker has taken; the worker drops the run without a trace. */
export class LeaseLost extends Error {
  constructor(kind: string) {
    super(`another worker took over a job of kind ${kind}`)
    this.name = 'LeaseLost'
  }
}

/** Thrown by a job that will never succeed: it becomes a dead letter at once. The message is kept with it, the cause is logged. */
export class PermanentFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'PermanentFailure'
  }
}
