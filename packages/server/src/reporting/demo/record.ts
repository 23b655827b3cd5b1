/** Stores the generated deliveries of the demo through the same code as received events, with incidents and marks. */
import type { Runtime } from '../../runtime/operation/context.js'
import { takeEvents } from '../event/take.js'
import { storeIncident } from '../incident/store.js'
import { EVENTS_MAX } from '../ingest/schema.js'
import { reportingTables } from '../tables.js'
import { type DemoPipeline, demoHistory } from './history.js'

const SEED = 19
const DAYS = 90

/** @param pipelines live and registered pipelines of the organization. */
export async function recordDemoHistory(
  runtime: Runtime,
  orgId: string,
  pipelines: readonly DemoPipeline[],
): Promise<void> {
  const nowMs = runtime.clock.now()
  const { events, incidents, marks } = demoHistory(pipelines, { seed: SEED, days: DAYS, nowMs })
  await runtime.store.system.write(async (tx) => {
    for (let from = 0; from < events.length; from += EVENTS_MAX) {
      await takeEvents(tx, events.slice(from, from + EVENTS_MAX), { runtime, orgId, orgIds: [orgId], nowMs })
    }
    for (const incident of incidents) await storeIncident(tx, orgId, incident, nowMs)
    const rows = marks.flatMap(({ failedMs, restoredMs, ...of }) =>
      ([['failed', failedMs] as const, ['restored', restoredMs] as const] as const).map(([outcome, atMs]) => ({
        ...of,
        orgId,
        outcome,
        atMs,
        note: null,
        markedBy: null,
        createdMs: nowMs,
      })),
    )
    if (rows.length > 0) await tx.insert(reportingTables(tx).reportOutcomes).values(rows)
  })
}
