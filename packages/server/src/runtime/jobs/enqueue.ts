/** Queues work in the transaction that wants it done: committed with it, or not at all. */
import type { OutboxMessage, Runtime } from '../operation/context.js'
import type { Tx } from '../store/db.js'
import { jobTables } from './tables.js'

export async function enqueue(tx: Tx, runtime: Runtime, message: OutboxMessage): Promise<void> {
  const { jobs } = jobTables(tx)
  const nowMs = runtime.clock.now()
  await tx
    .insert(jobs)
    .values({
      id: runtime.ids.next(),
      kind: message.kind,
      orgId: message.orgId ?? null,
      payload: message.payload,
      state: 'waiting',
      attempts: 0,
      runAtMs: message.runAtMs ?? nowMs,
      fence: 0,
      uniqueKey: message.uniqueKey ?? null,
      createdAtMs: nowMs,
    })
    .onConflictDoNothing()
}
