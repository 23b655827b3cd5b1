/**
 * The stored form of events and steps: without the columns of their row, and with each rank once. Usually one event
 * sets all fields of a step, and its rank has two hashes; the in-memory form would be four times as long. Pure.
 */
import type { RunEvent } from './event.js'
import { FIELDS, type Rank, type Step, type Told } from './fold.js'

type Named = 'pipelineId' | 'executionId' | 'attempt' | 'stage' | 'action'

/** For each field, its value and the index of the rank of the event that set it. */
export interface KeptFold {
  readonly startedAtMs: number | null
  readonly committedAtMs: number | null
  readonly ranks: readonly Rank[]
  readonly told: { readonly [F in keyof Told]?: readonly [value: Told[F], rank: number] }
}

/** A step of a run, named within it. */
export interface KeptStep extends Pick<Step, 'attempt' | 'stage' | 'action'> {
  readonly fold: KeptFold
}

/** The fields have one order, so that equal steps serialize equally. */
export function keptFold({ startedAtMs, committedAtMs, ranks, ...step }: Step): KeptFold {
  const found: Rank[] = []
  const told: Record<string, readonly [unknown, number]> = {}
  for (const field of FIELDS) {
    const rank = ranks[field]
    if (rank === undefined) continue
    const known = found.findIndex((each) => each.every((part, at) => part === rank[at]))
    told[field] = [step[field], known === -1 ? found.push(rank) - 1 : known]
  }
  return { startedAtMs, committedAtMs, ranks: found, told: told as KeptFold['told'] }
}

/** @param row may be in the older form, which stored the whole step. */
export function stepOf({ fold, ...named }: Pick<Step, Named> & { readonly fold: KeptFold | Omit<Step, Named> }): Step {
  if (!('told' in fold)) return { ...fold, ...named }
  const { startedAtMs, committedAtMs } = fold
  const told: Record<string, unknown> = {}
  const ranks: Record<string, Rank> = {}
  for (const [field, [value, rank]] of Object.entries(fold.told)) {
    told[field] = value
    ranks[field] = fold.ranks[rank] as Rank
  }
  return { ...named, startedAtMs, committedAtMs, ...told, ranks }
}

type Columns = 'pipelineId' | 'executionId' | 'key' | 'hash'
export type KeptEvent = Partial<RunEvent>

export function keptEvent(event: RunEvent): KeptEvent {
  const { pipelineId: _, executionId: __, key: ___, hash: ____, ...said } = event
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null))
}

const UNTOLD = {
  startedAtMs: null,
  completedAtMs: null,
  durationMs: null,
  environment: null,
  tier: null,
  sha: null,
  ref: null,
  committedAtMs: null,
  commitCount: null,
  error: null,
  isRollback: null,
  isRework: null,
} satisfies Partial<RunEvent>

/** @param row may be in the older form, which stored the whole event. */
export function eventOf({ event, ...columns }: Pick<RunEvent, Columns> & { readonly event: KeptEvent }): RunEvent {
  return { ...UNTOLD, ...event, ...columns } as RunEvent
}
