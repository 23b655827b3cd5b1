/** Spans for a program that registered an SDK: one an operation, one a job, in the caller's trace; none without an SDK. */
import {
  type Attributes,
  type AttributeValue,
  type Context,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { asc } from 'drizzle-orm'
import Type from 'typebox'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { defineJob } from '../src/runtime/jobs/define.js'
import { jobTables } from '../src/runtime/jobs/tables.js'
import { anyone, member } from '../src/runtime/operation/access.js'
import { changed, unchanged } from '../src/runtime/operation/context.js'
import { command, fromHeader, none, noTenant, query } from '../src/runtime/operation/operation.js'
import type { Store } from '../src/runtime/store/db.js'
import { floor, ORG_A } from './support/http.js'
import { jobKit } from './support/job-kit.js'
import { sqliteStore } from './support/stores.js'

const TRACE = 'a'.repeat(31)

/** The least that an SDK does: it keeps what was begun, and what became of it. */
class Recorded implements Span {
  readonly attributes: Attributes = {}
  status: SpanStatus = { code: SpanStatusCode.UNSET }
  ended = 0
  readonly #own: SpanContext
  constructor(
    readonly name: string,
    readonly kind: SpanKind | undefined,
    readonly parent: SpanContext | undefined,
    number: number,
  ) {
    this.#own = {
      traceId: parent?.traceId ?? `${TRACE}${number.toString(16)}`,
      spanId: number.toString(16).padStart(16, '0'),
      traceFlags: 1,
    }
  }
  spanContext = () => this.#own
  setAttribute(key: string, value: AttributeValue) {
    this.attributes[key] = value
    return this
  }
  setAttributes(attributes: Attributes) {
    Object.assign(this.attributes, attributes)
    return this
  }
  setStatus(status: SpanStatus) {
    this.status = status
    return this
  }
  addEvent = () => this
  addLink = () => this
  addLinks = () => this
  updateName = () => this
  recordException = () => undefined
  isRecording = () => this.ended === 0
  end() {
    this.ended += 1
  }
}

class InMemory implements TracerProvider {
  readonly spans: Recorded[] = []
  getTracer(): Tracer {
    return {
      startSpan: (name: string, options: SpanOptions = {}, context?: Context) => {
        const parent = context === undefined ? undefined : trace.getSpanContext(context)
        const span = new Recorded(name, options.kind, parent, this.spans.length + 1)
        span.setAttributes(options.attributes ?? {})
        this.spans.push(span)
        return span
      },
      startActiveSpan: () => {
        throw new Error('not used')
      },
    } as Tracer
  }
}

function sdk(): InMemory {
  const provider = new InMemory()
  trace.setGlobalTracerProvider(provider)
  return provider
}

let store: Store
beforeAll(async () => {
  store = await sqliteStore()
})
afterEach(() => trace.disable())
afterAll(() => store.close())

const traceOf = query({
  name: 'test.trace.get',
  summary: 'Get the trace id',
  http: { method: 'get', path: '/trace/:secret' },
  access: anyone(),
  tenant: noTenant,
  input: { path: Type.Object({ secret: Type.String() }) },
  output: Type.Object({ traceId: Type.Union([Type.String(), Type.Null()]) }),
  errors: [],
  run: async ({ request: { traceId } }) => ({ traceId }),
})

const update = command({
  name: 'test.trace.update',
  summary: 'Leave evidence',
  http: { method: 'post', path: '/trace' },
  access: member(),
  tenant: fromHeader,
  audit: ['org.update'],
  input: {},
  output: Type.Object({}),
  errors: [],
  async run(context) {
    await context.audit('org.update', {})
    return changed({})
  },
})

const broken = query({
  name: 'test.trace.break',
  summary: 'Break',
  http: { method: 'get', path: '/break' },
  access: member(),
  tenant: fromHeader,
  input: {},
  output: Type.Object({}),
  errors: [],
  run: async () => {
    throw new Error('the password is hunter2')
  },
})

