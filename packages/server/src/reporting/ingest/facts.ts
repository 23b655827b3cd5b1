/** Derives facts from the steps of one execution: the execution by its highest attempt, and its deployments. Pure. */
import { isTerminal, type Status } from './event.js'
import { beginOf, durationOf, endOf, type Step } from './fold.js'

export interface ExecutionFact {
  readonly pipelineId: string
  readonly executionId: string
  readonly attempt: number
  readonly status: Status
  readonly startedAtMs: number
  readonly completedAtMs: number | null
  readonly durationMs: number | null
  readonly sha: string | null
  readonly ref: string | null
  readonly committedAtMs: number | null
  readonly error: string | null
}

/** The unit of the metrics: one attempt of one execution in one environment. */
export interface DeploymentFact {
  readonly pipelineId: string
  readonly executionId: string
  readonly attempt: number
  readonly environment: string
  readonly tier: string | null
  readonly status: Status
  readonly startedAtMs: number
  /** Null while it runs. */
  readonly completedAtMs: number | null
  readonly sha: string | null
  readonly ref: string | null
  /** The time of its earliest known commit. */
  readonly committedAtMs: number | null
  readonly isRollback: boolean
  readonly isRework: boolean
}

/** The highest attempt wins. Null when only stages were reported. */
export function executionOf(steps: readonly Step[]): ExecutionFact | null {
  const runs = steps.filter(({ stage, status }) => stage === '' && status !== undefined)
  // guard: the-highest-attempt-wins
  const run = runs.reduce<Step | undefined>(
    (best, each) => (best && best.attempt >= each.attempt ? best : each),
    undefined,
  )
  if (run?.status === undefined) return null
  const { pipelineId, executionId, attempt, status } = run
  const own = steps.filter((step) => step.attempt === attempt).sort(byName)
  return {
    pipelineId,
    executionId,
    attempt,
    status,
    startedAtMs: beginOf(run),
    completedAtMs: endOf(run),
    durationMs: isTerminal(status) ? durationOf(run) : null,
    sha: firstOf([run, ...own], 'sha'),
    ref: firstOf([run, ...own], 'ref'),
    committedAtMs: earliestCommit(own),
    error: run.error ?? null,
  }
}

/** Failed if one of its steps failed, else succeeded if one succeeded, else open, canceled or superseded. */
export function deploymentsOf(steps: readonly Step[]): DeploymentFact[] {
  const units = new Map<string, Step[]>()
  for (const step of steps) {
    if (step.environment === undefined || step.status === undefined) continue
    const key = JSON.stringify([step.attempt, step.environment])
    units.set(key, [...(units.get(key) ?? []), step])
  }
  return [...units.values()].map((unit) => deploymentOf(unit, steps))
}

function deploymentOf(unit: readonly Step[], all: readonly Step[]): DeploymentFact {
  const { pipelineId, executionId, attempt, environment } = unit[0] as Step
  const ends = unit.map(endOf)
  const ordered = [...unit].sort(byName)
  const near = [...ordered, ...all.filter((step) => step.attempt === attempt && step.stage === '')]
  const status = statusOfUnit(unit)
  return {
    pipelineId,
    executionId,
    attempt,
    environment: environment as string,
    tier: firstOf(ordered, 'tier'),
    status,
    startedAtMs: Math.min(...unit.map(beginOf)),
    completedAtMs: isTerminal(status) ? Math.max(...ends.map((end) => end ?? 0)) : null,
    sha: firstOf(near, 'sha'),
    ref: firstOf(near, 'ref'),
    committedAtMs: earliestCommit(near),
    isRollback: unit.some(({ isRollback }) => isRollback === true),
    isRework: unit.some(({ isRework }) => isRework === true),
  }
}

const nameOf = ({ stage, action }: Step): string => JSON.stringify([stage, action])
const byName = (one: Step, other: Step): number => (nameOf(one) < nameOf(other) ? -1 : 1)

function statusOfUnit(unit: readonly Step[]): Status {
  const has = (status: Status) => unit.some((step) => step.status === status)
  if (has('failed')) return 'failed'
  if (has('succeeded')) return 'succeeded'
  if (has('started')) return 'started'
  return has('canceled') ? 'canceled' : 'superseded'
}

function firstOf<F extends 'sha' | 'ref' | 'tier'>(steps: readonly Step[], field: F): string | null {
  return steps.find((step) => step[field] !== undefined)?.[field] ?? null
}

function earliestCommit(steps: readonly Step[]): number | null {
  const known = steps.flatMap(({ committedAtMs }) => (committedAtMs === null ? [] : [committedAtMs]))
  return known.length === 0 ? null : Math.min(...known)
}
