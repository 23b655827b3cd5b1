/**
 * Parks the events of unregistered pipelines for a week. They are stored as soon as a person registers the pipeline.
 */
import { and, asc, count, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { type Stored, type Storing, storeEvents } from '../event-store.js'
import type { RunEvent } from '../ingest/event.js'
import { lockSwept } from '../rollup/swept-runs.js'
import { reportingTables } from '../tables.js'

export const PARKED_MAX = 10_000
export const PARKED_MS = 7 * 86_400_000
const AT_ONCE = 500

export interface Parking {
  readonly orgId: string
  readonly nowMs: number
}

/** @returns how many events are parked; the others exceed the limit. */
export async function parkEvents(
  tx: Tx,
  events: readonly { readonly pipelineRef: string; readonly event: RunEvent }[],
  { orgId, nowMs }: Parking,
): Promise<number> {
  if (events.length === 0) return 0
  const { reportParked: t } = reportingTables(tx)
  const [held] = await tx.select({ rows: count() }).from(t).where(eq(t.orgId, orgId))
  // guard: parked-events-have-a-limit
  const room = Math.max(0, PARKED_MAX - (held?.rows ?? 0))
  const rows = events.slice(0, room).map(({ pipelineRef, event }) => ({
    orgId,
    pipelineRef,
    key: event.key,
    hash: event.hash,
    receivedMs: nowMs,
    event,
  }))
  // Two events of one key are both parked, distinguished by their hash. Which one is kept is decided when they are
  // stored.
  if (rows.length > 0) await tx.insert(t).values(rows).onConflictDoNothing()
  return rows.length
}

/**
 * Stores the events that are parked for this pipeline. @param refs the names of the pipeline: its id, its repository.
 */
export async function replayParked(
  tx: Tx,
  refs: readonly string[],
  pipelineId: string,
  storing: Storing & { readonly parkedIn: string },
): Promise<Stored> {
  const { reportParked: t } = reportingTables(tx)
  const total = { inserted: 0, duplicates: 0, conflicts: 0 }
  // Later batches must not wait for it while they hold the marks of earlier ones.
  await lockSwept(tx, storing.orgId)
  for (;;) {
    const rows = await tx
      .select()
      .from(t)
      .where(and(eq(t.orgId, storing.parkedIn), inArray(t.pipelineRef, [...refs])))
      .orderBy(asc(t.pipelineRef), asc(t.key), asc(t.hash))
      .limit(AT_ONCE)
    if (rows.length === 0) return total
    const stored = await storeEvents(
      tx,
      rows.map(({ event }) => ({ ...event, pipelineId })),
      storing,
    )
    total.inserted += stored.inserted
    total.duplicates += stored.duplicates
    total.conflicts += stored.conflicts
    for (const { pipelineRef, key, hash } of rows) {
      await tx
        .delete(t)
        .where(and(eq(t.orgId, storing.parkedIn), eq(t.pipelineRef, pipelineRef), eq(t.key, key), eq(t.hash, hash)))
    }
  }
}