const queueing = command({
  name: 'test.trace.queue',
  summary: 'Queue work',
  http: { method: 'post', path: '/queue' },
  access: member(),
  tenant: fromHeader,
  audit: none('a test'),
  input: {},
  output: Type.Object({}),
  errors: [],
  async run(context) {
    await context.enqueue({ kind: 'first', payload: {}, orgId: ORG_A })
    return unchanged({})
  },
})

const operations = [traceOf, update, broken, queueing]
const parent = { traceparent: `00-${'b'.repeat(32)}-${'c'.repeat(16)}-01` }

it('continues the trace of the caller: in the span, in the request, in the evidence', async () => {
  const { spans } = sdk()
  const { call } = floor(store, operations)
  const answer = await call('GET', '/trace/hush', { headers: parent, as: null })
  expect(await answer.json()).toMatchObject({ data: { traceId: 'b'.repeat(32) } })
  expect((await call('POST', '/trace', { headers: parent })).status).toBe(200)
  expect(spans).toHaveLength(2)
  expect(spans[0]).toMatchObject({
    name: 'test.trace.get',
    kind: SpanKind.SERVER,
    parent: { traceId: 'b'.repeat(32), spanId: 'c'.repeat(16), isRemote: true, traceFlags: 1 },
    attributes: { 'http.request.method': 'GET', 'http.route': '/api/trace/:secret', 'http.response.status_code': 200 },
    status: { code: SpanStatusCode.UNSET },
    ended: 1,
  })
  expect(JSON.stringify(spans.map(({ name, attributes }) => ({ name, attributes })))).not.toContain('hush')
  expect(spans[1]?.attributes).toMatchObject({ 'plumbline.org.id': ORG_A })
  const rows = await store.system.read((db) => {
    const { auditOutbox: t } = jobTables(db)
    return db.select().from(t).orderBy(asc(t.position))
  })
  expect(rows.at(-1)?.event).toMatchObject({ action: 'org.update', traceId: 'b'.repeat(32) })
})

it.each([
  undefined,
  '',
  `ff-${'b'.repeat(32)}-${'c'.repeat(16)}-01`,
  `00-${'0'.repeat(32)}-${'c'.repeat(16)}-01`,
  `00-${'b'.repeat(32)}-${'0'.repeat(16)}-01`,
  `00-${'B'.repeat(32)}-${'c'.repeat(16)}-01`,
  `00-${'b'.repeat(32)}-${'c'.repeat(15)}-01`,
])('begins a trace of its own for the traceparent %s', async (traceparent) => {
  const { spans } = sdk()
  const { call } = floor(store, operations)
  const headers: Record<string, string> = traceparent === undefined ? {} : { traceparent }
  const answer = await call('GET', '/trace/x', { headers, as: null })
  expect(spans[0]?.parent).toBeUndefined()
  expect(await answer.json()).toMatchObject({ data: { traceId: `${TRACE}1` } })
})

it('marks what failed by our own fault, without what the error says', async () => {
  const { spans } = sdk()
  const { call } = floor(store, operations)
  expect((await call('GET', '/break')).status).toBe(500)
  expect((await call('GET', '/break', { as: 'nobody' })).status).toBe(401)
  expect(spans.map(({ status, ended }) => [status.code, ended])).toEqual([
    [SpanStatusCode.ERROR, 1],
    [SpanStatusCode.UNSET, 1],
  ])
  expect(spans[0]?.attributes).toMatchObject({ 'error.type': '500' })
  expect(JSON.stringify(spans.map(({ attributes, status }) => ({ attributes, status })))).not.toContain('hunter2')
})

