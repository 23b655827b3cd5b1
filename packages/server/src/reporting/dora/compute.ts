/** The delivery metrics of a window, from a history. Pure. Source: spec platform 18. */
import type { Level } from '../metric/band.js'
import { worstOf } from '../metric/band.js'
import { type Deployment, daysOf, type Incident, inOrder, isWithin, type Mark, unitKey, type Window } from '../model.js'
import type { Judged } from './judge.js'
import type { Link } from './link.js'
import { frequencyOf, type Metric, medianMetric, rateOf, type Why } from './metric.js'

const STALE_MS = 24 * 3_600_000

/** What is known of what the report is about, for the reason of a missing value. */
export interface Scope {
  /** Registered pipelines that the filters leave. */
  readonly pipelines: number
  readonly hasEvents: boolean
  readonly parked: number
  /** The window was asked for from before what is kept. */
  readonly isClamped: boolean
  readonly nowMs: number
}

export interface Sorted {
  readonly succeeded: readonly Deployment[]
  readonly failed: readonly Deployment[]
  readonly canceled: readonly Deployment[]
  readonly running: readonly Deployment[]
  /** Open for a day: nobody told of their end. */
  readonly stale: readonly Deployment[]
}

/** The deployments of the window by what they count as: ended ones by their end, open ones by their beginning. */
export function sortedIn(deployments: readonly Deployment[], window: Window, nowMs: number): Sorted {
  const sorted: Record<keyof Sorted, Deployment[]> = { succeeded: [], failed: [], canceled: [], running: [], stale: [] }
  for (const each of [...deployments].sort(inOrder)) {
    if (!isWithin(each.completedAtMs ?? each.startedAtMs, window)) continue
    // guard: what-was-canceled-is-in-no-denominator
    if (each.status === 'succeeded' || each.status === 'failed') sorted[each.status].push(each)
    else if (each.status !== 'started') sorted.canceled.push(each)
    else sorted[each.startedAtMs <= nowMs - STALE_MS ? 'stale' : 'running'].push(each)
  }
  return sorted
}

export interface EnvironmentMetrics {
  readonly environment: string
  readonly sorted: Sorted
  readonly flagged: readonly Deployment[]
  readonly leadSamples: readonly { readonly deployment: Deployment; readonly seconds: number }[]
  readonly recoverySamples: readonly Recovery[]
  readonly deploymentFrequency: Metric
  readonly changeFailureRate: Metric
  /** DORA's own: of the successes alone. */
  readonly strictRate: Metric
  readonly leadTime: Metric & { readonly mean: number | null }
  readonly failedDeploymentRecovery: Metric & { readonly mean: number | null }
  readonly openRecoveries: number
  readonly reworkRate: Metric
}

export interface Recovery {
  readonly via: 'incident' | 'mark' | 'deployment'
  readonly fromMs: number
  readonly toMs: number
  readonly executionId: string | null
  readonly pipelineId: string | null
  readonly incidentId: string | null
}

export function environmentMetrics(
  judged: Judged,
  environment: string,
  window: Window,
  scope: Scope,
): EnvironmentMetrics {
  const own = judged.history.deployments.filter((each) => each.environment === environment)
  const sorted = sortedIn(own, window, scope.nowMs)
  const { succeeded, failed } = sorted
  const flagged = succeeded.filter((each) => judged.flagged.has(unitKey(each)))
  const why = whyNothing(judged, own, sorted, scope)
  const lead = leadSamples(judged, succeeded)
  const rework = succeeded.filter((each) => judged.rework.has(unitKey(each)))
  const { samples, open, unlinked } = recoveries(judged, environment, window)
  const attempts = succeeded.length + failed.length
  const whyNoLead = succeeded.length === 0 ? why : lead.undated > 0 ? 'no_commit_time' : 'only_redeploys'
  const whyNoRecovery = open.length > 0 ? 'unresolved_only' : unlinked > 0 ? 'no_link' : 'no_recovery'
  return {
    environment,
    sorted,
    flagged,
    leadSamples: lead.samples,
    recoverySamples: samples,
    deploymentFrequency: frequencyOf(succeeded.length, daysOf(window), why),
    changeFailureRate: rateOf(failed.length + flagged.length, attempts, why, true),
    strictRate: rateOf(flagged.length, succeeded.length, why, true),
    leadTime: medianMetric(
      lead.samples.map(({ seconds }) => seconds),
      succeeded.length,
      whyNoLead,
      'leadTime',
    ),
    failedDeploymentRecovery: medianMetric(samples.map(secondsOf), samples.length + open.length, whyNoRecovery, null),
    openRecoveries: open.length,
    reworkRate: rateOf(rework.length, succeeded.length, why, false),
  }
}

