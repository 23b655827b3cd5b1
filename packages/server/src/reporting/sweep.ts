/**
 * Deletes events and facts after their retention, parked events whose pipeline was not registered within a week, old
 * counts of skipped items, forwarders that are gone, and old builds.
 */
import { lt } from 'drizzle-orm'
import { DAY_MS } from '../runtime/clock.js'
import { defineJob, defineSchedule } from '../runtime/jobs/define.js'
import { none } from '../runtime/operation/operation.js'
import { strictObject } from '../runtime/operation/schema.js'
import type { Tx } from '../runtime/store/db.js'
import { PARKED_MS } from './parked/park.js'
import { removeSome } from './registration.js'
import { WINDOW_DAYS_MAX } from './retention.js'
import { organizationsWithFacts, sweepFacts } from './sweep-facts.js'
import { reportingTables } from './tables.js'

const KIND = 'reporting.sweep'
const BATCH = 500
const SKIPS_KEPT_MS = 30 * DAY_MS
/** A forwarder that was switched off for good would be told as stale for ever. */
export const SILENT_MS = 30 * DAY_MS

export const sweepReportsJob = defineJob({
  kind: KIND,
  payload: strictObject({}),
  audit: none('what is removed had ended by itself'),
  concurrency: 1,
  async run(context) {
    for (;;) {
      const removed = await context.write(({ tx, nowMs }) => sweepWaiting(tx, nowMs, BATCH))
      if (removed < BATCH) break
    }
    for (const orgId of await context.read((db) => organizationsWithFacts(db))) {
      for (;;) {
        const { runtime } = context
        const removed = await context.write(({ tx, nowMs }) => sweepFacts(tx, runtime, orgId, nowMs, BATCH))
        if (removed < BATCH) break
      }
    }
  },
})

export const sweepReportsSchedule = defineSchedule({ name: KIND, kind: KIND, everyMs: 3_600_000, payload: {} })

/** Deletes at most `rowsMax` rows of each table. @returns the largest number of one table. */
export async function sweepWaiting(tx: Tx, nowMs: number, rowsMax: number): Promise<number> {
  const { reportParked: p, reportSkips: s, reportBuilds: b, reportDeliveries: d, reportHealth: h } = reportingTables(tx)
  const parked = await removeSome(
    tx,
    p,
    [p.orgId, p.pipelineRef, p.key, p.hash],
    lt(p.receivedMs, nowMs - PARKED_MS),
    rowsMax,
  )
  const skips = await removeSome(tx, s, [s.orgId, s.dayMs, s.reason], lt(s.dayMs, nowMs - SKIPS_KEPT_MS), rowsMax)
  const long = lt(b.finishedMs, nowMs - WINDOW_DAYS_MAX * DAY_MS)
  const builds = await removeSome(tx, b, [b.orgId, b.jobId], long, rowsMax)
  const old = lt(d.receivedMs, nowMs - PARKED_MS)
  const deliveries = await removeSome(tx, d, [d.orgId, d.sourceId, d.id], old, rowsMax)
  // guard: a-forwarder-that-is-gone-is-forgotten
  const gone = await removeSome(tx, h, [h.orgId, h.client, h.instance], lt(h.updatedMs, nowMs - SILENT_MS), rowsMax)
  return Math.max(parked, skips, builds, deliveries, gone)
}
