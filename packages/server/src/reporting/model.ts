/** The input of the delivery metrics. Instants in ms. */
import type { DeploymentFact } from './ingest/facts.js'

export interface Deployment extends DeploymentFact {
  readonly orgId: string
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
  /** These fields narrow which deployment caused the incident. */
  readonly pipelineId: string | null
  readonly sha: string | null
}

/** A link that a person set; it is never recomputed. */
export interface ManualLink {
  readonly orgId: string
  readonly incidentId: string
  readonly pipelineId: string
  readonly executionId: string
}

export interface DoraSettings {
  readonly incidentWindowHours: number
  /** The headline environments; the first one gives the headline its name. */
  readonly headlineEnvironments: readonly string[]
  /** Whether a replaced deployment counts as a failure when an older commit is deployed again within 24 hours. */
  readonly rollbackFails: boolean
  /** Prefixes of refs whose deployments count as rework. */
  readonly reworkRefs: readonly string[]
}

export const DEFAULT_DORA_SETTINGS: DoraSettings = {
  incidentWindowHours: 24,
  headlineEnvironments: ['production'],
  rollbackFails: false,
  reworkRefs: ['hotfix/', 'revert-'],
}

/** The known facts, including those before the window, because links and redeploys look back. */
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

/** The length of the window in days, at least one. */
export const daysOf = ({ fromMs, toMs }: Window): number => Math.max(1, (toMs - fromMs) / 86_400_000)

type Unit = Pick<Deployment, 'pipelineId' | 'executionId' | 'environment' | 'attempt'>
export const unitKey = ({ pipelineId, executionId, environment, attempt }: Unit): string =>
  `${pipelineId}\n${executionId}\n${environment}\n${attempt}`

/** The key of a success without its attempt, because marks and links name only the execution. */
export const deployedKey = ({ pipelineId, executionId, environment }: Omit<Unit, 'attempt'>): string =>
  `${pipelineId}\n${executionId}\n${environment}`

/** Orders by end, and then by key, so that the order is the same everywhere. */
export function inOrder(one: Deployment, other: Deployment): number {
  const [a, b] = [one.completedAtMs ?? 0, other.completedAtMs ?? 0]
  return a === b ? (unitKey(one) < unitKey(other) ? -1 : 1) : a - b
}

/** Whether a deployment of this ref counts as rework by the ref's name. @param prefixes from the settings. */
export const isReworkRef = (ref: string | null, prefixes: readonly string[]): boolean => {
  const name = ref?.replace(/^refs\/(?:heads|tags)\//, '')
  return name !== undefined && prefixes.some((prefix) => name.startsWith(prefix))
}