const secondsOf = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): number =>
  (toMs - fromMs) / 1000

/** Why there is nothing to count in an environment: exactly one reason, the one that has to be repaired first. */
function whyNothing(judged: Judged, own: readonly Deployment[], sorted: Sorted, scope: Scope): Why {
  if (scope.pipelines === 0 && !scope.hasEvents) return scope.parked > 0 ? 'parked' : 'no_pipelines'
  if (!scope.hasEvents) return scope.parked > 0 ? 'parked' : 'no_events'
  if (own.length === 0)
    return judged.history.deployments.length === 0 && scope.isClamped ? 'retention' : 'no_environment'
  if (sorted.failed.length > 0) return 'no_deployments'
  if (sorted.running.length + sorted.stale.length > 0) return 'still_running'
  if (sorted.canceled.length > 0) return 'all_canceled'
  return scope.isClamped ? 'retention' : 'not_in_range'
}

function leadSamples(judged: Judged, succeeded: readonly Deployment[]) {
  const samples: { deployment: Deployment; seconds: number }[] = []
  let undated = 0
  for (const deployment of succeeded) {
    if (dropsLead(judged, deployment) !== null) continue
    if (deployment.committedAtMs === null) undated++
    else {
      const seconds = Math.max(0, (deployment.completedAtMs as number) - deployment.committedAtMs) / 1000
      samples.push({ deployment, seconds })
    }
  }
  return { samples, undated }
}

/** Why a success says nothing about the time from commit to deployment, whatever is known of its commit. */
export const dropsLead = (judged: Judged, deployment: Deployment): 'rollback' | 'redeploy' | null =>
  deployment.isRollback ? 'rollback' : judged.redeployed.has(unitKey(deployment)) ? 'redeploy' : null

interface Recoveries {
  readonly samples: readonly Recovery[]
  readonly open: readonly Recovery[]
  /** Incidents that ended in the window and that no deployment explains. */
  readonly unlinked: number
}

/** Failures that a change caused, with when they were over: linked incidents, marks, and failed deployments until the next success. */
function recoveries(judged: Judged, environment: string, window: Window): Recoveries {
  const samples: Recovery[] = []
  const open: Recovery[] = []
  const explained = new Set<string>()
  let unlinked = 0
  for (const { incident, deployment } of judged.links) {
    if (incident.environment !== environment) continue
    const { openedAtMs, resolvedAtMs, incidentId } = incident
    if (deployment === null) {
      if (resolvedAtMs !== null && isWithin(resolvedAtMs, window)) unlinked++
      continue
    }
    explained.add(markKey(deployment))
    const { pipelineId, executionId } = deployment
    const recovery = { via: 'incident' as const, fromMs: openedAtMs, pipelineId, executionId, incidentId }
    if (resolvedAtMs !== null && isWithin(resolvedAtMs, window)) samples.push({ ...recovery, toMs: resolvedAtMs })
    else if (isOpen(incident, window)) open.push({ ...recovery, toMs: window.toMs })
  }
  for (const { failed, restored } of judged.restorations) {
    if (failed.environment !== environment || explained.has(markKey(failed)) || !isWithin(restored.atMs, window))
      continue
    const { pipelineId, executionId } = failed
    samples.push({ via: 'mark', fromMs: failed.atMs, toMs: restored.atMs, pipelineId, executionId, incidentId: null })
  }
  for (const { failed, by } of judged.recoveries) {
    const toMs = by.completedAtMs as number
    if (failed.environment !== environment || !isWithin(toMs, window)) continue
    const { pipelineId, executionId } = failed
    samples.push({
      via: 'deployment',
      fromMs: failed.completedAtMs as number,
      toMs,
      pipelineId,
      executionId,
      incidentId: null,
    })
  }
  return { samples, open, unlinked }
}

