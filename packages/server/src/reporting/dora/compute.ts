/** The delivery metrics of a window, from a history. Pure. Source: spec platform 18. */
import type { Level } from '../metric/band.js'
import { worstOf } from '../metric/band.js'
import { EXACT_MAX, partOf, type Sample, sampleOf, sampleOfValues, withMore } from '../metric/sample.js'
import {
  type Deployment,
  type DoraSettings,
  daysOf,
  type Incident,
  inOrder,
  isWithin,
  type Mark,
  unitKey,
  type Window,
} from '../model.js'
import type { Judged } from './judge.js'
import type { Link } from './link.js'
import { frequencyOf, type MedianMetric, type Metric, medianMetric, rateOf, type Why } from './metric.js'

export const STALE_MS = 24 * 3_600_000

/** What is known about the scope of a report, to explain a missing value. */
export interface Scope {
  /** Registered pipelines that match the filters. */
  readonly pipelines: number
  readonly hasEvents: boolean
  readonly parked: number
  /** Whether the requested window starts before the retained data. */
  readonly isClamped: boolean
  readonly nowMs: number
}

export interface Sorted {
  readonly succeeded: readonly Deployment[]
  readonly failed: readonly Deployment[]
  readonly canceled: readonly Deployment[]
  readonly running: readonly Deployment[]
  /** Open for a day without an end event. */
  readonly stale: readonly Deployment[]
}

/**
 * Groups the deployments of the window by outcome. Ended ones belong to the window by their end, open ones by their
 * start.
 */
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

/** The totals of one environment's deployments in a window, from facts or from daily sums. */
export interface Tally {
  readonly succeeded: number
  readonly failed: number
  readonly canceled: number
  readonly running: number
  readonly stale: number
  /** Successes that were later marked as failures. */
  readonly flagged: number
  readonly rework: number
  /** Successes whose commit time is unknown, except rollbacks and redeploys. */
  readonly undated: number
  /** From commit to deployment. */
  readonly leads: Sample
  /** From a failed deployment to the success that ended the failure. */
  readonly repairs: Sample
}

/** What incidents and people report about deployments. */
export type Told = Pick<Judged, 'links' | 'restorations'>

