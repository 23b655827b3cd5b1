/** What the delivery metrics are computed from. Instants in ms. */
import type { Status } from './ingest/event.js'

/** What one attempt did to one environment. */
export interface Deployment {
  readonly orgId: string
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
  /** The earliest commit that is known of it. */
  readonly committedAtMs: number | null
  readonly isRollback: boolean
  readonly isRework: boolean
}

export interface Mark {
  readonly pipelineId: string
  readonly executionId: string
  readonly environment: string
  readonly outcome: 'failed' | 'restored'
  readonly atMs: number
}

export interface Incident {
  readonly orgId: string
  readonly incidentId: string
  readonly environment: string
  readonly openedAtMs: number
  readonly resolvedAtMs: number | null
  /** Narrow which deployment caused it. */
  readonly pipelineId: string | null
  readonly sha: string | null
}

/** A link that a person set: it stays. */
export interface ManualLink {
  readonly orgId: string
  readonly incidentId: string
  readonly pipelineId: string
  readonly executionId: string
}

export interface DoraSettings {
  readonly incidentWindowHours: number
  /** The first one names the headline; all of them are it. */
  readonly headlineEnvironments: readonly string[]
  /** An older commit deployed again within 24 hours counts as a failure of what it replaced. */
  readonly rollbackFails: boolean
  /** Prefixes of refs whose deployments are rework. */
  readonly reworkRefs: readonly string[]
}

export const DEFAULT_DORA_SETTINGS: DoraSettings = {
  incidentWindowHours: 24,
  headlineEnvironments: ['production'],
  rollbackFails: false,
  reworkRefs: ['hotfix/', 'revert-'],
}

/** All that is known, from before the window too: links and redeploys look back. */
export interface History {
  readonly deployments: readonly Deployment[]
  readonly marks: readonly Mark[]
  readonly incidents: readonly Incident[]
  readonly links: readonly ManualLink[]
  readonly settings: DoraSettings
}

export interface Window {
  readonly fromMs: number
  readonly toMs: number
}

export const isWithin = (ms: number, { fromMs, toMs }: Window): boolean => ms >= fromMs && ms < toMs

/** Days of the window, at least one. */
export const daysOf = ({ fromMs, toMs }: Window): number => Math.max(1, (toMs - fromMs) / 86_400_000)

type Unit = Pick<Deployment, 'pipelineId' | 'executionId' | 'environment' | 'attempt'>
export const unitKey = ({ pipelineId, executionId, environment, attempt }: Unit): string =>
  `${pipelineId}\n${executionId}\n${environment}\n${attempt}`

/** A success without its attempt: marks and links name the execution. */
export const deployedKey = ({ pipelineId, executionId, environment }: Omit<Unit, 'attempt'>): string =>
  `${pipelineId}\n${executionId}\n${environment}`

/** By the instant of its end; ties by key, so that the order is the same everywhere. */
export function inOrder(one: Deployment, other: Deployment): number {
  const [a, b] = [one.completedAtMs ?? 0, other.completedAtMs ?? 0]
  return a === b ? (unitKey(one) < unitKey(other) ? -1 : 1) : a - b
}
