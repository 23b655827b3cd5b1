/**
 * Deliveries of GitLab: pipelines as snapshots with their jobs, deployments through the API, pushes, incidents. The
 * pipeline event covers a deployment by a job, so the deployment counts once, whether or not deployment events are
 * enabled too. Pure.
 */

import { at, cut } from '../payload.js'
import {
  type Delivery,
  type Heard,
  type HeardRun,
  heard,
  ignored,
  instantAt,
  listAt,
  repositoryOf,
  shaAt,
  textAt,
  told,
  webAddress,
} from './common-form.js'
import { after, commitsOf, isIncidentLabel } from './github.js'

const STATUSES: Readonly<Record<string, string>> = {
  success: 'SUCCEEDED',
  failed: 'FAILED',
  canceled: 'CANCELED',
  skipped: 'SUPERSEDED',
  created: 'STARTED',
  waiting_for_resource: 'STARTED',
  preparing: 'STARTED',
  pending: 'STARTED',
  running: 'STARTED',
  manual: 'STARTED',
  scheduled: 'STARTED',
  canceling: 'STARTED',
  blocked: 'STARTED',
}
const TIERS = ['production', 'staging', 'testing', 'development', 'other'] as const
type Tier = (typeof TIERS)[number]

const statusAt = (value: unknown, ...path: string[]): string | undefined => {
  const word = textAt(value, ...path) ?? ''
  return Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined
}

export function readGitlab({ payload }: Delivery): Heard {
  const type = textAt(payload, 'object_kind') ?? 'unknown'
  const ref = repositoryOf(textAt(payload, 'project', 'web_url'), textAt(payload, 'project', 'path_with_namespace'))
  if (type === 'push') {
    const commits = commitsOf(listAt(payload, 'commits'))
    return commits.length === 0 ? ignored(type, 'brings no commit') : heard(type, { commits })
  }
  if (ref === undefined) return ignored(type, 'names no project')
  if (type === 'pipeline') return pipeline(payload, type, ref)
  if (type === 'deployment') return deployment(payload, type, ref)
  if (type === 'issue' || type === 'incident' || type === 'work_item') return incident(payload, type, ref)
  return ignored(type, 'is not a type that reports use')
}

interface Common {
  readonly eventSource: 'generic'
  readonly executionId: string
  readonly commitSha?: string
  readonly commitRef?: string
  readonly commitTimestamp?: string
}

/** A pipeline as GitLab's API and webhooks represent it, with the same field names. */
export function gitlabRun(shown: unknown, commit?: unknown): HeardRun['item'] | string {
  const executionId = textAt(shown, 'id')
  const status = statusAt(shown, 'status')
  const startedAt = instantAt(shown, 'started_at') ?? instantAt(shown, 'created_at')
  if (executionId === undefined || status === undefined || startedAt === undefined) {
    return 'has no pipeline, no known status or no time'
  }
  const ended = instantAt(shown, 'finished_at') ?? instantAt(shown, 'updated_at')
  return {
    ...commonOf(executionId, shown, commit),
    eventType: 'PIPELINE',
    status,
    startedAt,
    ...(status === 'STARTED' ? {} : { completedAt: after(startedAt, ended) }),
  }
}

const commonOf = (executionId: string, shown: unknown, commit: unknown): Common =>
  told({
    eventSource: 'generic' as const,
    executionId,
    commitSha: shaAt(shown, 'sha'),
    commitRef: textAt(shown, 'ref'),
    commitTimestamp: instantAt(commit, 'timestamp'),
  }) as Common

function pipeline(payload: unknown, type: string, ref: string): Heard {
  const shown = at(payload, 'object_attributes')
  const whole = gitlabRun(shown, at(payload, 'commit'))
  if (typeof whole === 'string') return ignored(type, whole)
  const common = commonOf(whole.executionId, shown, at(payload, 'commit'))
  const jobs = listAt(payload, 'builds').slice(0, 500)
  const parts = jobs.flatMap((job) => jobOf(job, common, whole.startedAt as string) ?? [])
  return heard(type, { runs: [whole, ...parts].map((item) => ({ ref, item })) })
}

