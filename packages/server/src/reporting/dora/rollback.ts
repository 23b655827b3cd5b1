/** Deploying an older commit again within 24 hours suggests that the replaced deployment had failed. Pure. */
import { groupBy } from '../group.js'
import { type Deployment, inOrder } from '../model.js'

export const ROLLBACK_MS = 24 * 3_600_000

export interface Suggestion {
  /** The deployment that was probably broken. */
  readonly replaced: Deployment
  /** The deployment of the older commit. */
  readonly by: Deployment
}

export function suggestionsOf(deployments: readonly Deployment[]): Suggestion[] {
  const suggestions: Suggestion[] = []
  const successes = deployments.filter(({ status }) => status === 'succeeded')
  for (const own of groupBy(successes, ({ pipelineId, environment }) => `${pipelineId}\n${environment}`).values()) {
    const ordered = own.sort(inOrder)
    const seen = new Set<string>()
    for (const [at, by] of ordered.entries()) {
      const replaced = ordered[at - 1]
      const isBack = by.sha !== null && replaced?.sha != null && replaced.sha !== by.sha && seen.has(by.sha)
      if (isBack && (by.completedAtMs as number) - (replaced.completedAtMs as number) <= ROLLBACK_MS) {
        suggestions.push({ replaced, by })
      }
      if (by.sha !== null) seen.add(by.sha)
    }
  }
  return suggestions
}