export interface EnvironmentMetrics {
  readonly environment: string
  readonly tally: Tally
  readonly deploymentFrequency: Metric
  readonly changeFailureRate: Metric
  /** DORA's own rate, which counts only successes. */
  readonly strictRate: Metric
  readonly leadTime: MedianMetric
  readonly failedDeploymentRecovery: MedianMetric
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

/** The individual items behind one environment's metrics. */
export interface Details {
  readonly sorted: Sorted
  readonly flagged: readonly Deployment[]
  readonly rework: number
  readonly undated: number
  readonly leadSamples: readonly { readonly deployment: Deployment; readonly seconds: number }[]
  readonly repairs: readonly Recovery[]
}

export function detailsOf(judged: Judged, environment: string, window: Window, nowMs: number): Details {
  const own = judged.history.deployments.filter((each) => each.environment === environment)
  const sorted = sortedIn(own, window, nowMs)
  const { succeeded } = sorted
  const { samples, undated } = leadSamples(judged, succeeded)
  return {
    sorted,
    // guard: an-incident-counts-for-no-deployment
    flagged: succeeded.filter((each) => judged.flagged.has(unitKey(each))),
    rework: succeeded.filter((each) => judged.rework.has(unitKey(each))).length,
    undated,
    leadSamples: samples,
    repairs: repairsIn(judged, environment, window),
  }
}

/** @param isBinned whether medians may come from bins; by default, their number decides. */
export function tallyOf({ sorted, flagged, rework, undated, ...details }: Details, isBinned?: Binned): Tally {
  const leads = details.leadSamples.map(({ seconds }) => Math.round(seconds * 1000))
  const repairs = details.repairs.map(({ fromMs, toMs }) => toMs - fromMs)
  return {
    succeeded: sorted.succeeded.length,
    failed: sorted.failed.length,
    canceled: sorted.canceled.length,
    running: sorted.running.length,
    stale: sorted.stale.length,
    flagged: flagged.length,
    rework,
    undated,
    leads: sampleOf([partOf(leads)], isBinned?.leads ?? leads.length > EXACT_MAX),
    repairs: sampleOf([partOf(repairs)], isBinned?.repairs ?? repairs.length > EXACT_MAX),
  }
}

export interface Binned {
  readonly leads: boolean
  readonly repairs: boolean
}

export const binnedOf = ({ leads, repairs }: Tally): Binned => ({
  leads: leads.bins !== null,
  repairs: repairs.bins !== null,
})

export interface Counting {
  readonly window: Window
  readonly scope: Scope
  /** Whether any event reported a deployment to this environment, and whether one did for any environment. */
  readonly isKnown: boolean
  readonly isAnyKnown: boolean
}

export function metricsOf(environment: string, tally: Tally, told: Told, counting: Counting): EnvironmentMetrics {
  const { window } = counting
  const { succeeded, failed, flagged, leads, undated, rework } = tally
  const why = whyNothing(tally, counting)
  const { samples, open, unlinked } = toldRecoveries(told, environment, window)
  const recovered = withMore(
    tally.repairs,
    samples.map((each) => ({ count: 1, seconds: secondsOf(each) })),
  )
  const attempts = succeeded + failed
  const whyNoLead = succeeded === 0 ? why : undated > 0 ? 'no_commit_time' : 'only_redeploys'
  const whyNoRecovery = open.length > 0 ? 'unresolved_only' : unlinked > 0 ? 'no_link' : 'no_recovery'
  return {
    environment,
    tally,
    deploymentFrequency: frequencyOf(succeeded, daysOf(window), why),
    changeFailureRate: rateOf(failed + flagged, attempts, why, true),
    strictRate: rateOf(flagged, succeeded, why, true),
    leadTime: medianMetric(leads, succeeded, whyNoLead, 'leadTime'),
    failedDeploymentRecovery: medianMetric(recovered, recovered.count + open.length, whyNoRecovery, null),
    openRecoveries: open.length,
    reworkRate: rateOf(rework, succeeded, why, false),
  }
}

export function environmentMetrics(
  judged: Judged,
  environment: string,
  window: Window,
  scope: Scope,
): EnvironmentMetrics {
  const { deployments } = judged.history
  return metricsOf(environment, tallyOf(detailsOf(judged, environment, window, scope.nowMs)), judged, {
    window,
    scope,
    isKnown: deployments.some((each) => each.environment === environment),
    isAnyKnown: deployments.length > 0,
  })
}

/** All recoveries of an environment, individually. */
export const recoveriesOf = (judged: Judged, environment: string, window: Window): readonly Recovery[] => [
  ...toldRecoveries(judged, environment, window).samples,
  ...repairsIn(judged, environment, window),
]

const secondsOf = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): number =>
  (toMs - fromMs) / 1000

