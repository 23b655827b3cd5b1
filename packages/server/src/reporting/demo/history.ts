/** The generated deliveries of the demo: the same for the same seed, names and day. Pure. */
import { DAY_MS, HOUR_MS, MINUTE_MS, toIso } from '../../runtime/clock.js'
import type { SentIncident } from '../incident/store.js'
import type { EventItem } from '../ingest/schema.js'
import { dayStart } from '../metric/bucket.js'

export interface DemoPipeline {
  readonly id: string
  readonly name: string
}

export interface DemoMark {
  readonly pipelineId: string
  readonly executionId: string
  readonly environment: string
  readonly failedMs: number
  readonly restoredMs: number
}

export interface DemoHistory {
  readonly events: readonly EventItem[]
  readonly incidents: readonly SentIncident[]
  readonly marks: readonly DemoMark[]
}

/** Random numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Making {
  readonly chance: () => number
  readonly between: (low: number, high: number) => number
}

/** Ends with the day before `nowMs`. Tests fail less often from month to month, so that the reports show a trend. */
export function demoHistory(
  pipelines: readonly DemoPipeline[],
  { seed, days, nowMs }: { readonly seed: number; readonly days: number; readonly nowMs: number },
): DemoHistory {
  const chance = randomOf(seed)
  const between = (low: number, high: number) => low + Math.floor(chance() * (high - low))
  const endMs = dayStart(nowMs)
  const all = pipelines.flatMap((pipeline) => {
    let isBroken = false
    return Array.from({ length: days }, (_, at) => at).flatMap((day) => {
      const startMs = endMs - (days - day) * DAY_MS
      return Array.from({ length: between(0, 3) }, (__, nth) => {
        const beginMs = startMs + between(7 * 60, 12 * 60) * MINUTE_MS + nth * 4 * HOUR_MS
        const name = `${pipeline.name}-${day + 1}-${nth + 1}`
        const run = demoRun({ chance, between }, { pipeline, name, beginMs, isBroken, progress: day / days })
        isBroken = !run.isGood
        return run
      })
    })
  })
  return {
    events: all.flatMap(({ events }) => events),
    incidents: all.flatMap(({ incident }) => incident ?? []),
    marks: all.flatMap(({ mark }) => mark ?? []),
  }
}

interface Planned {
  readonly pipeline: DemoPipeline
  readonly name: string
  readonly beginMs: number
  /** Whether the previous run failed, so that this one repairs it. */
  readonly isBroken: boolean
  /** The position in the history, 0 to 1. */
  readonly progress: number
}

const ERRORS = ['3 tests failed in checkout.test.ts', 'Timed out after 600 s', 'npm ERR! 404 Not Found'] as const

function demoRun({ chance, between }: Making, { pipeline, name, beginMs, isBroken, progress }: Planned) {
  const { id: pipelineId } = pipeline
  const of = { pipelineId, executionId: name, eventSource: 'generic' as const }
  const commit = {
    commitSha: Array.from({ length: 40 }, () => between(0, 16).toString(16)).join(''),
    commitTimestamp: toIso(beginMs - between(10, isBroken ? 90 : 2400) * MINUTE_MS),
    commitRef: isBroken ? `hotfix/${name}` : 'main',
  }
  const events: EventItem[] = []
  let atMs = beginMs
  const stage = (stageName: string, odds: number, environment?: 'staging' | 'production'): boolean => {
    const startedAt = toIso(atMs)
    atMs += between(60, 600) * 1000
    const isGood = chance() < odds
    events.push({
      ...of,
      ...(environment === undefined ? {} : { ...commit, environment, environmentTier: environment }),
      eventType: 'STAGE',
      stageName,
      status: isGood ? 'SUCCEEDED' : 'FAILED',
      startedAt,
      completedAt: toIso(atMs),
      ...(isGood ? {} : { errorMessage: ERRORS[between(0, ERRORS.length)] as string }),
    })
    return isGood
  }
  const isGood =
    stage('build', 0.98) &&
    stage('test', 0.85 + 0.12 * progress) &&
    stage('deploy to staging', 0.98, 'staging') &&
    stage('deploy to production', 0.9 + 0.07 * progress, 'production')
  const status = isGood ? 'SUCCEEDED' : 'FAILED'
  events.push({ ...of, eventType: 'PIPELINE', status, startedAt: toIso(beginMs), completedAt: toIso(atMs) })
  const fate = isGood ? chance() : 1
  const brokeMs = atMs + between(5, 90) * MINUTE_MS
  const repairedMs = brokeMs + between(10, 300) * MINUTE_MS
  const incident: SentIncident = {
    incidentId: `demo-${name}`,
    environment: 'production',
    openedAt: toIso(brokeMs),
    resolvedAt: toIso(repairedMs),
    severity: 'high',
    title: `${pipeline.name} answers slowly`,
  }
  const mark: DemoMark = {
    pipelineId,
    executionId: name,
    environment: 'production',
    failedMs: brokeMs,
    restoredMs: repairedMs,
  }
  return { isGood, events, incident: fate < 0.05 ? incident : null, mark: fate >= 0.05 && fate < 0.08 ? mark : null }
}
