/**
 * Runs one claimed job to its end: in the scope of the organization of its row, with a lease that is renewed while it
 * works, and with the effect and the completion in one transaction.
 */

import type { Log } from '../log/log.js'
import { redactText } from '../log/redact.js'
import type { ActorRecord, RequestInfo, Runtime } from '../operation/context.js'
import { problems } from '../operation/schema.js'
import { port } from '../port.js'
import type { StoreScope, TenantKey, Tx } from '../store/db.js'
import { tenantKeyFor } from '../store/tenant-key.js'
import { parseTraceparent, traced } from '../tracing.js'
import { type AnyJob, type JobContext, type JobWrite, LeaseLost, PermanentFailure } from './define.js'
import { enqueue } from './enqueue.js'
import { writeEvidence } from './evidence.js'
import { type ClaimedJob, endIn, holdIn, type Queue } from './queue.js'

export type JobResult = 'done' | 'retried' | 'dead' | 'lost' | 'handed back'

export interface JobRunner {
  readonly runtime: Runtime
  readonly queue: Queue
  /** Returns a number from 0 up to 1, for the jitter of retries. */
  readonly random: () => number
  /** Whose rows a job of the organization may read; null when the organization does not exist any more. */
  readonly tenantOf: (orgId: string) => Promise<TenantKey | null>
  readonly log: Log
}

export const ATTEMPTS_MAX = 8
export const LEASE_MS = 60_000
const BACKOFF_MS = 5000
const BACKOFF_MS_MAX = 3_600_000
const ERROR_LENGTH_MAX = 500

/** The abort reason of a worker that is told to stop. The attempt does not count. */
export const STOPPED = new Error('the worker is stopping')

export function runJob(runner: JobRunner, definition: AnyJob, job: ClaimedJob, stop: AbortSignal): Promise<JobResult> {
  const parent = () => parseTraceparent(job.traceparent)
  const start = () => ({ name: job.kind, kind: 'job', attributes: attributesOf(job), parent }) as const
  return traced(start, async (span) => {
    const result = await runLeased(runner, definition, job, stop, span?.traceparent ?? job.traceparent)
    span?.set('plumbline.job.result', result)
    if (result === 'dead' || result === 'retried') span?.failed(result)
    return result
  })
}

const attributesOf = ({ id, orgId, attempt }: ClaimedJob) => ({
  'plumbline.job.id': id,
  'plumbline.job.attempt': attempt,
  ...(orgId === null ? {} : { 'plumbline.org.id': orgId }),
})

async function runLeased(
  runner: JobRunner,
  definition: AnyJob,
  job: ClaimedJob,
  stop: AbortSignal,
  traceparent: string | null,
): Promise<JobResult> {
  const leaseMs = definition.leaseMs ?? LEASE_MS
  const lost = new AbortController()
  const heartbeat = setInterval(() => {
    runner.queue
      .renew(job, leaseMs)
      .then((held) => held || lost.abort(new LeaseLost(job.kind)))
      .catch((error: unknown) => runner.log.write('job.lease_renewal_failed', { error, job: job.id }))
  }, leaseMs / 3)
  try {
    await attempt(runner, definition, job, AbortSignal.any([lost.signal, stop]), traceparent)
    return 'done'
  } catch (error) {
    return await afterFailure(runner, definition, job, error, stop)
  } finally {
    clearInterval(heartbeat)
  }
}

async function attempt(
  runner: JobRunner,
  definition: AnyJob,
  job: ClaimedJob,
  signal: AbortSignal,
  traceparent: string | null,
): Promise<void> {
  const { runtime } = runner
  const issues = problems(definition.payload, job.payload, '/payload')
  if (issues.length > 0) {
    throw new PermanentFailure(issues.map(({ path, message }) => `${path} ${message}`).join('; '))
  }
  const scope = await scopeOf(runner, job)
  const nowMs = runtime.clock.now()
  let isFinished = false
  const context: JobContext = {
    runtime,
    job: { id: job.id, kind: job.kind, orgId: job.orgId, attempt: job.attempt },
    nowMs,
    signal,
    read: (run) => scope.read(run),
    write: (run) =>
      scope.write(async (tx) => {
        await holdIn(tx, job, runtime.clock.now() + (definition.leaseMs ?? LEASE_MS))
        return run(writeOf(runtime, definition, job, { tx, nowMs: runtime.clock.now(), traceparent }))
      }),
    async finish(run) {
      await scope.write(async (tx) => {
        const atMs = runtime.clock.now()
        await endIn(tx, job, { state: 'done', forgetPayload: definition.forgetPayload ?? false }, atMs)
        await run(writeOf(runtime, definition, job, { tx, nowMs: atMs, traceparent }))
      })
      isFinished = true
    },
  }
  await definition.run(context, job.payload as never)
  if (!isFinished) await context.finish(async () => undefined)
}

