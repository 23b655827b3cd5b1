/**
 * Stores the content of a verified delivery: events of known pipelines, parked events of unknown ones, commits,
 * incidents.
 */
import { and, eq } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import { findPort } from '../../runtime/port.js'
import { deployedPipelinesPort } from '../../runtime/records/deployed-pipelines.js'
import type { Tx } from '../../runtime/store/db.js'
import { countSkips, takeEvents } from '../event/take.js'
import { noteCommits } from '../event-store.js'
import { groupBy } from '../group.js'
import { endIncident, faultOf, storeIncident } from '../incident/store.js'
import { readEvent } from '../ingest/event.js'
import { EVENTS_MAX } from '../ingest/schema.js'
import { parkEvents, replayParked } from '../parked/park.js'
import { keptFrom, retentionOfOrg } from '../retention.js'
import { reportingTables, type SourceRow } from '../tables.js'
import type { Heard, HeardRun } from './common-form.js'
import { pipelineOf } from './resolve.js'

export interface Delivered {
  inserted: number
  duplicates: number
  skipped: number
  parked: number
  commits: number
  incidents: number
  /** The names of unknown pipelines whose events are parked. */
  parkedRefs: string[]
  /** Why some or all of it was not stored. */
  note: string | null
}

export interface Delivering {
  readonly runtime: Runtime
  readonly source: SourceRow
  readonly nowMs: number
}

const NOTE_MAX = 500

export async function takeHeard(tx: Tx, heard: Heard, delivering: Delivering): Promise<Delivered> {
  const { source, nowMs } = delivering
  const done: Delivered = {
    inserted: 0,
    duplicates: 0,
    skipped: 0,
    parked: 0,
    commits: heard.commits.length,
    incidents: 0,
    parkedRefs: [],
    note: heard.ignored === null ? null : `ignored: ${heard.ignored}`,
  }
  for (const [ref, runs] of groupBy(heard.runs, (run) => run.ref)) await takeRuns(tx, ref, runs, delivering, done)
  await noteCommits(
    tx,
    source.orgId,
    heard.commits.map(({ sha, committedAtMs }) => ({ sha, committedAtMs })),
  )
  for (const incident of heard.incidents) {
    const fault = faultOf(incident, nowMs)
    if (fault === null) {
      await storeIncident(tx, source.orgId, incident, nowMs)
      done.incidents++
    } else note(done, `${fault.field} ${fault.message}`)
  }
  for (const ended of heard.ended) {
    if (await endIncident(tx, source.orgId, ended, nowMs)) done.incidents++
    else note(done, 'ignored: ends no open incident')
  }
  return done
}

async function takeRuns(
  tx: Tx,
  ref: string,
  runs: readonly HeardRun[],
  { runtime, source, nowMs }: Delivering,
  done: Delivered,
): Promise<void> {
  const { orgId } = source
  const pipelineId = await pipelineOf(tx, runtime, source, ref)
  if (pipelineId === null) return parkRuns(tx, ref, runs, { runtime, source, nowMs }, done)
  const items = runs.map(({ item }) => ({ pipelineId, ...item }))
  for (let from = 0; from < items.length; from += EVENTS_MAX) {
    const batch = items.slice(from, from + EVENTS_MAX)
    const taken = await takeEvents(tx, batch, { runtime, orgId, orgIds: [orgId], nowMs })
    done.inserted += taken.inserted
    done.duplicates += taken.duplicates + taken.conflicts
    done.parked += taken.parked
    done.skipped += taken.skippedItems.length - taken.parked
    for (const { path, message } of taken.skippedItems)
      note(done, `${path?.split('/').slice(4).join('.') ?? ''} ${message}`)
  }
}

async function parkRuns(
  tx: Tx,
  ref: string,
  runs: readonly HeardRun[],
  { source, nowMs }: Delivering,
  done: Delivered,
): Promise<void> {
  // The pipeline is unknown, so the event is stored without its id.
  const events = runs.flatMap(({ item }) => {
    const event = readEvent({ pipelineId: '', ...item }, '', nowMs)
    return 'message' in event ? [] : [{ pipelineRef: ref, event }]
  })
  const parked = (await parkEvents(tx, events, { orgId: source.orgId, sourceId: source.id, nowMs })).filter(
    Boolean,
  ).length
  done.parked += parked
  done.skipped += runs.length - parked
  done.parkedRefs.push(ref)
  note(done, `no pipeline, or more than one, builds from ${ref}: register it, or map it to one of them`)
  await countSkips(
    tx,
    source.orgId,
    nowMs,
    runs.map(() => ({ reason: 'not_registered' })),
  )
}

function note(done: Delivered, text: string): void {
  done.note ??= text.trim().slice(0, NOTE_MAX)
}

/** Stores the parked events of this source whose pipeline its mapping now names. */
export async function replaySource(tx: Tx, { runtime, source, nowMs }: Delivering): Promise<number> {
  const { reportParked: t } = reportingTables(tx)
  const rows = await tx
    .selectDistinct({ ref: t.pipelineRef })
    .from(t)
    .where(and(eq(t.orgId, source.orgId), eq(t.sourceId, source.id)))
  const refs = rows.map(({ ref }) => ref).sort()
  const keptFromMs = keptFrom((await retentionOfOrg(tx, runtime, source.orgId, nowMs)).eventDays, nowMs)
  const { orgId } = source
  let told = 0
  for (const ref of refs) {
    const pipelineId = await pipelineOf(tx, runtime, source, ref)
    if (pipelineId === null) continue
    const registered = await findPort(runtime, deployedPipelinesPort)?.registered(tx, [orgId], [pipelineId])
    // The mapping names a pipeline that is not registered yet; its registration stores the events.
    if (registered?.has(pipelineId) !== true) continue
    const stored = await replayParked(tx, { orgId, sourceId: source.id, ref }, pipelineId, { orgId, nowMs, keptFromMs })
    told += stored.inserted
  }
  return told
}