it('traces jobs, and puts the trace into their evidence', async () => {
  const { spans } = sdk()
  const kit = jobKit(store)
  await kit.clear()
  const job = defineJob({
    kind: 'traced',
    payload: Type.Object({ fails: Type.Boolean() }),
    audit: ['org.update'],
    async run({ finish }, { fails }) {
      if (fails) throw new Error('the password is hunter2')
      await finish(({ audit }) => audit('org.update', {}))
    },
  })
  const silent = defineJob({ ...job, kind: 'silent', audit: none('a test'), run: async () => undefined })
  await kit.add({ kind: 'traced', payload: { fails: false }, orgId: ORG_A })
  await kit.background([job, silent]).worker.settle()
  await kit.add({ kind: 'traced', payload: { fails: true } })
  await kit.background([job, silent]).worker.settle()
  expect(
    spans.map(({ name, kind, attributes, ended }) => [name, kind, attributes['plumbline.job.result'], ended]),
  ).toEqual([
    ['traced', SpanKind.CONSUMER, 'done', 1],
    ['traced', SpanKind.CONSUMER, 'retried', 1],
  ])
  expect(spans[0]?.attributes).toMatchObject({ 'plumbline.org.id': ORG_A, 'plumbline.job.attempt': 1 })
  expect(spans[1]?.status.code).toBe(SpanStatusCode.ERROR)
  expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('hunter2')
  const rows = await store.system.read((db) => db.select().from(jobTables(db).auditOutbox))
  expect(rows.map(({ event }) => event['traceId'])).toContain(`${TRACE}1`)
})

/** A job that queues another one, which leaves evidence. */
const relay = [
  defineJob({
    kind: 'first',
    payload: Type.Object({}),
    audit: none('a test'),
    run: ({ finish }) => finish(({ enqueue }) => enqueue({ kind: 'second', payload: {}, orgId: ORG_A })),
  }),
  defineJob({
    kind: 'second',
    payload: Type.Object({}),
    audit: ['org.update'],
    run: ({ finish }) => finish(({ audit }) => audit('org.update', {})),
  }),
]
const lastTraceId = () =>
  store.system.read(async (db) => {
    const { auditOutbox: t } = jobTables(db)
    return (await db.select().from(t).orderBy(asc(t.position))).at(-1)?.event['traceId']
  })

it('continues the trace of the request in the job that it queued, and in the jobs of that job', async () => {
  const { spans } = sdk()
  const kit = jobKit(store)
  await kit.clear()
  const { call } = floor(store, operations)
  expect((await call('POST', '/queue', { headers: parent })).status).toBe(200)
  await kit.background(relay).worker.settle()
  const [request, first, second] = spans
  expect(spans.map(({ name }) => name)).toEqual(['test.trace.queue', 'first', 'second'])
  expect(first?.parent).toEqual({ ...request?.spanContext(), isRemote: true })
  expect(second?.parent).toEqual({ ...first?.spanContext(), isRemote: true })
  expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set(['b'.repeat(32)]))
  expect(await lastTraceId()).toBe('b'.repeat(32))
})

it('continues the trace of the caller in the evidence of jobs also without an SDK', async () => {
  const kit = jobKit(store)
  await kit.clear()
  const { call } = floor(store, operations)
  const other = { traceparent: `00-${'d'.repeat(32)}-${'c'.repeat(16)}-00-more` }
  expect((await call('POST', '/queue', { headers: other })).status).toBe(200)
  await kit.background(relay).worker.settle()
  expect((await kit.rows()).map(({ traceparent }) => traceparent)).toEqual(
    Array(2).fill(`00-${'d'.repeat(32)}-${'c'.repeat(16)}-00`),
  )
  expect(await lastTraceId()).toBe('d'.repeat(32))
})

it('leaves a job that nobody traced without a trace', async () => {
  const { spans } = sdk()
  const kit = jobKit(store)
  await kit.clear()
  await kit.add({ kind: 'second', payload: {}, orgId: ORG_A })
  await kit.background(relay).worker.settle()
  expect(spans[0]?.parent).toBeUndefined()
})

it('makes nothing without an SDK, and still knows the trace of the caller', async () => {
  const { spans } = sdk()
  trace.disable()
  const { call } = floor(store, operations)
  const answer = await call('GET', '/trace/x', { headers: parent, as: null })
  expect(await answer.json()).toMatchObject({ data: { traceId: 'b'.repeat(32) } })
  expect(spans).toEqual([])
})
