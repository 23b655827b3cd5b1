/**
 * Days of which only sums are left: counts, rates and durations are what they were, and delivery metrics from sums are those from the
 * facts that remain.
 */

import { sweepFacts } from '../../src/reporting/sweep-facts.js'
import type { Runtime } from '../../src/runtime/operation/context.js'
import { type Api, compareRuns, compareWays, withDifferences } from './check.js'
import { type OracleEvent, type OracleWorld, runsOf } from './oracle.js'

const DAY = 86_400_000
const REPORTS = ['count', 'success-rate?interval=day', 'duration'] as const

export interface Sweeping {
  readonly runtime: Runtime
  readonly orgId: string
  readonly fromMs: number
  readonly toMs: number
  rollUp(): Promise<void>
}

/** @param days of facts that are kept. */
export async function afterSweep(api: Api, world: OracleWorld, days: number, sweeping: Sweeping): Promise<string[]> {
  const { runtime, orgId, fromMs, toMs } = sweeping
  const whole = { fromMs: Math.floor(fromMs / DAY) * DAY, toMs }
  const window = `from=${new Date(whole.fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`
  const read = () =>
    Promise.all(
      REPORTS.map((report) => api.get(`/reports/execution/${report}${report.includes('?') ? '&' : '?'}${window}`)),
    )
  const before = await read()
  const nowMs = runtime.clock.now() + (runtime.settings.REPORT_RETENTION_DAYS - days) * DAY
  const sweep = () => runtime.store.system.write((tx) => sweepFacts(tx, runtime, orgId, nowMs, 3))
  // A few rows at a time, with sums made in between: what is half swept says the same.
  while ((await sweep()) >= 3) await sweeping.rollUp()
  await sweeping.rollUp()
  const after = await read()
  const { found, same } = withDifferences()
  for (const [at, report] of REPORTS.entries()) same(`${report} after a sweep`, rounded(after[at]), rounded(before[at]))
  await compareWays(api, world, { window, ...whole, same })
  // What was told of a deleted run in time is told again as a further attempt, or as an end, of an open day.
  const late = lateOf(world, Math.floor((runtime.clock.now() - days * DAY) / DAY) * DAY)
  if (late.length === 0) return found
  await api.send('/reports/events', { events: late.map(({ sent }) => ({ eventSource: 'generic', ...sent })) })
  const told = { ...world, events: [...world.events, ...late.map(({ event }) => event)] }
  await compareRuns(api, told, { window, ...whole, same })
  await sweeping.rollUp()
  await compareRuns(api, told, { window, ...whole, same })
  return found
}

interface Late {
  /** The oracle knows the start of the run; the server heard of it before the sweep. */
  readonly event: OracleEvent
  readonly sent: Partial<OracleEvent>
}

function lateOf(world: OracleWorld, openMs: number): Late[] {
  const iso = (ms: number) => new Date(ms).toISOString()
  return runsOf(world)
    .filter(({ start }) => start < openMs)
    .slice(0, 6)
    .map(({ pipelineId, executionId, start }, at) => {
      const own = world.events.filter((each) => each.pipelineId === pipelineId && each.executionId === executionId)
      const attempt = Math.max(...own.filter((e) => e.eventType === 'PIPELINE').map((e) => e.attempt ?? 1))
      const completedAt = iso(openMs + (at + 2) * 60_000)
      const run = { pipelineId, executionId, eventType: 'PIPELINE', status: at % 4 < 2 ? 'FAILED' : 'SUCCEEDED' }
      const { startedAt: _, ...end } = { ...run, attempt, completedAt, startedAt: iso(start) }
      if (at % 2 === 0) return { event: { ...end, startedAt: iso(start) }, sent: end }
      const again = { ...run, attempt: attempt + 1, startedAt: iso(openMs + at * 60_000), completedAt }
      return { event: again, sent: again }
    })
}

/** Percentiles of a day that was swept come from bins, within 1 %. */
const rounded = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (key, value) => (/^(p\d+Ms|approximate)$/.test(key) ? undefined : value))
