/** Spans as a real SDK gets them, of the generation that every supported Node can install (guide: Tracing). */
import { readFileSync } from 'node:fs'
import { trace } from '@opentelemetry/api'
import Type from 'typebox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defineJob } from '../src/runtime/jobs/define.js'
import { member } from '../src/runtime/operation/access.js'
import { unchanged } from '../src/runtime/operation/context.js'
import { command, fromHeader, none } from '../src/runtime/operation/operation.js'
import type { Store } from '../src/runtime/store/db.js'
import { floor, ORG_A } from './support/http.js'
import { jobKit } from './support/job-kit.js'
import { exporter, provider } from './support/otel.mjs'
import { sqliteStore } from './support/stores.js'

let store: Store
beforeAll(async () => {
  store = await sqliteStore()
})
afterAll(async () => {
  trace.disable()
  await provider.shutdown()
  await store.close()
})

const queueing = command({
  name: 'test.trace.queue',
  summary: 'Queue work',
  http: { method: 'post', path: '/queue/:secret' },
  access: member(),
  tenant: fromHeader,
  audit: none('a test'),
  input: { path: Type.Object({ secret: Type.String() }) },
  output: Type.Object({}),
  errors: [],
  async run(context) {
    await context.enqueue({ kind: 'queued', payload: {}, orgId: ORG_A })
    return unchanged({})
  },
})

const queued = defineJob({
  kind: 'queued',
  payload: Type.Object({}),
  audit: none('a test'),
  run: async () => undefined,
})

it('are one an operation and one a job, in the trace of the caller, without what a path holds', async () => {
  const kit = jobKit(store)
  await kit.clear()
  const { call } = floor(store, [queueing])
  const headers = { traceparent: `00-${'b'.repeat(32)}-${'c'.repeat(16)}-01` }
  expect((await call('POST', '/queue/hush', { headers })).status).toBe(200)
  await kit.background([queued]).worker.settle()
  const spans = exporter.getFinishedSpans()
  expect(spans.map(({ name }) => name)).toEqual(['test.trace.queue', 'queued'])
  const [request, job] = spans
  expect(request?.spanContext().traceId).toBe('b'.repeat(32))
  expect(request?.parentSpanContext?.spanId).toBe('c'.repeat(16))
  expect(request?.attributes).toMatchObject({ 'http.route': '/api/queue/:secret', 'http.response.status_code': 200 })
  expect(job?.spanContext().traceId).toBe('b'.repeat(32))
  expect(job?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId)
  expect(JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]))).not.toContain('hush')
})

it('there is one release of the API, which the SDK accepts: of two, one would not know the provider of the other', () => {
  const lock = JSON.parse(readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8')).packages
  const releases = Object.keys(lock).filter((path) => path.endsWith('node_modules/@opentelemetry/api'))
  expect(releases).toEqual(['node_modules/@opentelemetry/api'])
  expect(lock[releases[0] ?? ''].version).toMatch(/^1\.9\./)
})
