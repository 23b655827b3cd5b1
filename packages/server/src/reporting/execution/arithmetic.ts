/** Arithmetic over executions and their steps. Pure: the same for every database. Source: spec platform 18. */
import { groupBy } from '../group.js'
import type { Bucket, IntervalName } from '../metric/bucket.js'
import { byBucket } from '../metric/bucket.js'
import { ascending, percentileOf, rounded } from '../metric/percentile.js'
import type { Execution, StepFact } from '../report/facts.js'

export interface Outcomes {
  readonly succeeded: number
  readonly failed: number
  /** Includes superseded runs. */
  readonly canceled: number
  readonly inProgress: number
  /** Open for a day without an end event. Such runs count in no rate. */
  readonly stale: number
}

export const NONE: Outcomes = { succeeded: 0, failed: 0, canceled: 0, inProgress: 0, stale: 0 }

/** A percentage with one decimal; null for a zero denominator. */
export const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : rounded((100 * part) / whole, 1)

export interface Durations {
  readonly avgMs: number | null
  readonly minMs: number | null
  readonly maxMs: number | null
  readonly p50Ms: number | null
  readonly p90Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
}

export function durationsOf(items: readonly { readonly durationMs: number | null }[]): Durations {
  const sorted = ascending(items.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs])))
  if (sorted.length === 0)
    return { avgMs: null, minMs: null, maxMs: null, p50Ms: null, p90Ms: null, p95Ms: null, p99Ms: null }
  const at = (fraction: number) => rounded(percentileOf(sorted, fraction), 1)
  const avg = sorted.reduce((sum, each) => sum + each, 0) / sorted.length
  return {
    avgMs: rounded(avg, 1),
    minMs: sorted[0] as number,
    maxMs: sorted.at(-1) as number,
    p50Ms: at(0.5),
    p90Ms: at(0.9),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
  }
}

export const isOver = ({ status }: Pick<Execution, 'status'>): boolean => status === 'succeeded' || status === 'failed'

/** The counts of a day. */
interface Counts extends Pick<Outcomes, 'succeeded' | 'failed' | 'canceled'> {
  /** An instant of the day that is in the window. */
  readonly atMs: number
}

export function ratesOver(days: readonly Counts[], buckets: readonly Bucket[], interval: IntervalName) {
  const summed = byBucket(buckets, interval, days, ({ atMs }) => atMs)
  return buckets.map(({ period, partial }, at) => {
    const own = summed[at] ?? []
    const sum = (key: 'succeeded' | 'failed' | 'canceled') => own.reduce((all, each) => all + each[key], 0)
    const [succeeded, failed, canceled] = [sum('succeeded'), sum('failed'), sum('canceled')]
    const over = succeeded + failed
    return {
      period,
      partial,
      succeeded,
      failed,
      canceled,
      successPct: percentOf(succeeded, over),
      failurePct: percentOf(failed, over),
    }
  })
}

/** One run of a stage: everything that the stage and its actions report in one execution. */
export interface StageRun {
  readonly orgId: string
  readonly pipelineId: string
  readonly executionId: string
  readonly stage: string
  readonly isFailed: boolean
  readonly isSucceeded: boolean
  readonly startedMs: number
  readonly durationMs: number | null
}

/** The reported stages; a stage with events only from its actions is derived from these. */
export function stageRuns(steps: readonly StepFact[]): StageRun[] {
  const runs = groupBy(
    steps.filter(({ stage }) => stage !== ''),
    ({ pipelineId, executionId, stage }) => `${pipelineId}\n${executionId}\n${stage}`,
  )
  return [...runs.values()].map((all) => {
    const own = all.filter(({ action }) => action === '')
    const told = own.length > 0 ? own : all
    const [first] = told as [StepFact]
    const isFailed = told.some(({ status }) => status === 'failed')
    const known = told.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]))
    return {
      orgId: first.orgId,
      pipelineId: first.pipelineId,
      executionId: first.executionId,
      stage: first.stage,
      isFailed,
      isSucceeded: !isFailed && told.some(({ status }) => status === 'succeeded'),
      startedMs: Math.min(...told.map(({ startedMs }) => startedMs)),
      durationMs: known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0),
    }
  })
}

export const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
