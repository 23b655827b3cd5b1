/**
 * Facts as a fold of events: `tell` adds an event to a step, and the result does not depend on the order or repetition
 * of events. Each field is stored with the rank of the event that set it; an event with a greater rank replaces it.
 *
 * INVARIANT: `tell` is commutative, associative and idempotent. `started` keeps the earliest value; so does
 * `committed`.
 */
import { instantOf, isTerminal, type RunEvent, type Status } from './event.js'

/** Ended before open, later before earlier, failed before canceled before superseded before succeeded, then the key. */
export type Rank = readonly [terminal: 0 | 1, instantMs: number, severity: number, key: string, hash: string]

const SEVERITY: Readonly<Record<Status, number>> = { started: 0, succeeded: 1, superseded: 2, canceled: 3, failed: 4 }

export const rankOf = (event: RunEvent): Rank => [
  isTerminal(event.status) ? 1 : 0,
  instantOf(event),
  SEVERITY[event.status],
  event.key,
  event.hash,
]

export function compareRanks(one: Rank, other: Rank): number {
  for (const at of [0, 1, 2, 3, 4] as const) {
    const [a, b] = [one[at], other[at]]
    if (a !== b) return a < b ? -1 : 1
  }
  return 0
}

/** The fields that come from the event with the greatest rank. */
export interface Told {
  readonly status: Status
  readonly completedAtMs: number
  readonly durationMs: number
  readonly environment: string
  readonly tier: string
  readonly sha: string
  readonly ref: string
  readonly commitCount: number
  readonly error: string
  readonly isRollback: boolean
  readonly isRework: boolean
}
type Field = keyof Told

export const FIELDS: readonly Field[] = [
  'status',
  'completedAtMs',
  'durationMs',
  'environment',
  'tier',
  'sha',
  'ref',
  'commitCount',
  'error',
  'isRollback',
  'isRework',
]

export type Ranks = { readonly [F in Field]?: Rank }

/** A run of a pipeline, or a stage or action of it, in one attempt. */
export interface Step extends Partial<Told> {
  readonly pipelineId: string
  readonly executionId: string
  readonly attempt: number
  /** Empty for the run itself. */
  readonly stage: string
  readonly action: string
  readonly startedAtMs: number | null
  readonly committedAtMs: number | null
  readonly ranks: Ranks
}

const earliest = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.min(one, other)

/** The step after the event. */
export function tell(step: Step | undefined, event: RunEvent): Step {
  const { pipelineId, executionId, attempt, stage, action } = event
  const before: Step = step ?? {
    pipelineId,
    executionId,
    attempt,
    stage,
    action,
    startedAtMs: null,
    committedAtMs: null,
    ranks: {},
  }
  const rank = rankOf(event)
  const told: Record<string, unknown> = {}
  const ranks: Record<string, Rank> = {}
  // Fields are set in one order, so that equal steps serialize equally.
  for (const field of FIELDS) {
    const value = event[field]
    const known = before.ranks[field]
    if (value !== null && (known === undefined || compareRanks(known, rank) < 0)) {
      told[field] = value
      ranks[field] = rank
    } else if (known !== undefined) {
      told[field] = before[field]
      ranks[field] = known
    }
  }
  return {
    pipelineId,
    executionId,
    attempt,
    stage,
    action,
    startedAtMs: earliest(before.startedAtMs, event.startedAtMs),
    committedAtMs: earliest(before.committedAtMs, event.committedAtMs),
    ...told,
    ranks,
  }
}

export const stepKey = ({ attempt, stage, action }: Pick<Step, 'attempt' | 'stage' | 'action'>): string =>
  JSON.stringify([attempt, stage, action])

/** The steps of one execution after these events. */
export function foldEvents(steps: ReadonlyMap<string, Step>, events: readonly RunEvent[]): Map<string, Step> {
  const folded = new Map(steps)
  for (const event of events) {
    const key = stepKey(event)
    folded.set(key, tell(folded.get(key), event))
  }
  return folded
}

/** Milliseconds from the earliest start to the last reported end; null while one of them is unknown. */
export function durationOf({ startedAtMs, completedAtMs, durationMs }: Step): number | null {
  if (durationMs !== undefined) return durationMs
  if (startedAtMs === null || completedAtMs === undefined) return null
  return Math.max(0, completedAtMs - startedAtMs)
}

/** When a step started: as reported, else its end minus its duration, else its end. */
export const beginOf = (step: Step): number => step.startedAtMs ?? (step.completedAtMs ?? 0) - (step.durationMs ?? 0)

/** When a step ended; null while it runs. A step that only reports that it is over ended when it started. */
export const endOf = (step: Step): number | null =>
  step.status === undefined || !isTerminal(step.status) ? null : (step.completedAtMs ?? beginOf(step))
