/**
 * Finds the deployment that caused an incident: the latest success in its environment before it opened, within the
 * configured hours, narrowed by the incident's fields. A link that a person set has precedence. Pure.
 */
import { groupBy } from '../group.js'
import { type Deployment, deployedKey, type History, type Incident, inOrder } from '../model.js'

export interface Link {
  readonly incident: Incident
  /** Null for an incident without a matching deployment. */
  readonly deployment: Deployment | null
  readonly kind: 'auto' | 'manual' | null
  /** Pipelines that deployed there within the hours; with more than one, the link is a guess. */
  readonly candidates: readonly Deployment[]
}

export function linksOf({ deployments, incidents, links, settings }: History): Link[] {
  const succeeded = deployments.filter(({ status }) => status === 'succeeded').sort(inOrder)
  const byEnvironment = groupBy(succeeded, ({ environment }) => environment)
  const byKey = groupBy(succeeded, deployedKey)
  const manual = new Map(links.map((link) => [`${link.orgId}\n${link.incidentId}`, link]))
  const windowMs = settings.incidentWindowHours * 3_600_000
  return incidents.map((incident) => {
    // guard: a-link-stays-in-its-environment
    const there = byEnvironment.get(incident.environment) ?? []
    const candidates = candidatesOf(there, incident, windowMs)
    const set = manual.get(`${incident.orgId}\n${incident.incidentId}`)
    if (set !== undefined) {
      const deployment = byKey.get(deployedKey({ ...set, environment: incident.environment }))?.at(-1) ?? null
      return { incident, deployment, kind: 'manual', candidates }
    }
    const deployment = candidates.reduce<Deployment | null>(
      (latest, each) => (latest === null || inOrder(latest, each) < 0 ? each : latest),
      null,
    )
    return { incident, deployment, kind: deployment === null ? null : 'auto', candidates }
  })
}

/** The latest success of each pipeline. @param there ordered by end. */
function candidatesOf(there: readonly Deployment[], incident: Incident, windowMs: number): Deployment[] {
  const latest = new Map<string, Deployment>()
  for (let at = lastAt(there, incident.openedAtMs); at >= 0; at--) {
    const deployment = there[at] as Deployment
    if ((deployment.completedAtMs as number) < incident.openedAtMs - windowMs) break
    if (deployment.orgId !== incident.orgId || latest.has(deployment.pipelineId)) continue
    if (incident.pipelineId !== null && incident.pipelineId !== deployment.pipelineId) continue
    if (incident.sha !== null && !isSameCommit(incident.sha, deployment.sha)) continue
    latest.set(deployment.pipelineId, deployment)
  }
  return [...latest.values()]
}

/** The index of the last one that ended at or before this instant; −1 for none. */
function lastAt(there: readonly Deployment[], ms: number): number {
  let low = 0
  let high = there.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (((there[middle] as Deployment).completedAtMs as number) <= ms) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** One id may be a prefix of the other. */
const isSameCommit = (one: string, other: string | null): boolean =>
  other !== null && (one.startsWith(other) || other.startsWith(one))
