/**
 * What is derived about each deployment of a history in addition to its own fields: flagged later, a redeploy, rework.
 * Pure.
 */
import { groupBy } from '../group.js'
import { type Deployment, deployedKey, type History, inOrder, isReworkRef, type Mark, unitKey } from '../model.js'
import { type Link, linksOf } from './link.js'
import { suggestionsOf } from './rollback.js'

export interface Judged {
  readonly history: History
  readonly links: readonly Link[]
  /** Successes that turned out to be failures, by unit, with the source of that information. */
  readonly flagged: ReadonlyMap<string, 'mark' | 'incident' | 'rollback'>
  /** Successes of a commit that the pipeline had already deployed to the environment. */
  readonly redeployed: ReadonlySet<string>
  readonly rework: ReadonlySet<string>
  /** Failures, each with the success of its pipeline and environment that ended it. */
  readonly recoveries: readonly { readonly failed: Deployment; readonly by: Deployment }[]
  /** Pairs of marks of one deployment: failed and restored. */
  readonly restorations: readonly { readonly failed: Mark; readonly restored: Mark }[]
}

export function judge(history: History): Judged {
  const { deployments, marks, settings } = history
  const links = linksOf(history)
  const flagged = new Map<string, 'mark' | 'incident' | 'rollback'>()
  const successes = groupBy(deployments.filter(({ status }) => status === 'succeeded').sort(inOrder), deployedKey)
  if (settings.rollbackFails) {
    for (const { replaced } of suggestionsOf(deployments)) flagged.set(unitKey(replaced), 'rollback')
  }
  // guard: a-deployment-fails-once-however-many-incidents-it-has
  for (const { deployment } of links) if (deployment !== null) flagged.set(unitKey(deployment), 'incident')
  for (const mark of marks) {
    // A mark is about the final state of the execution: its last success there.
    const unit = mark.outcome === 'failed' ? successes.get(deployedKey(mark))?.at(-1) : undefined
    if (unit !== undefined) flagged.set(unitKey(unit), 'mark')
  }
  return { history, links, flagged, ...alongEach(history), restorations: restorationsOf(marks) }
}

/** Goes through each pipeline and environment, ordered by end. */
function alongEach({ deployments, settings }: History) {
  const redeployed = new Set<string>()
  const rework = new Set<string>()
  const recoveries: { failed: Deployment; by: Deployment }[] = []
  const over = deployments.filter(({ status }) => status === 'succeeded' || status === 'failed')
  for (const own of groupBy(over, ({ pipelineId, environment }) => `${pipelineId}\n${environment}`).values()) {
    const seen = new Set<string>()
    let failures: Deployment[] = []
    for (const each of own.sort(inOrder)) {
      if (each.status === 'failed') {
        failures.push(each)
        continue
      }
      const key = unitKey(each)
      // guard: a-redeploy-has-no-lead-time
      if (each.sha !== null && seen.has(each.sha)) redeployed.add(key)
      if (each.sha !== null) seen.add(each.sha)
      if (each.isRework || each.isRollback || failures.length > 0 || isReworkRef(each.ref, settings.reworkRefs))
        rework.add(key)
      for (const failed of failures) recoveries.push({ failed, by: each })
      failures = []
    }
  }
  return { redeployed, rework, recoveries }
}

export function restorationsOf(marks: readonly Mark[]): { failed: Mark; restored: Mark }[] {
  const found: { failed: Mark; restored: Mark }[] = []
  for (const own of groupBy(marks, deployedKey).values()) {
    const failed = own.find(({ outcome }) => outcome === 'failed')
    const restored = own.find(({ outcome }) => outcome === 'restored')
    if (failed !== undefined && restored !== undefined && restored.atMs >= failed.atMs) found.push({ failed, restored })
  }
  return found
}
