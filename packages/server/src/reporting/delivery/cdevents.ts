/**
 * Deliveries of CDEvents (Tekton, Jenkins and others): bare, structured or binary, matched by subject and predicate in
 * any version. Pure.
 */

import { at, cut, isObject } from '../payload.js'
import { type Delivery, type Heard, heard, ignored, instantAt, refOf, textAt, told } from './common-form.js'
import { after } from './github.js'

const OUTCOMES: Readonly<Record<string, string>> = {
  success: 'SUCCEEDED',
  failure: 'FAILED',
  error: 'FAILED',
  cancel: 'CANCELED',
  skip: 'SUPERSEDED',
}
const TYPE = /^dev\.cdevents\.([a-z]+)\.([a-z]+)(?:\.|$)/i

interface Event {
  readonly type: string
  readonly id: string
  readonly subjectId: string
  /** The name of the pipeline: the source of the event and its own name. */
  readonly ref: string
  readonly content: unknown
  readonly at: string
  readonly chainId: string | undefined
}

export function readCdevents({ payload }: Delivery): Heard {
  // Structured: the event is the data of a CloudEvent. Bare and binary: the event is the body.
  const body = isObject(at(payload, 'context')) ? payload : at(payload, 'data')
  const type = textAt(body, 'context', 'type') ?? textAt(payload, 'type') ?? 'unknown'
  const [, subject = '', predicate = ''] = TYPE.exec(type) ?? []
  const reader = READERS[`${subject}.${predicate}`.toLowerCase()]
  if (reader === undefined) return ignored(type, 'is not a type that reports use')
  const time = instantAt(body, 'context', 'timestamp')
  const id = textAt(body, 'context', 'id')
  const subjectId = textAt(body, 'subject', 'id')
  if (time === undefined || id === undefined || subjectId === undefined) {
    return ignored(type, 'has no id, no subject or no time')
  }
  const content = at(body, 'subject', 'content')
  // Events of tasks have only the source, so the source also is a name of pipeline runs.
  const source = textAt(body, 'context', 'source') ?? textAt(body, 'subject', 'source') ?? 'unnamed'
  const ref = refOf(source, textAt(content, 'pipelineName')) as string
  const chainId = textAt(body, 'context', 'chainId')
  return reader({ type, id, subjectId, ref, content, at: time, chainId })
}

type Reader = (event: Event) => Heard
const READERS: Readonly<Record<string, Reader>> = Object.assign(Object.create(null), {
  'pipelinerun.queued': (event: Event) => run(event, 'STARTED'),
  'pipelinerun.started': (event: Event) => run(event, 'STARTED'),
  'pipelinerun.finished': (event: Event) => run(event, outcomeOf(event)),
  'taskrun.started': (event: Event) => task(event, 'STARTED'),
  'taskrun.finished': (event: Event) => task(event, outcomeOf(event)),
  'service.deployed': (event: Event) => service(event, false),
  'service.upgraded': (event: Event) => service(event, false),
  'service.rolledback': (event: Event) => service(event, true),
  'incident.detected': (event: Event) => incident(event, null),
  'incident.reported': (event: Event) => incident(event, null),
  'incident.resolved': (event: Event) => incident(event, event.at),
} satisfies Record<string, Reader>)

const outcomeOf = ({ content }: Event): string | undefined => {
  const word = textAt(content, 'outcome')?.toLowerCase() ?? ''
  return Object.hasOwn(OUTCOMES, word) ? OUTCOMES[word] : undefined
}

const timesOf = (status: string, time: string) =>
  status === 'STARTED' ? { startedAt: time } : { completedAt: after(time, time) }

function run(event: Event, status: string | undefined): Heard {
  if (status === undefined) return ignored(event.type, 'has no known outcome')
  const item = told({
    eventSource: 'generic' as const,
    eventType: 'PIPELINE' as const,
    status,
    executionId: event.subjectId,
    ...timesOf(status, event.at),
    errorMessage: status === 'FAILED' ? textAt(event.content, 'errors') : undefined,
    eventId: event.id,
  })
  return heard(event.type, { runs: [{ ref: event.ref, item }] })
}

function task(event: Event, status: string | undefined): Heard {
  if (status === undefined) return ignored(event.type, 'has no known outcome')
  const executionId = textAt(event.content, 'pipelineRun', 'id')
  if (executionId === undefined) return ignored(event.type, 'names no run of a pipeline')
  const item = told({
    eventSource: 'generic' as const,
    eventType: 'STAGE' as const,
    stageName: textAt(event.content, 'taskName') ?? event.subjectId,
    status,
    executionId,
    ...timesOf(status, event.at),
    errorMessage: status === 'FAILED' ? textAt(event.content, 'errors') : undefined,
    eventId: event.id,
  })
  return heard(event.type, { runs: [{ ref: event.ref, item }] })
}

function service(event: Event, isBack: boolean): Heard {
  const environment = textAt(event.content, 'environment', 'id')
  if (environment === undefined) return ignored(event.type, 'names no environment')
  const digest = /@(?:sha256(?::|%3A))?([0-9A-Fa-f]{7,64})(?:$|[?#])/i.exec(
    textAt(event.content, 'artifactId') ?? '',
  )?.[1]
  const item = told({
    eventSource: 'generic' as const,
    eventType: 'STAGE' as const,
    stageName: cut(`deploy ${event.subjectId}`, 255).trim(),
    status: 'SUCCEEDED',
    executionId: textAt(event.content, 'pipelineRun', 'id') ?? event.chainId ?? event.id,
    environment,
    completedAt: event.at,
    commitSha: digest,
    rollback: isBack ? true : undefined,
    eventId: event.id,
  })
  return heard(event.type, { runs: [{ ref: event.ref, item }] })
}

function incident(event: Event, resolvedAt: string | null): Heard {
  const opened = told({
    incidentId: event.subjectId,
    environment: textAt(event.content, 'environment', 'id') ?? '',
    openedAt: event.at,
    // A late opening does not remove a resolution.
    resolvedAt: resolvedAt ?? undefined,
    title: textAt(event.content, 'description'),
  })
  return heard(event.type, { incidents: [opened] })
}