const markKey = ({
  pipelineId,
  executionId,
  environment,
}: Pick<Mark, 'pipelineId' | 'executionId' | 'environment'>): string => `${pipelineId}\n${executionId}\n${environment}`

/** Not over when the window ends. */
const isOpen = ({ openedAtMs, resolvedAtMs }: Incident, { toMs }: Window): boolean =>
  openedAtMs < toMs && (resolvedAtMs === null || resolvedAtMs >= toMs)

export interface RestoreMetrics {
  readonly metric: Metric & { readonly mean: number | null }
  readonly samples: readonly Recovery[]
  readonly open: readonly Link[]
  readonly uncorrelated: number
}

/** How long the headline environments were broken, whatever broke them. */
export function restoreMetrics(
  judged: Judged,
  environments: ReadonlySet<string>,
  window: Window,
  nowMs: number,
): RestoreMetrics {
  const samples: Recovery[] = []
  const open: Link[] = []
  const explained = new Set<string>()
  let uncorrelated = 0
  for (const link of judged.links) {
    const { incident, deployment } = link
    if (!environments.has(incident.environment)) continue
    if (deployment !== null) explained.add(markKey(deployment))
    const { openedAtMs, resolvedAtMs, incidentId } = incident
    const isOver = resolvedAtMs !== null && isWithin(resolvedAtMs, window)
    if (!isOver && !isOpen(incident, window)) continue
    if (deployment === null) uncorrelated++
    const of = { pipelineId: deployment?.pipelineId ?? null, executionId: deployment?.executionId ?? null, incidentId }
    if (isOver) samples.push({ via: 'incident', fromMs: openedAtMs, toMs: resolvedAtMs, ...of })
    else open.push(link)
  }
  for (const { failed, restored } of judged.restorations) {
    if (!environments.has(failed.environment) || explained.has(markKey(failed)) || !isWithin(restored.atMs, window))
      continue
    const { pipelineId, executionId } = failed
    samples.push({ via: 'mark', fromMs: failed.atMs, toMs: restored.atMs, pipelineId, executionId, incidentId: null })
  }
  const until = Math.min(window.toMs, nowMs)
  const openSeconds = open.map(({ incident }) => Math.max(0, until - incident.openedAtMs) / 1000)
  const why = open.length > 0 ? 'unresolved_only' : 'no_recovery'
  const metric = medianMetric(
    samples.map(secondsOf),
    samples.length + open.length,
    why,
    'meanTimeToRestore',
    openSeconds,
  )
  return { metric, samples, open, uncorrelated }
}

/** Environments that the headline is about: those of the settings, and those that a forge calls production. */
export function headlineOf({ deployments, settings }: Judged['history']): ReadonlySet<string> {
  const byTier = deployments.filter(({ tier }) => tier === 'production').map(({ environment }) => environment)
  return new Set([...settings.headlineEnvironments, ...byTier])
}

/** The worst band of the metrics that have one. */
export const overallLevel = (environments: readonly EnvironmentMetrics[], restore: Metric): Level | null =>
  worstOf([
    ...environments.flatMap(({ deploymentFrequency, changeFailureRate, leadTime }) => [
      deploymentFrequency.level,
      changeFailureRate.level,
      leadTime.level,
    ]),
    restore.level,
  ])