/** A job is an action of its stage. If the job may fail, its failure is not a failure of the stage. */
function jobOf(job: unknown, common: Common, begun: string): HeardRun['item'] | null {
  const stageName = textAt(job, 'stage')
  const actionName = textAt(job, 'name')
  const known = statusAt(job, 'status')
  if (stageName === undefined || actionName === undefined || known === undefined) return null
  const startedAt = instantAt(job, 'started_at')
  // A job that never started has no result yet: it waits, or a person has to start it manually.
  if (startedAt === undefined && (known === 'STARTED' || known === 'SUPERSEDED')) return null
  const status = known === 'FAILED' && at(job, 'allow_failure') === true ? 'SUPERSEDED' : known
  const from = startedAt ?? instantAt(job, 'created_at') ?? begun
  // A job that stops an environment deploys nothing to it.
  // guard: a-job-that-stops-an-environment-is-no-deployment
  const isStart = (textAt(job, 'environment', 'action') ?? 'start') === 'start'
  const environment = isStart ? textAt(job, 'environment', 'name') : undefined
  return told({
    ...common,
    eventType: 'ACTION' as const,
    stageName,
    actionName,
    status,
    startedAt: from,
    completedAt: status === 'STARTED' ? undefined : after(from, instantAt(job, 'finished_at')),
    environment,
    environmentTier: environment === undefined ? undefined : tierOf(textAt(job, 'environment', 'deployment_tier')),
    errorMessage: known === 'FAILED' ? textAt(job, 'failure_reason') : undefined,
  })
}

const tierOf = (tier: string | undefined): Tier | undefined => TIERS.find((each) => each === tier)

function deployment(payload: unknown, type: string, ref: string): Heard {
  // A job that triggers another pipeline has no address, and the pipeline event does not list it.
  if (at(payload, 'deployable_id') != null && at(payload, 'deployable_url') !== null) {
    return ignored(type, 'is about a job, which the pipeline event covers')
  }
  const id = textAt(payload, 'deployment_id')
  const status = statusAt(payload, 'status')
  const environment = textAt(payload, 'environment')
  const changed = instantAt(payload, 'status_changed_at')
  if (id === undefined || status === undefined || environment === undefined || changed === undefined) {
    return ignored(type, 'has no deployment, no known status, no environment or no time')
  }
  const sha = textAt(payload, 'commit_url')?.split('/').at(-1)
  const item = told({
    eventSource: 'generic' as const,
    eventType: 'STAGE' as const,
    stageName: cut(`deploy ${environment}`, 255).trim(),
    executionId: `gitlab-deployment-${id}`.slice(0, 255),
    status,
    environment,
    environmentTier: tierOf(textAt(payload, 'environment_tier')),
    startedAt: changed,
    completedAt: status === 'STARTED' ? undefined : changed,
    commitSha: shaAt({ sha }, 'sha') ?? shaAt(payload, 'short_sha'),
    commitRef: textAt(payload, 'ref'),
  })
  return heard(type, { runs: [{ ref, item }] })
}

const titlesOf = (labels: readonly unknown[]): string[] => labels.flatMap((each) => textAt(each, 'title') ?? [])

function incident(payload: unknown, type: string, ref: string): Heard {
  const shown = at(payload, 'object_attributes')
  const labels = titlesOf([...listAt(payload, 'labels'), ...listAt(shown, 'labels')])
  const isIncident =
    type === 'incident' || textAt(shown, 'type')?.toLowerCase() === 'incident' || labels.some(isIncidentLabel)
  const hasLost = titlesOf(listAt(payload, 'changes', 'labels', 'previous')).some(isIncidentLabel)
  if (!isIncident && !hasLost) return ignored(type, 'is not an incident')
  const number = textAt(shown, 'iid')
  const openedAt = instantAt(shown, 'created_at')
  if (number === undefined || openedAt === undefined) return ignored(type, 'has no incident or no time')
  const incidentId = `${ref}#${number}`.slice(-255)
  // Nothing more is sent about an issue that is no longer labelled: its incident would stay open.
  // guard: an-issue-without-its-label-ends-its-incident
  if (!isIncident) {
    const endedAt = instantAt(shown, 'closed_at') ?? instantAt(shown, 'updated_at') ?? openedAt
    return heard(type, { ended: [{ incidentId, endedAt }] })
  }
  const isClosed = textAt(shown, 'state') === 'closed'
  const [, environment = ''] = labels.map((label) => /^env(?:ironment)?::?([^:].*)$/i.exec(label)).find(Boolean) ?? []
  const opened = told({
    incidentId,
    environment: environment.trim(),
    openedAt,
    // Deliveries come late and twice: an issue is open again only when that is what the delivery is about.
    resolvedAt: isClosed
      ? (instantAt(shown, 'closed_at') ?? instantAt(shown, 'updated_at') ?? null)
      : textAt(shown, 'action') === 'reopen'
        ? null
        : undefined,
    reopenedAt: textAt(shown, 'action') === 'reopen' ? instantAt(shown, 'updated_at') : undefined,
    severity: textAt(shown, 'severity')?.slice(0, 50),
    title: textAt(shown, 'title'),
    url: webAddress(textAt(shown, 'url')),
  })
  return heard(type, { incidents: [opened] })
}
