/** Dead letters: jobs that failed for good. An operator looks at them, and replays them after removing the cause. */
import { and, desc, eq, type SQL } from 'drizzle-orm'
import type { Runtime } from '../operation/context.js'
import type { Db, Tx } from '../store/db.js'
import { jobTables } from './tables.js'

export interface DeadLetter {
  readonly id: string
  readonly kind: string
  readonly orgId: string | null
  readonly attempts: number
  readonly lastError: string | null
  readonly createdAtMs: number
  readonly diedAtMs: number | null
}

export interface DeadLetterFilter {
  /** Restricts the list to this organization. Callers of the system leave it out. */
  readonly orgId?: string
  readonly kind?: string
  readonly limit: number
  readonly offset?: number
}

/** Lists dead letters, newest first. Payloads are left out, because they may contain personal data. */
export async function listDeadLetters(db: Db, filter: DeadLetterFilter): Promise<DeadLetter[]> {
  const { jobs } = jobTables(db)
  const where: SQL[] = [eq(jobs.state, 'dead')]
  if (filter.orgId !== undefined) where.push(eq(jobs.orgId, filter.orgId))
  if (filter.kind !== undefined) where.push(eq(jobs.kind, filter.kind))
  return db
    .select({
      id: jobs.id,
      kind: jobs.kind,
      orgId: jobs.orgId,
      attempts: jobs.attempts,
      lastError: jobs.lastError,
      createdAtMs: jobs.createdAtMs,
      diedAtMs: jobs.finishedAtMs,
    })
    .from(jobs)
    .where(and(...where))
    .orderBy(desc(jobs.finishedAtMs), desc(jobs.id))
    .limit(filter.limit)
    .offset(filter.offset ?? 0)
}

/**
 * Queues a dead letter again, with all its attempts. When two replays run at the same time, one wins.
 *
 * @returns False when there is no such dead letter, or it belongs to another organization.
 */
export async function replayDeadLetter(tx: Tx, runtime: Runtime, id: string, orgId?: string): Promise<boolean> {
  const { jobs } = jobTables(tx)
  const runAtMs = runtime.clock.now()
  const [row] = await tx
    .update(jobs)
    .set({ state: 'waiting', attempts: 0, runAtMs, finishedAtMs: null })
    .where(and(eq(jobs.id, id), eq(jobs.state, 'dead'), ...(orgId === undefined ? [] : [eq(jobs.orgId, orgId)])))
    .returning({ kind: jobs.kind })
  if (row === undefined) return false
  tx.afterCommit(() => runtime.wake?.({ id, kind: row.kind, runAtMs }))
  return true
}
