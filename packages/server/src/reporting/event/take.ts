/** Processes a batch of items. Each item is validated separately, and the valid ones are stored. */
import { sql } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import type { FieldIssue } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { problems } from '../../runtime/operation/schema.js'
import { findPort } from '../../runtime/port.js'
import { deployedPipelinesPort } from '../../runtime/records/deployed-pipelines.js'
import type { Tx } from '../../runtime/store/db.js'
import { storeEvents } from '../event-store.js'
import { groupBy } from '../group.js'
import { beganOf, instantOf, type RunEvent, readEvent } from '../ingest/event.js'
import { EventItem, isDetailTooLarge } from '../ingest/schema.js'
import { OF_FORWARDERS, parkEvents } from '../parked/park.js'
import { keptFrom, retentionOfOrg } from '../retention.js'
import { sweptUntil } from '../rollup/swept.js'
import { reportingTables } from '../tables.js'

export const SKIP_REASONS = ['invalid', 'too_old', 'not_registered'] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export interface SkippedItem {
  readonly index: number
  readonly reason: SkipReason
  /** For an unregistered pipeline: whether the event is parked. */
  readonly parked?: boolean
  readonly path?: string
  readonly message: string
}

export interface Taken {
  inserted: number
  duplicates: number
  conflicts: number
  parked: number
  skippedItems: SkippedItem[]
}

export interface Taking {
  readonly runtime: Runtime
  readonly orgId: string
  /** The organizations whose pipelines the sender may report about. */
  readonly orgIds: readonly string[]
  readonly nowMs: number
}

const NOT_REGISTERED =
  'no pipeline of this organization or its teams is registered under this id: register it with POST /pipelines/registry (plumbline pipelines register), or restore it if it is deleted, and the event is counted'

const CLOSED = 'is of a closed day: its single runs were removed, and only their sums are kept'

export async function takeEvents(tx: Tx, items: readonly unknown[], taking: Taking): Promise<Taken> {
  const { runtime, orgId, orgIds, nowMs } = taking
  const { eventDays, factDays } = await retentionOfOrg(tx, runtime, orgId, nowMs)
  const taken: Taken = { inserted: 0, duplicates: 0, conflicts: 0, parked: 0, skippedItems: [] }
  const read: { readonly index: number; readonly event: RunEvent }[] = []
  for (const [index, item] of items.entries()) {
    const event = readItem(item, index, nowMs)
    if ('message' in event) {
      taken.skippedItems.push({ index, reason: 'invalid', path: event.path, message: event.message })
    } else if (instantOf(event) < keptFrom(factDays, nowMs)) {
      // guard: what-is-older-than-the-kept-facts-is-not-taken
      const message = `is older than the ${factDays} days that this account keeps`
      const path = `/body/events/${index}/${(item as EventItem).completedAt === undefined ? 'startedAt' : 'completedAt'}`
      taken.skippedItems.push({ index, reason: 'too_old', path, message })
    } else read.push({ index, event })
  }
  const ids = [...new Set(read.map(({ event }) => event.pipelineId))]
  const owners =
    (await findPort(runtime, deployedPipelinesPort)?.registered(tx, orgIds, ids)) ?? new Map<string, string>()
  const byOwner = groupBy(read, ({ event }) => owners.get(event.pipelineId) ?? null)
  for (const [owner, own] of [...byOwner].sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))) {
    if (owner === null) continue
    const keptFromMs = keptFrom(eventDays, nowMs)
    const closedMs = await sweptUntil(tx, owner)
    const open: RunEvent[] = []
    for (const { index, event } of own) {
      // A run counts on the day it started, so one that ended after midnight is of the day before.
      // guard: a-closed-day-takes-no-event
      if (beganOf(event) < closedMs) taken.skippedItems.push({ index, reason: 'too_old', message: CLOSED })
      else open.push(event)
    }
    const stored = await storeEvents(tx, open, { orgId: owner, nowMs, keptFromMs })
    taken.inserted += stored.inserted
    taken.duplicates += stored.duplicates
    taken.conflicts += stored.conflicts
  }
  const unknown = byOwner.get(null) ?? []
  const parked = await parkEvents(
    tx,
    unknown.map(({ event }) => ({ pipelineRef: event.pipelineId, event })),
    { orgId, sourceId: OF_FORWARDERS, nowMs },
  )
  taken.parked = parked.filter(Boolean).length
  for (const [at, { index }] of unknown.entries()) {
    taken.skippedItems.push({
      index,
      reason: 'not_registered',
      parked: parked[at] === true,
      path: `/body/events/${index}/pipelineId`,
      message: NOT_REGISTERED,
    })
  }
  taken.skippedItems.sort((a, b) => a.index - b.index)
  await countSkips(tx, orgId, nowMs, taken.skippedItems)
  return taken
}

function readItem(item: unknown, index: number, nowMs: number): RunEvent | FieldIssue {
  const at = `/body/events/${index}`
  const [issue] = problems(EventItem, item, at)
  if (issue !== undefined) return issue
  if (isDetailTooLarge(item as EventItem)) {
    return { path: `${at}/detail`, message: 'must be at most 8192 bytes of JSON', code: 'maxLength' }
  }
  return readEvent(item as EventItem, at, nowMs)
}

/** Counts the skipped items by reason, for the ingest health report. */
export async function countSkips(
  tx: Tx,
  orgId: string,
  nowMs: number,
  skipped: readonly { readonly reason: string }[],
): Promise<void> {
  const { reportSkips: t } = reportingTables(tx)
  const dayMs = Math.floor(nowMs / DAY_MS) * DAY_MS
  for (const [reason, { length }] of groupBy(skipped, ({ reason }) => reason)) {
    await tx
      .insert(t)
      .values({ orgId, dayMs, reason, items: length })
      .onConflictDoUpdate({ target: [t.orgId, t.dayMs, t.reason], set: { items: sql`${t.items} + ${length}` } })
  }
}
