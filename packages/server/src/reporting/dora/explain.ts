/**
 * What was counted in a window, and why the rest was not. Pure. INVARIANT: counted plus dropped equals the candidates.
 */
import { groupBy } from '../group.js'
import type { Deployment, Window } from '../model.js'
import { type Details, dropsLead, type RestoreMetrics, recoveriesOf, toldRecoveries } from './compute.js'
import type { Judged } from './judge.js'

const SAMPLES = 5

export interface Sample {
  readonly pipelineId: string | null
  readonly executionId: string | null
  readonly incidentId: string | null
  readonly at: string
}

export interface Explained {
  readonly candidates: number
  readonly counted: number
  readonly dropped: readonly { readonly reason: string; readonly count: number; readonly samples: readonly Sample[] }[]
}

const iso = (ms: number): string => new Date(ms).toISOString()

const sampleOf = ({ pipelineId, executionId, completedAtMs, startedAtMs }: Deployment): Sample => ({
  pipelineId,
  executionId,
  incidentId: null,
  at: iso(completedAtMs ?? startedAtMs),
})

function explained(counted: number, dropped: readonly (readonly [reason: string, sample: Sample])[]): Explained {
  const reasons = [...groupBy(dropped, ([reason]) => reason)]
  return {
    candidates: counted + dropped.length,
    counted,
    dropped: reasons.map(([reason, all]) => ({
      reason,
      count: all.length,
      samples: all.slice(0, SAMPLES).map(([, sample]) => sample),
    })),
  }
}

export function explainEnvironment(judged: Judged, details: Details) {
  const { sorted, leadSamples } = details
  const because = (reason: string, units: readonly Deployment[]) =>
    units.map((unit) => [reason, sampleOf(unit)] as const)
  const open = [
    ...because('still_running', sorted.running),
    ...because('stale', sorted.stale),
    ...because('canceled', sorted.canceled),
  ]
  const led = new Set(leadSamples.map(({ deployment }) => deployment))
  const notLed = sorted.succeeded
    .filter((unit) => !led.has(unit))
    .map((unit) => [dropsLead(judged, unit) ?? 'no_commit_time', sampleOf(unit)] as const)
  return {
    deploymentFrequency: explained(sorted.succeeded.length, [...because('failed', sorted.failed), ...open]),
    changeFailureRate: explained(sorted.succeeded.length + sorted.failed.length, open),
    leadTime: explained(leadSamples.length, notLed),
    reworkRate: explained(sorted.succeeded.length, [...because('failed', sorted.failed), ...open]),
  }
}

export function explainRecovery(judged: Judged, environment: string, window: Window): Explained {
  const { open } = toldRecoveries(judged, environment, window)
  const dropped = open.map(
    ({ fromMs, pipelineId, executionId, incidentId }) =>
      ['open', { pipelineId, executionId, incidentId, at: iso(fromMs) }] as const,
  )
  return explained(recoveriesOf(judged, environment, window).length, dropped)
}

export function explainRestore({ samples, open }: RestoreMetrics): Explained {
  const dropped = open.map(
    ({ incident, deployment }) =>
      [
        'open',
        {
          pipelineId: deployment?.pipelineId ?? null,
          executionId: deployment?.executionId ?? null,
          incidentId: incident.incidentId,
          at: iso(incident.openedAtMs),
        },
      ] as const,
  )
  return explained(samples.length, dropped)
}
