/** The invented history as each sender would deliver it, with duplicates and out of order. Pure. */
import type { Delivery } from '../deliver.js'
import { type FakeRun, type FakeStep, randomOf } from './history.js'

export const FAKE_FORMATS = ['github', 'gitlab', 'cdevents', 'otlp'] as const
export type FakeFormat = (typeof FAKE_FORMATS)[number]

export interface Faking {
  readonly seed: number
  /** `acme/shop` */
  readonly repository: string
}

type Encode = (run: FakeRun, faking: Faking) => Delivery[]
const iso = (ms: number): string => new Date(ms).toISOString()

/** One in ten deliveries comes twice, and each may come a few places too early or too late. */
export function fakeDeliveries(format: FakeFormat, runs: readonly FakeRun[], faking: Faking): Delivery[] {
  const random = randomOf(faking.seed + 1)
  const told = runs.flatMap((run) => ENCODERS[format](run, faking))
  return told
    .flatMap((each) => (random() < 0.1 ? [each, each] : [each]))
    .map((each, at) => ({ each, place: at + random() * 12 }))
    .sort((a, b) => a.place - b.place)
    .map(({ each }) => each)
}

const github: Encode = (run, { repository: name }) => {
  const repository = { full_name: name, html_url: `https://github.com/${name}` }
  const send = (event: string, payload: object): Delivery => ({ event, payload: { repository, ...payload } })
  const whole = {
    id: run.id,
    run_attempt: 1,
    head_sha: run.sha,
    head_branch: run.ref,
    run_started_at: iso(run.fromMs),
    head_commit: { id: run.sha, timestamp: iso(run.committedMs) },
  }
  const conclusion = (isGood: boolean) => (isGood ? 'success' : 'failure')
  const of = { id: run.id, run_attempt: 1 }
  const jobs = run.steps.map((step) =>
    send('workflow_job', {
      action: 'completed',
      workflow_job: {
        run_id: run.id,
        run_attempt: 1,
        name: step.name,
        status: 'completed',
        conclusion: conclusion(step.isGood),
        started_at: iso(step.fromMs),
        completed_at: iso(step.toMs),
      },
    }),
  )
  const deployments = run.steps.flatMap((step, at) =>
    step.environment === undefined
      ? []
      : [step.isGood ? 'success' : 'failure', ...(step.isGood ? ['inactive'] : [])].map((state) =>
          send('deployment_status', {
            deployment: {
              id: run.id * 10 + at,
              sha: run.sha,
              ref: run.ref,
              environment: step.environment,
              created_at: iso(step.fromMs),
            },
            deployment_status: { state, environment: step.environment, created_at: iso(step.toMs) },
            workflow_run: of,
          }),
        ),
  )
  const { incident } = run
  const issue = incident && {
    number: incident.number,
    title: 'Checkout is slow',
    state: 'closed',
    created_at: iso(incident.openedMs),
    closed_at: iso(incident.resolvedMs),
    labels: [{ name: 'incident' }],
    html_url: `https://github.com/${name}/issues/${incident.number}`,
  }
  return [
    send('push', { ref: `refs/heads/${run.ref}`, commits: [{ id: run.sha, timestamp: iso(run.committedMs) }] }),
    send('workflow_run', {
      action: 'in_progress',
      workflow_run: { ...whole, status: 'in_progress', conclusion: null },
    }),
    ...jobs,
    ...deployments,
    send('workflow_run', {
      action: 'completed',
      workflow_run: { ...whole, status: 'completed', conclusion: conclusion(run.isGood), updated_at: iso(run.toMs) },
    }),
    ...(issue === null ? [] : [send('issues', { action: 'closed', issue })]),
  ]
}

