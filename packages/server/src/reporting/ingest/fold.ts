/**
 * Facts as a fold of events: `tell` adds an event to a step, and the outcome never depends on the order in which events come
 * or on how often. Each field is kept with the rank of the event that told it; a greater rank replaces it.
 *
 * INVARIANT: telling is commutative, associative and idempotent. `started` is the earliest; `committed` too.
 */
import { instantOf, isTerminal, type RunEvent, type Status } from './event.js'

/** Terminal before open, later before earlier, failed before canceled before superseded before succeeded, then the key. */
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

/** The fields that the greatest event tells. */
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

const FIELDS: readonly Field[] = [
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

/** The step with what the event says of it. */
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
  // Written in one order, so that equal steps are equal texts.
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

/** The steps of one execution with these events. */
export function foldEvents(steps: ReadonlyMap<string, Step>, events: readonly RunEvent[]): Map<string, Step> {
  const folded = new Map(steps)
  for (const event of events) {
    const key = stepKey(event)
    folded.set(key, tell(folded.get(key), event))
  }
  return folded
}

/** Milliseconds from the earliest beginning to the end that was told last; null while one is not known. */
export function durationOf({ startedAtMs, completedAtMs, durationMs }: Step): number | null {
  if (durationMs !== undefined) return durationMs
  if (startedAtMs === null || completedAtMs === undefined) return null
  return Math.max(0, completedAtMs - startedAtMs)
}

/** When a step began: as told, else its end less its duration, else its end. */
export const beginOf = (step: Step): number => step.startedAtMs ?? (step.completedAtMs ?? 0) - (step.durationMs ?? 0)

/** When a step ended; null while it runs. One that only says that it is over ended when it began. */
export const endOf = (step: Step): number | null =>
  step.status === undefined || !isTerminal(step.status) ? null : (step.completedAtMs ?? beginOf(step))
