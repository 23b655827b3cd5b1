/** Deliveries of GitHub: runs and jobs of workflows, deployments, pushes, issues labelled `incident`. Pure. */

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

const CONCLUSIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    success: 'SUCCEEDED',
    failure: 'FAILED',
    timed_out: 'FAILED',
    startup_failure: 'FAILED',
    cancelled: 'CANCELED',
    skipped: 'SUPERSEDED',
    stale: 'SUPERSEDED',
    neutral: 'SUPERSEDED',
  }),
)
const OPEN = new Set(['requested', 'queued', 'waiting', 'pending', 'in_progress'])

export function readGithub({ payload, headers }: Delivery): Heard {
  const type = headers.get('x-github-event')?.slice(0, 100) ?? ''
  const reader = READERS[type]
  if (reader === undefined) {
    return ignored(
      type === '' ? 'unknown' : type,
      type === 'ping' ? 'the webhook is set up' : 'is not a type that reports use',
    )
  }
  const ref = repositoryOf(textAt(payload, 'repository', 'html_url'), textAt(payload, 'repository', 'full_name'))
  if (ref === undefined) return ignored(type, 'names no repository')
  return reader(payload, type, ref)
}

type Reader = (payload: unknown, type: string, ref: string) => Heard
const READERS: Readonly<Record<string, Reader>> = Object.assign(Object.create(null), {
  workflow_run: run,
  workflow_job: job,
  deployment_status: deployment,
  push,
  issues: incident,
} satisfies Record<string, Reader>)

/** A run as GitHub's pages and webhooks represent it. */
export function githubRun(shown: unknown): HeardRun['item'] | string {
  const executionId = textAt(shown, 'id')
  if (executionId === undefined) return 'names no run'
  const conclusion = textAt(shown, 'conclusion')
  const status = conclusion === undefined ? openOf(textAt(shown, 'status')) : CONCLUSIONS.get(conclusion)
  if (status === undefined) return `ends as ${conclusion ?? 'nothing'}, which is not a known outcome`
  const startedAt = instantAt(shown, 'run_started_at') ?? instantAt(shown, 'created_at')
  if (startedAt === undefined) return 'says no time'
  return told({
    eventSource: 'generic' as const,
    eventType: 'PIPELINE' as const,
    status,
    executionId,
    attempt: attemptOf(at(shown, 'run_attempt')),
    startedAt,
    completedAt: status === 'STARTED' ? undefined : after(startedAt, instantAt(shown, 'updated_at')),
    commitSha: shaAt(shown, 'head_sha'),
    commitRef: textAt(shown, 'head_branch'),
    commitTimestamp: instantAt(shown, 'head_commit', 'timestamp'),
  })
}

function run(payload: unknown, type: string, ref: string): Heard {
  const item = githubRun(at(payload, 'workflow_run'))
  return typeof item === 'string' ? ignored(type, item) : heard(type, { runs: [{ ref, item }] })
}

function job(payload: unknown, type: string, ref: string): Heard {
  const shown = at(payload, 'workflow_job')
  const executionId = textAt(shown, 'run_id')
  const stageName = textAt(shown, 'name')
  const conclusion = textAt(shown, 'conclusion')
  const status = conclusion === undefined ? openOf(textAt(shown, 'status')) : CONCLUSIONS.get(conclusion)
  const startedAt = instantAt(shown, 'started_at') ?? instantAt(shown, 'created_at')
  if (executionId === undefined || stageName === undefined || status === undefined || startedAt === undefined) {
    return ignored(type, 'has no run, no job, no outcome or no time')
  }
  const item = told({
    eventSource: 'generic' as const,
    eventType: 'STAGE' as const,
    stageName,
    status,
    executionId,
    attempt: attemptOf(at(shown, 'run_attempt')),
    startedAt,
    completedAt: status === 'STARTED' ? undefined : after(startedAt, instantAt(shown, 'completed_at')),
    commitSha: shaAt(shown, 'head_sha'),
    commitRef: textAt(shown, 'head_branch'),
  })
  return heard(type, { runs: [{ ref, item }] })
}

const STATES: Readonly<Record<string, string>> = {
  success: 'SUCCEEDED',
  failure: 'FAILED',
  error: 'FAILED',
  queued: 'STARTED',
  pending: 'STARTED',
  waiting: 'STARTED',
  in_progress: 'STARTED',
}

