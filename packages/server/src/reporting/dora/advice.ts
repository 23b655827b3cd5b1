/** The command that fixes a missing value. Pure. */
import { nearestWord } from '@plumbline/engine/words'
import Type from 'typebox'
import { nullable } from '../../runtime/operation/schema.js'
import type { Why } from './metric.js'

const STEPS: Readonly<Record<Why, string>> = {
  no_pipelines: 'register a pipeline: plumbline pipelines register --pipeline <id>, or choose filters that match one',
  no_events: 'send an event: plumbline events send --pipeline <id> --environment production',
  parked: 'register or restore the pipelines that events wait for: plumbline reports parked names the command for each',
  no_environment: 'send stages with `environment`, or name an existing one: plumbline reports environments',
  retention: 'the window begins before the kept history: choose a later one, or keep more',
  not_in_range: 'choose a wider window: plumbline reports dora --from <instant>',
  still_running: 'wait for the runs to end; if they ended, send their last event',
  all_canceled: 'canceled runs are not counted: complete a run',
  no_deployments: 'no deployment succeeded yet: plumbline reports errors lists the errors',
  no_commit_time: 'send `commitSha` and `commitTimestamp` with deployments',
  only_redeploys: 'deploy a commit that the environment did not have before',
  no_recovery:
    'nothing was restored in the window: report incidents to POST /reports/incidents, or mark a deployment: plumbline reports mark',
  unresolved_only: 'resolve the open incidents: plumbline reports incidents --status open',
  no_link: 'link the incidents to their deployments: plumbline reports link <incident> <execution>',
}

/** @param known names of environments, for a request whose environment does not exist. */
export function nextStep(why: Why | null, environment: string, known: readonly string[]): string | null {
  if (why === null) return null
  if (why !== 'no_environment' || known.length === 0) return STEPS[why]
  const near = nearestWord(environment, known)
  const names = [...known].sort().slice(0, 10).join(', ')
  return `no pipeline deploys to ${environment}${near === null ? '' : `; did you mean ${near}?`} There are: ${names}`
}

export const NoEnvironmentField = nullable(
  Type.String({ description: 'What to do when nothing is known of the requested environment' }),
)
/** @param known the environments of all that could be listed, in any window. */
export function noEnvironment(environment: string | undefined, known: Iterable<string>): string | null {
  const names = new Set(known)
  if (environment === undefined || names.has(environment)) return null
  return nextStep('no_environment', environment, [...names])
}
