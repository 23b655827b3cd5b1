/**
 * Spans of pipelines (OpenTelemetry, JSON): a SERVER span is a run, an INTERNAL span is a stage, and a span that
 * deploys is a deployment. Pure.
 */

import { isObject } from '../payload.js'
import {
  type Delivery,
  type Heard,
  type HeardRun,
  heard,
  ignored,
  listAt,
  repositoryOf,
  shaAt,
  textAt,
  told,
} from './common-form.js'
import { after } from './github.js'

const SERVER = new Set<unknown>([2, 'SPAN_KIND_SERVER'])
const INTERNAL = new Set<unknown>([1, 'SPAN_KIND_INTERNAL'])
const RESULTS: Readonly<Record<string, string>> = {
  success: 'SUCCEEDED',
  failure: 'FAILED',
  error: 'FAILED',
  timeout: 'FAILED',
  cancellation: 'CANCELED',
  skip: 'SUPERSEDED',
}

export function readOtlp({ payload }: Delivery): Heard {
  const runs = listAt(payload, 'resourceSpans').flatMap((resource) => {
    const shared = attributesOf(isObject(resource) ? resource['resource'] : undefined)
    const spans = listAt(resource, 'scopeSpans').flatMap((scope) => listAt(scope, 'spans'))
    return spans.flatMap((span) => spanOf(span, shared) ?? [])
  })
  return runs.length === 0 ? ignored('traces', 'has no span of a pipeline') : heard('traces', { runs })
}

type Attributes = ReadonlyMap<string, string>

function attributesOf(holder: unknown): Attributes {
  return new Map(
    listAt(holder, 'attributes').flatMap((each): [string, string][] => {
      const key = textAt(each, 'key')
      const value = textAt(each, 'value', 'stringValue') ?? textAt(each, 'value', 'intValue')
      return key === undefined || value === undefined ? [] : [[key, value]]
    }),
  )
}

function spanOf(span: unknown, shared: Attributes): HeardRun | null {
  const own = attributesOf(span)
  const say = (name: string) => own.get(name) ?? shared.get(name)
  const kind = isObject(span) ? span['kind'] : undefined
  const isRun = SERVER.has(kind)
  const name = say('cicd.pipeline.name')
  const executionId = say('cicd.pipeline.run.id') ?? textAt(span, 'traceId')
  if (executionId === undefined || (!isRun && !INTERNAL.has(kind))) return null
  const stageName = own.get('cicd.pipeline.task.name') ?? textAt(span, 'name')
  // A span of a service that does not build does not belong to a pipeline.
  const isOfPipeline = isRun ? name !== undefined : own.has('cicd.pipeline.task.name')
  const ref = repositoryRef(say) ?? name ?? say('service.name')
  if (!isOfPipeline || ref === undefined || (!isRun && stageName === undefined)) return null
  const startedAt = nanoAt(span, 'startTimeUnixNano')
  const ended = nanoAt(span, 'endTimeUnixNano')
  if (startedAt === undefined) return null
  const status = ended === undefined ? 'STARTED' : statusOf(span, own, isRun)
  const isDeploy = own.get('cicd.pipeline.task.type')?.toLowerCase() === 'deploy'
  const item = told({
    eventSource: 'generic' as const,
    eventType: isRun ? ('PIPELINE' as const) : ('STAGE' as const),
    stageName: isRun ? undefined : stageName,
    status,
    executionId,
    startedAt,
    completedAt: status === 'STARTED' || ended === undefined ? undefined : after(startedAt, ended),
    environment: isDeploy ? (say('deployment.environment.name') ?? say('deployment.environment')) : undefined,
    commitSha: shaAt({ sha: say('vcs.ref.head.revision') }, 'sha'),
    commitRef: say('vcs.ref.head.name'),
    errorMessage: status === 'FAILED' ? (textAt(span, 'status', 'message') ?? own.get('error.type')) : undefined,
    eventId:
      textAt(span, 'spanId') === undefined ? undefined : `${textAt(span, 'traceId') ?? ''}-${textAt(span, 'spanId')}`,
  })
  return { ref: ref.toLowerCase(), item }
}

function statusOf(span: unknown, own: Attributes, isRun: boolean): string {
  const word = (own.get(isRun ? 'cicd.pipeline.result' : 'cicd.pipeline.task.run.result') ?? '').toLowerCase()
  if (Object.hasOwn(RESULTS, word)) return RESULTS[word] as string
  const code = textAt(span, 'status', 'code')
  return code === '2' || code === 'STATUS_CODE_ERROR' ? 'FAILED' : 'SUCCEEDED'
}

function repositoryRef(say: (name: string) => string | undefined): string | undefined {
  const address = say('vcs.repository.url.full')
  const path = /^https?:\/\/[^/]+\/(.+?)(?:\.git)?\/?$/.exec(address ?? '')?.[1]
  return repositoryOf(address, path)
}

/** Nanoseconds since 1970, as a text or a number. */
function nanoAt(span: unknown, key: string): string | undefined {
  const found = textAt(span, key)
  if (found === undefined || !/^[1-9]\d{15,19}$/.test(found)) return undefined
  const ms = Number(BigInt(found) / 1_000_000n)
  return ms < 8.64e15 ? new Date(ms).toISOString() : undefined
}
