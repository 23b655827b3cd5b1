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

/** The place of an event that a forwarder sent: it names its pipeline. */
export const OF_FORWARDERS = ''

export interface Parking {
  readonly orgId: string
  readonly sourceId: string
  readonly nowMs: number
}

interface Unregistered {
  readonly pipelineRef: string
  readonly event: RunEvent
}

/** @returns for each event whether it is parked, now or before; the others exceed the limit. */
export async function parkEvents(
  tx: Tx,
  events: readonly Unregistered[],
  { orgId, sourceId, nowMs }: Parking,
): Promise<readonly boolean[]> {
  if (events.length === 0) return []
  const { reportParked: t } = reportingTables(tx)
  const [held] = await tx.select({ rows: count() }).from(t).where(eq(t.orgId, orgId))
  // guard: parked-events-have-a-limit
  let room = Math.max(0, PARKED_MAX - (held?.rows ?? 0))
  // guard: a-parked-event-that-comes-again-takes-no-room
  const known = events.length <= room ? new Set<string>() : await parkedAmong(tx, orgId, sourceId, events)
  const isParked = events.map((each) => known.has(textOf(each)) || room-- > 0)
  const rows = events
    .filter((_, at) => isParked[at])
    .map(({ pipelineRef, event }) => ({
      orgId,
      pipelineRef,
      sourceId,
      key: event.key,
      hash: event.hash,
      receivedMs: nowMs,
      event,
    }))
  // Two events of one key are both parked, distinguished by their hash. Which one is kept is decided when they are
  // stored.
  if (rows.length > 0) await tx.insert(t).values(rows).onConflictDoNothing()
  return isParked
}

const textOf = ({ pipelineRef, event: { key, hash } }: Unregistered): string => JSON.stringify([pipelineRef, key, hash])

/** Those of the events that are parked already. */
async function parkedAmong(
  tx: Tx,
  orgId: string,
  sourceId: string,
  events: readonly Unregistered[],
): Promise<ReadonlySet<string>> {
  const { reportParked: t } = reportingTables(tx)
  const refs = [...new Set(events.map(({ pipelineRef }) => pipelineRef))]
  const keys = [...new Set(events.map(({ event }) => event.key))]
  const rows = await tx
    .select({ pipelineRef: t.pipelineRef, key: t.key, hash: t.hash })
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.sourceId, sourceId), inArray(t.pipelineRef, refs), inArray(t.key, keys)))
  return new Set(rows.map(({ pipelineRef, key, hash }) => JSON.stringify([pipelineRef, key, hash])))
}

export interface ParkedFor {
  readonly orgId: string
  readonly sourceId: string
  readonly ref: string
}

/** Stores the events that are parked for this pipeline. @param parked its id, or a name that a source gives it. */
export async function replayParked(tx: Tx, parked: ParkedFor, pipelineId: string, storing: Storing): Promise<Stored> {
  const { reportParked: t } = reportingTables(tx)
  const total = { inserted: 0, duplicates: 0, conflicts: 0 }
  // guard: a-source-decides-about-its-own-events
  const waiting = and(eq(t.orgId, parked.orgId), eq(t.pipelineRef, parked.ref), eq(t.sourceId, parked.sourceId))
  // Later batches must not wait for it while they hold the marks of earlier ones.
  await lockSwept(tx, storing.orgId)
  for (;;) {
    const rows = await tx.select().from(t).where(waiting).orderBy(asc(t.key), asc(t.hash)).limit(AT_ONCE)
    if (rows.length === 0) return total
    const stored = await storeEvents(
      tx,
      rows.map(({ event }) => ({ ...event, pipelineId })),
      storing,
    )
    total.inserted += stored.inserted
    total.duplicates += stored.duplicates
    total.conflicts += stored.conflicts
    for (const { key, hash } of rows) await tx.delete(t).where(and(waiting, eq(t.key, key), eq(t.hash, hash)))
  }
}