async function scopeOf(runner: JobRunner, job: ClaimedJob): Promise<StoreScope> {
  if (job.orgId === null) return runner.runtime.store.system
  const tenant = await runner.tenantOf(job.orgId)
  if (tenant === null) throw new PermanentFailure('the organization was deleted')
  return runner.runtime.store.tenant(tenant)
}

/** Used when no domain knows organizations: the organization's own rows and the shared rows of the system. */
export const tenantAlone = async (orgId: string): Promise<TenantKey> => tenantKeyFor(orgId, null)

const SYSTEM_ACTOR: ActorRecord = { id: 'system', email: null, role: null, impersonatorId: null }

interface Writing {
  readonly tx: Tx
  readonly nowMs: number
  readonly traceparent: string | null
}

function writeOf(runtime: Runtime, { kind, audit }: AnyJob, job: ClaimedJob, writing: Writing): JobWrite {
  const { tx, nowMs, traceparent } = writing
  const traceId = parseTraceparent(traceparent)?.traceId ?? null
  const request: RequestInfo = { requestId: job.id, traceId, ip: null, userAgent: null }
  const source = { runtime, actor: SYSTEM_ACTOR, authority: { org: null }, request, nowMs }
  return {
    tx,
    nowMs,
    async audit(action, entry) {
      if ('none' in audit || !audit.includes(action))
        throw new Error(`${kind} wrote ${action}, which it does not declare`)
      await writeEvidence(tx, source, action, { orgId: job.orgId, ...entry })
    },
    enqueue: (message) => enqueue(tx, runtime, message, traceparent),
  }
}

async function afterFailure(
  { queue, random, runtime, log }: JobRunner,
  definition: AnyJob,
  job: ClaimedJob,
  error: unknown,
  stop: AbortSignal,
): Promise<JobResult> {
  if (error instanceof LeaseLost) return 'lost'
  const text = redactText(error instanceof Error ? error.message : String(error)).slice(0, ERROR_LENGTH_MAX)
  const isOver = error instanceof PermanentFailure || job.attempt >= (definition.attemptsMax ?? ATTEMPTS_MAX)
  const runAtMs = runtime.clock.now() + backoffMs(definition, job.attempt, random())
  const fields = { error, job: job.id, kind: job.kind, attempt: job.attempt }
  try {
    if (stop.aborted) {
      await queue.end(job, { state: 'waiting', uncounted: true })
      return 'handed back'
    }
    if (isOver) {
      await queue.end(job, { state: 'dead', error: text, forgetPayload: definition.forgetPayload ?? false })
      log.write('job.dead_lettered', fields)
      return 'dead'
    }
    await queue.end(job, { state: 'waiting', error: text, runAtMs })
    log.write('job.retried', fields)
    return 'retried'
  } catch (again) {
    // The lease will end, and the job is then taken back.
    if (!(again instanceof LeaseLost)) log.write('job.outcome_unwritten', { ...fields, error: again })
    return 'lost'
  }
}

/** The wait doubles with each attempt, up to an hour. With jitter it is between half of that and all of it. */
export function backoffMs(definition: Pick<AnyJob, 'backoffMs'>, attempt: number, random: number): number {
  const full = Math.min(BACKOFF_MS_MAX, (definition.backoffMs ?? BACKOFF_MS) * 2 ** (attempt - 1))
  return Math.round(full * (0.5 + random / 2))
}

/** Whose rows the jobs of an organization may read; null for one that was purged. */
export const tenantKeyPort = port<JobRunner['tenantOf']>('tenant keys')