const gitlab: Encode = (run, { repository: path }) => {
  const project = { path_with_namespace: path, web_url: `https://gitlab.com/${path}` }
  const commit = { id: run.sha, timestamp: iso(run.committedMs) }
  const shown = { id: run.id, ref: run.ref, sha: run.sha, created_at: iso(run.fromMs) }
  const job = (step: FakeStep, at: number) => ({
    id: run.id * 10 + at,
    stage: step.environment === undefined ? step.name : 'deploy',
    name: step.name,
    status: step.isGood ? 'success' : 'failed',
    started_at: iso(step.fromMs),
    finished_at: iso(step.toMs),
    allow_failure: false,
    ...(step.environment === undefined ? {} : { environment: { name: step.environment, action: 'start' } }),
  })
  const snapshot = (status: string, finished: object, builds: object[]): Delivery => ({
    payload: { object_kind: 'pipeline', object_attributes: { ...shown, status, ...finished }, project, commit, builds },
  })
  const incident = run.incident && {
    payload: {
      object_kind: 'incident',
      project,
      object_attributes: {
        iid: run.incident.number,
        title: 'Checkout is slow',
        state: 'closed',
        created_at: iso(run.incident.openedMs),
        closed_at: iso(run.incident.resolvedMs),
      },
    },
  }
  return [
    { payload: { object_kind: 'push', project, commits: [commit] } },
    snapshot('running', {}, []),
    snapshot(run.isGood ? 'success' : 'failed', { finished_at: iso(run.toMs) }, run.steps.map(job)),
    ...(incident === null ? [] : [incident]),
  ]
}

const cdevents: Encode = (run, { repository: source }) => {
  const send = (type: string, subjectId: string, ms: number, content: object): Delivery => ({
    payload: {
      context: {
        version: '0.4.1',
        id: `${type}-${run.id}-${subjectId}-${ms}`,
        chainId: `run-${run.id}`,
        source,
        type: `dev.cdevents.${type}.0.2.0`,
        timestamp: iso(ms),
      },
      subject: { id: subjectId, source, type: type.split('.')[0], content },
    },
  })
  const id = `run-${run.id}`
  const outcome = (isGood: boolean) => (isGood ? 'success' : 'failure')
  const steps = run.steps.flatMap((step) => [
    send('taskrun.started', step.name, step.fromMs, { taskName: step.name, pipelineRun: { id } }),
    send('taskrun.finished', step.name, step.toMs, {
      taskName: step.name,
      pipelineRun: { id },
      outcome: outcome(step.isGood),
    }),
    ...(step.environment !== undefined && step.isGood
      ? [
          send('service.deployed', 'shop', step.toMs, {
            environment: { id: step.environment },
            artifactId: `pkg:oci/shop@sha256:${run.sha}`,
          }),
        ]
      : []),
  ])
  const incidents =
    run.incident === null
      ? []
      : [
          send('incident.detected', `inc-${run.incident.number}`, run.incident.openedMs, { description: 'slow' }),
          send('incident.resolved', `inc-${run.incident.number}`, run.incident.resolvedMs, { description: 'slow' }),
        ]
  return [
    send('pipelinerun.started', id, run.fromMs, {}),
    ...steps,
    send('pipelinerun.finished', id, run.toMs, { outcome: outcome(run.isGood) }),
    ...incidents,
  ]
}

const otlp: Encode = (run, { repository }) => {
  const text = (key: string, value: string) => ({ key, value: { stringValue: value } })
  const traceId = run.sha.slice(0, 32)
  const nano = (ms: number) => `${ms}000000`
  const span = (nth: number, kind: number, name: string, times: FakeStep | FakeRun, attributes: object[]) => ({
    traceId,
    spanId: `${run.sha.slice(32)}${String(nth).padStart(8, '0')}`,
    name,
    kind,
    startTimeUnixNano: nano(times.fromMs),
    endTimeUnixNano: nano(times.toMs),
    attributes,
  })
  const result = (isGood: boolean) => (isGood ? 'success' : 'failure')
  const resource = {
    attributes: [
      text('service.name', repository),
      text('cicd.pipeline.name', repository),
      text('cicd.pipeline.run.id', String(run.id)),
      text('vcs.ref.head.revision', run.sha),
      text('vcs.ref.head.name', run.ref),
    ],
  }
  const stages = run.steps.map((step, at) =>
    span(at + 1, 1, step.name, step, [
      text('cicd.pipeline.task.name', step.name),
      text('cicd.pipeline.task.run.result', result(step.isGood)),
      ...(step.environment === undefined
        ? []
        : [text('cicd.pipeline.task.type', 'deploy'), text('deployment.environment.name', step.environment)]),
    ]),
  )
  const whole = span(0, 2, repository, run, [text('cicd.pipeline.result', result(run.isGood))])
  return [{ payload: { resourceSpans: [{ resource, scopeSpans: [{ spans: [whole, ...stages] }] }] } }]
}

const ENCODERS: Readonly<Record<FakeFormat, Encode>> = { github, gitlab, cdevents, otlp }
