/**
 * Queues a job in the transaction of the change: it is committed with the change, or not at all.
 *
 * INVARIANT: a job that waits under the same key, and so does the work of this change too, begins after the change is
 * committed.
 */
import type { OutboxMessage, Runtime } from '../operation/context.js'
import type { Tx } from '../store/db.js'
import { insertNew } from '../store/prepared.js'
import { holdKey } from './key-lock.js'
import { jobTables } from './tables.js'

/**
 * @param traceparent The trace context of the request or job that queues it; its span becomes the parent of the job's
 * span.
 */
export async function enqueue(
  tx: Tx,
  runtime: Runtime,
  message: OutboxMessage,
  traceparent: string | null = null,
): Promise<void> {
  const nowMs = runtime.clock.now()
  const runAtMs = message.runAtMs ?? nowMs
  const id = runtime.ids.next()
  const row = {
    id,
    kind: message.kind,
    orgId: message.orgId ?? null,
    lane: message.orgId ?? '',
    payload: message.payload,
    traceparent,
    state: 'waiting',
    attempts: 0,
    runAtMs,
    leaseUntilMs: null,
    fence: 0,
    uniqueKey: message.uniqueKey ?? null,
    lastError: null,
    createdAtMs: nowMs,
    finishedAtMs: null,
  }
  // guard: a-job-that-waits-begins-after-the-change
  if (row.uniqueKey !== null) await holdKey(tx, row.kind, row.uniqueKey)
  await insertNew(tx, jobTables(tx).jobs, row)
  // The wake-up only saves time: without it the sweep finds the row.
  tx.afterCommit(() => runtime.wake?.({ id, kind: message.kind, runAtMs }))
}