/** Why there is nothing to count in an environment: exactly one reason, the one to fix first. */
function whyNothing({ failed, running, stale, canceled }: Tally, { scope, isKnown, isAnyKnown }: Counting): Why {
  if (scope.pipelines === 0 && !scope.hasEvents) return scope.parked > 0 ? 'parked' : 'no_pipelines'
  if (!scope.hasEvents) return scope.parked > 0 ? 'parked' : 'no_events'
  if (!isKnown) return !isAnyKnown && scope.isClamped ? 'retention' : 'no_environment'
  if (failed > 0) return 'no_deployments'
  if (running + stale > 0) return 'still_running'
  if (canceled > 0) return 'all_canceled'
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

/** Why a success does not count for the lead time, even if its commit time is known. */
export const dropsLead = (judged: Judged, deployment: Deployment): 'rollback' | 'redeploy' | null =>
  deployment.isRollback ? 'rollback' : judged.redeployed.has(unitKey(deployment)) ? 'redeploy' : null

interface Recoveries {
  readonly samples: readonly Recovery[]
  readonly open: readonly Recovery[]
  /** Incidents that ended in the window and are linked to no deployment. */
  readonly unlinked: number
}

/** Failures that a change caused, and their ends, by incidents and marks. */
export function toldRecoveries(told: Told, environment: string, window: Window): Recoveries {
  const samples: Recovery[] = []
  const open: Recovery[] = []
  const explained = new Set<string>()
  let unlinked = 0
  for (const { incident, deployment } of told.links) {
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
  for (const { failed, restored } of told.restorations) {
    if (failed.environment !== environment || explained.has(markKey(failed)) || !isWithin(restored.atMs, window))
      continue
    const { pipelineId, executionId } = failed
    samples.push({ via: 'mark', fromMs: failed.atMs, toMs: restored.atMs, pipelineId, executionId, incidentId: null })
  }
  return { samples, open, unlinked }
}

/** The recovery of each failed deployment: the time until the next success of its pipeline and environment. */
function repairsIn(judged: Judged, environment: string, window: Window): Recovery[] {
  return judged.recoveries.flatMap(({ failed, by }) => {
    const toMs = by.completedAtMs as number
    if (failed.environment !== environment || !isWithin(toMs, window)) return []
    const { pipelineId, executionId } = failed
    const fromMs = failed.completedAtMs as number
    return [{ via: 'deployment' as const, fromMs, toMs, pipelineId, executionId, incidentId: null }]
  })
}

const markKey = ({
  pipelineId,
  executionId,
  environment,
}: Pick<Mark, 'pipelineId' | 'executionId' | 'environment'>): string => `${pipelineId}\n${executionId}\n${environment}`

/** Whether the incident is still open at the end of the window. */
const isOpen = ({ openedAtMs, resolvedAtMs }: Incident, { toMs }: Window): boolean =>
  openedAtMs < toMs && (resolvedAtMs === null || resolvedAtMs >= toMs)

export interface RestoreMetrics {
  readonly metric: MedianMetric
  readonly samples: readonly Recovery[]
  readonly open: readonly Link[]
  readonly uncorrelated: number
}

type Restored = Omit<RestoreMetrics, 'metric'>

/** What was broken in these environments and was restored in the window, or is still open at its end. */
function restores(told: Told, environments: ReadonlySet<string>, window: Window): Restored {
  const samples: Recovery[] = []
  const open: Link[] = []
  const explained = new Set<string>()
  let uncorrelated = 0
  for (const link of told.links) {
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
  for (const { failed, restored } of told.restorations) {
    if (!environments.has(failed.environment) || explained.has(markKey(failed)) || !isWithin(restored.atMs, window))
      continue
    const { pipelineId, executionId } = failed
    samples.push({ via: 'mark', fromMs: failed.atMs, toMs: restored.atMs, pipelineId, executionId, incidentId: null })
  }
  return { samples, open, uncorrelated }
}

export const restoredIn = (told: Told, environments: ReadonlySet<string>, window: Window): readonly Recovery[] =>
  restores(told, environments, window).samples

/** How long the headline environments were broken, for any cause. */
export function restoreMetrics(
  told: Told,
  environments: ReadonlySet<string>,
  window: Window,
  nowMs: number,
): RestoreMetrics {
  const { samples, open, uncorrelated } = restores(told, environments, window)
  const until = Math.min(window.toMs, nowMs)
  const openSeconds = open.map(({ incident }) => Math.max(0, until - incident.openedAtMs) / 1000)
  const why = open.length > 0 ? 'unresolved_only' : 'no_recovery'
  const metric = medianMetric(
    sampleOfValues(samples.map(({ fromMs, toMs }) => toMs - fromMs)),
    samples.length + open.length,
    why,
    'meanTimeToRestore',
    openSeconds,
  )
  return { metric, samples, open, uncorrelated }
}

/** The headline environments: those of the settings, and those that a forge calls production. */
export const headlineOf = (
  environments: readonly { readonly name: string; readonly isProduction: boolean }[],
  { headlineEnvironments }: DoraSettings,
): ReadonlySet<string> =>
  new Set([...headlineEnvironments, ...environments.filter((each) => each.isProduction).map(({ name }) => name)])

/** The headline environments, and the one that stands for them. A requested environment is the headline. */
export function headlineIn(
  environments: readonly { readonly name: string; readonly isProduction: boolean }[],
  settings: DoraSettings,
  requested: string | undefined,
): { readonly headline: ReadonlySet<string>; readonly present: readonly string[]; readonly headlineName: string } {
  const headline = requested === undefined ? headlineOf(environments, settings) : new Set([requested])
  const names = new Set(environments.map(({ name }) => name))
  const present = [...headline].filter((name) => names.has(name))
  return { headline, present, headlineName: present[0] ?? [...headline][0] ?? 'production' }
}

/** The worst band among the metrics that have one. */
export const overallLevel = (environments: readonly EnvironmentMetrics[], restore: Metric): Level | null =>
  worstOf([
    ...environments.flatMap(({ deploymentFrequency, changeFailureRate, leadTime }) => [
      deploymentFrequency.level,
      changeFailureRate.level,
      leadTime.level,
    ]),
    restore.level,
  ])