function deployment(payload: unknown, type: string, ref: string): Heard {
  const shown = at(payload, 'deployment')
  const state = textAt(payload, 'deployment_status', 'state') ?? ''
  // A newer deployment makes the previous one inactive; that one still was a success.
  // guard: inactive-changes-nothing
  if (state === 'inactive') return ignored(type, 'an inactive deployment was a success all the same')
  const status = Object.hasOwn(STATES, state) ? STATES[state] : undefined
  const environment = textAt(payload, 'deployment_status', 'environment') ?? textAt(shown, 'environment')
  const id = textAt(shown, 'id')
  const startedAt = instantAt(shown, 'created_at')
  if (status === undefined || environment === undefined || id === undefined || startedAt === undefined) {
    return ignored(type, 'has no deployment, no environment, no known state or no time')
  }
  const runId = textAt(payload, 'workflow_run', 'id')
  // Several jobs of a run may deploy to one environment: a later success must not hide a failure beside it.
  // guard: each-deploying-job-is-told-by-itself
  const job = textAt(payload, 'check_run', 'name')
  const item = told({
    // A job of the run may have the same name: by its own key a deployment is told beside it.
    // guard: a-deployment-is-told-beside-a-job-of-its-name
    eventId: `github-deployment-${id}-${status}`.slice(0, 255),
    eventSource: 'generic' as const,
    eventType: 'STAGE' as const,
    stageName: cut(`deploy ${environment}${job === undefined ? '' : `: ${job}`}`, 255).trim(),
    status,
    executionId: runId ?? `github-deployment-${id}`.slice(0, 255),
    attempt: attemptOf(at(payload, 'workflow_run', 'run_attempt')),
    environment,
    environmentTier: at(shown, 'production_environment') === true ? ('production' as const) : undefined,
    startedAt,
    completedAt:
      status === 'STARTED' ? undefined : after(startedAt, instantAt(payload, 'deployment_status', 'created_at')),
    commitSha: shaAt(shown, 'sha'),
    commitRef: textAt(shown, 'ref'),
    errorMessage: status === 'FAILED' ? textAt(payload, 'deployment_status', 'description') : undefined,
  })
  return heard(type, { runs: [{ ref, item }] })
}

function push(payload: unknown, type: string): Heard {
  const commits = commitsOf(listAt(payload, 'commits'))
  return commits.length === 0 ? ignored(type, 'brings no commit') : heard(type, { commits })
}

/** Only the id and the time of each commit are stored. */
export const commitsOf = (list: readonly unknown[]) =>
  list.slice(0, 1000).flatMap((commit) => {
    const sha = shaAt(commit, 'id')?.toLowerCase()
    const time = instantAt(commit, 'timestamp')
    return sha === undefined || time === undefined ? [] : [{ sha, committedAtMs: Date.parse(time) }]
  })

export const isIncidentLabel = (label: string): boolean => label.toLowerCase() === 'incident'

function incident(payload: unknown, type: string, ref: string): Heard {
  const issue = at(payload, 'issue')
  const labels = listAt(issue, 'labels').flatMap((label) => textAt(label, 'name') ?? [])
  const action = textAt(payload, 'action')
  const lost = action === 'unlabeled' ? [textAt(payload, 'label', 'name') ?? ''] : []
  const isLabelled = labels.some(isIncidentLabel)
  if (!isLabelled && !lost.some(isIncidentLabel)) return ignored(type, 'has no label `incident`')
  const number = textAt(issue, 'number')
  const openedAt = instantAt(issue, 'created_at')
  if (number === undefined || openedAt === undefined) return ignored(type, 'has no issue or no time')
  const incidentId = `${ref}#${number}`.slice(-255)
  // Nothing more is sent about an issue that is gone or no longer labelled: its incident would stay open.
  // guard: an-issue-that-is-gone-ends-its-incident
  if (!isLabelled || action === 'deleted' || action === 'transferred') {
    const endedAt = instantAt(issue, 'closed_at') ?? instantAt(issue, 'updated_at') ?? openedAt
    return heard(type, { ended: [{ incidentId, endedAt }] })
  }
  const [, environment = ''] = labels.map((label) => /^env(?:ironment)?:(.+)$/i.exec(label)).find(Boolean) ?? []
  const opened = told({
    incidentId,
    environment: environment.trim(),
    openedAt,
    // Deliveries come late and twice: an issue is open again only when that is what the delivery is about.
    resolvedAt:
      textAt(issue, 'state') === 'closed'
        ? (instantAt(issue, 'closed_at') ?? null)
        : action === 'reopened'
          ? null
          : undefined,
    reopenedAt: action === 'reopened' ? instantAt(issue, 'updated_at') : undefined,
    title: textAt(issue, 'title'),
    url: webAddress(textAt(issue, 'html_url')),
  })
  return heard(type, { incidents: [opened] })
}

const openOf = (status: string | undefined): string | undefined =>
  status !== undefined && OPEN.has(status) ? 'STARTED' : undefined

export const attemptOf = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) ? Math.min(1000, Math.max(1, value)) : 1

/** The end, but not before the start: the clocks of several machines may differ. */
export const after = (startedAt: string, completedAt: string | undefined): string =>
  completedAt === undefined || Date.parse(completedAt) < Date.parse(startedAt) ? startedAt : completedAt
