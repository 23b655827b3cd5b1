/**
 * How a domain defines its background work. A job is one object: kind, payload, retries, evidence that it may write,
 * and `run`. A job schedule says when a job is queued.
 *
 * A job runs at least once. It writes its effect to the database through `JobContext.write`, which compares the job's
 * fencing token in the same transaction. So a worker that lost its lease writes nothing. An effect outside the database
 * (an e-mail, an HTTP call) may happen twice, and must be harmless when it does.
 */
import type { ActionName } from '@plumbline/audit-chain'
import type { Static, TSchema } from 'typebox'
import type { AuditEntry, OutboxMessage, Runtime } from '../operation/context.js'
import type { NoAudit } from '../operation/operation.js'
import type { Db, Tx } from '../store/db.js'

/** A transaction of a job, in the scope of the organization of its row, or of the system when the row has none. */
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
  /** Aborted when the lease is lost, and when the shutdown drain is over. */
  readonly signal: AbortSignal
  read<T>(run: (db: Db) => Promise<T>): Promise<T>
  /**
   * Runs one transaction and keeps the job running, for work in batches. It extends the lease.
   *
   * @throws LeaseLost when another worker has the job. Nothing was written then.
   */
  write<T>(run: (write: JobWrite<A>) => Promise<T>): Promise<T>
  /**
   * Runs the last transaction: its effect and the completion of the job are committed together. A job whose `run`
   * returns without calling it is completed in a transaction of its own.
   *
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
  /** The most jobs of this kind that one process runs at a time; 4 by default. */
  readonly concurrency?: number
  /** Attempts before the job becomes a dead letter; 8 by default. */
  readonly attemptsMax?: number
  /** The duration of the lease in ms; 60,000 by default. The worker extends it while the job runs. */
  readonly leaseMs?: number
  /** The wait after the first failure in ms; 5000 by default. Each further failure doubles it, up to an hour. */
  readonly backoffMs?: number
  /** Clears the payload when the job is done or dead, because it contains data that should not be kept. */
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
  /** Ticks are multiples of this since 1970, so all replicas have the same ticks. Missed ticks are not made up for. */
  readonly everyMs: number
  readonly payload?: unknown
}

export const defineSchedule = (schedule: Schedule): Schedule => schedule

/** Thrown inside a job whose lease another worker has taken. The worker abandons the run without writing anything. */
export class LeaseLost extends Error {
  constructor(kind: string) {
    super(`another worker took over a job of kind ${kind}`)
    this.name = 'LeaseLost'
  }
}

/**
 * Thrown by a job that can never succeed. It becomes a dead letter at once. The message is stored with it and the cause
 * is logged.
 */
export class PermanentFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'PermanentFailure'
  }
}
