/**
 * Without a verdict nothing changes: every operation that asks the rules × everything that keeps the answer from coming.
 * The database and the blobs are compared whole, so that a row, a place, an event or evidence of a change would be seen.
 */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { httpCompliance } from '../src/compliance/port/http.js'
import { identityRegistration } from '../src/identity/registration.js'
import { TENANT_OPERATIONS } from '../src/identity/tenant-operations.js'
import { PIPELINE_OPERATIONS } from '../src/pipeline/operations.js'
import { pipelineRegistration } from '../src/pipeline/registration.js'
import { createBuildQueue } from '../src/plugin/build/queue.js'
import { pluginCatalog } from '../src/plugin/entities.js'
import { pluginOperations } from '../src/plugin/operations.js'
import { pluginRegistration } from '../src/plugin/registration.js'
import { quotaRegistration } from '../src/quota/registration.js'
import { fileBlobStore } from '../src/runtime/blobs/file-store.js'
import { CHECK_MS_MAX, type CompliancePort, compliancePort } from '../src/runtime/records/compliance.js'
import type { SqliteStore } from '../src/runtime/store/sqlite.js'
import { operationsThatAsk } from './support/guarded-operations.js'
import { confirmed, organizationApp, stepUp } from './support/organizations.js'
import { body } from './support/pipelines.js'
import { PASSES, pluginZip, uploaded, uploadZip } from './support/plugins.js'
import { type Answer, type IdentityApp, type SignedIn, signUp } from './support/sign-in.js'
import { sqliteStore } from './support/stores.js'

const passing: CompliancePort = { check: async () => ({ verdict: PASSES }) }
const blobs = mkdtempSync(join(tmpdir(), 'plumbline-blobs-'))

let store: SqliteStore
let app: IdentityApp
let ann: SignedIn
const ids = { pipeline: '', gonePipeline: '', plugin: '', gonePlugin: '', dead: '', failed: '' }
const GENERATED = { name: 'drafted', version: '1.0.0', commands: ['make'], dockerfile: 'FROM debian:12\nUSER 1000\n' }

const setPort = (compliance: CompliancePort | undefined): void => {
  app.ports.set(compliancePort, compliance)
}
const call = (method: string, path: string, sent?: unknown, headers: Record<string, string> = {}) =>
  app.call(method, path, { as: ann, ...(sent === undefined ? {} : { body: sent }), headers })

async function made(answer: Promise<Answer>): Promise<Answer> {
  const { status, body: sent } = await answer
  if (status >= 300) throw new Error(JSON.stringify(sent))
  return answer
}

/** @returns the job of a build that failed for good. */
async function failedBuild(name: string): Promise<string> {
  const built = await uploaded(app, ann, { name, buildType: 'build_image' })
  const queue = createBuildQueue(app.runtime)
  const claim = await queue.claim('a builder')
  if (claim?.pluginId !== built) throw new Error('nothing to build')
  await queue.fail(claim, { category: 'network', message: 'no registry', isPermanent: true })
  return claim.jobId
}

beforeAll(async () => {
  store = await sqliteStore()
  app = await organizationApp(store, {
    operations: [...TENANT_OPERATIONS, ...PIPELINE_OPERATIONS, ...pluginOperations],
    domains: [identityRegistration, quotaRegistration, pipelineRegistration, pluginRegistration],
    ports: { compliance: passing, blobs: fileBlobStore(blobs), plugins: pluginCatalog },
  })
  ann = await signUp(app, 'ann')
  ids.pipeline = (await made(call('POST', '/pipelines', body('shop')))).data.pipeline.id
  ids.gonePipeline = (await made(call('POST', '/pipelines', body('gone')))).data.pipeline.id
  await made(call('DELETE', `/pipelines/${ids.gonePipeline}`))
  ids.dead = await failedBuild('built')
  ids.failed = await failedBuild('built-again')
  ids.plugin = await uploaded(app, ann, { name: 'web' })
  ids.gonePlugin = await uploaded(app, ann, { name: 'gone' })
  await made(confirmed(app, 'DELETE', `/plugins/${ids.gonePlugin}`, { as: ann }))
})
afterAll(async () => {
  expect(app.errors).toEqual([])
  await store.close()
})

/** How an operation that asks answers when there is no verdict. */
interface Guarded {
  readonly operation: string
  readonly route: string
  /** `headers` carry a fresh confirmation of identity. */
  readonly ask: (headers: Record<string, string>) => Promise<Answer>
}

const GUARDED: readonly Guarded[] = [
  {
    operation: 'pipeline.pipeline.create',
    route: 'POST /pipelines',
    ask: () => call('POST', '/pipelines', body('new')),
  },
  {
    operation: 'pipeline.pipeline.update',
    route: 'PUT /pipelines/:id',
    ask: () => call('PUT', `/pipelines/${ids.pipeline}`, { description: 'changed' }),
  },
  {
    operation: 'pipeline.pipeline.restore',
    route: 'POST /pipelines/:id/restore',
    ask: (headers) => call('POST', `/pipelines/${ids.gonePipeline}/restore`, undefined, headers),
  },
  {
    operation: 'pipeline.pipeline.validate',
    route: 'POST /pipelines/validate',
    ask: () => call('POST', '/pipelines/validate', body('tried')),
  },
  {
    operation: 'pipeline.pipeline.bulk-create',
    route: 'POST /pipelines/bulk/create',
    ask: () => call('POST', '/pipelines/bulk/create', { pipelines: [body('many'), body('more')] }),
  },
  {
    operation: 'pipeline.pipeline.bulk-update',
    route: 'PUT /pipelines/bulk/update',
    ask: () => call('PUT', '/pipelines/bulk/update', { ids: [ids.pipeline], data: { description: 'in bulk' } }),
  },
  {
    operation: 'plugin.plugin.upload',
    route: 'POST /plugins',
    ask: () => uploadZip(app, ann, pluginZip({ name: 'new' })),
  },
  {
    operation: 'plugin.plugin.update',
    route: 'PUT /plugins/:id',
    ask: () => call('PUT', `/plugins/${ids.plugin}`, { description: 'changed' }),
  },
  {
    operation: 'plugin.plugin.bulk-update',
    route: 'PUT /plugins/bulk/update',
    ask: () => call('PUT', '/plugins/bulk/update', { ids: [ids.plugin], data: { description: 'in bulk' } }),
  },
  {
    operation: 'plugin.plugin.restore',
    route: 'POST /plugins/:id/restore',
    ask: (headers) => call('POST', `/plugins/${ids.gonePlugin}/restore`, undefined, headers),
  },
  {
    operation: 'plugin.dlq.replay',
    route: 'POST /plugins/queue/dlq/:jobId/replay',
    ask: () => call('POST', `/plugins/queue/dlq/${ids.dead}/replay`),
  },
  {
    operation: 'plugin.queue.retry',
    route: 'POST /plugins/queue/failed/:jobId/retry',
    ask: () => call('POST', `/plugins/queue/failed/${ids.failed}/retry`),
  },
  {
    operation: 'plugin.plugin.deploy-generated',
    route: 'POST /plugins/deploy-generated',
    ask: () => call('POST', '/plugins/deploy-generated', GENERATED),
  },
]

const away = (respond: typeof fetch | undefined, url = 'http://127.0.0.1:9'): CompliancePort =>
  httpCompliance({ url, token: async () => 'token', ...(respond === undefined ? {} : { fetch: respond }) })
const answering = (status: number, text: string): CompliancePort => away(async () => new Response(text, { status }))

const UNAVAILABLE = [503, 'COMPLIANCE_SERVICE_UNAVAILABLE']
const FAILURES: readonly { readonly what: string; readonly port: () => CompliancePort | undefined }[] = [
  { what: 'no port', port: () => undefined },
  { what: 'a host that cannot be reached', port: () => away(undefined) },
  { what: 'no answer within five seconds', port: () => ({ check: () => new Promise(() => undefined) }) },
  { what: 'an answer that is not a verdict', port: () => answering(200, '<html>all is well</html>') },
  { what: 'a verdict without its parts', port: () => answering(200, '{"success":true,"data":{"passed":true}}') },
  { what: '400 for another reason', port: () => answering(400, '{"success":false}') },
  { what: '401', port: () => answering(401, '{"success":false}') },
  { what: '403', port: () => answering(403, '{"success":false}') },
  { what: '404', port: () => answering(404, '{"success":false}') },
  { what: '500', port: () => answering(500, '{"success":true}') },
  { what: '503', port: () => answering(503, '') },
  { what: 'a port that throws', port: () => ({ check: () => Promise.reject(new Error('down')) }) },
]

/** What a request leaves whatever becomes of it: that a confirmation of identity was used. */
const OF_THE_CALLER = 'used_token_ids'

/** Everything that is stored. */
function stored(): Record<string, unknown> {
  const names = store.writer
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[]
  const tables = names
    .filter((name) => name !== OF_THE_CALLER)
    .map((name) => [name, store.writer.prepare(`SELECT * FROM "${name}"`).all()])
  return { ...Object.fromEntries(tables), blobs: readdirSync(blobs, { recursive: true }).sort() }
}

/** Five seconds pass at once. */
function hurry(): void {
  const after = globalThis.setTimeout
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) =>
    after(run, ms === CHECK_MS_MAX ? 1 : ms)) as typeof setTimeout)
}

const codesOf = ({ status, code }: Answer): unknown[] => [status, code]

/** Of a request that is answered item by item. */
const codesOfItems = ({ status, data }: Answer): unknown[] => [
  status,
  ...new Set(data.items.map((item: { code?: string }) => item.code)),
]

describe('without a verdict nothing changes', () => {
  it('names every operation that asks, and no other', () => {
    expect(GUARDED.map(({ operation }) => operation).sort()).toEqual(operationsThatAsk())
  })

  describe.each(FAILURES)('$what', ({ port }) => {
    it.each(GUARDED)('$route', async ({ ask }) => {
      const headers = await stepUp(app, ann)
      const before = stored()
      setPort(port())
      hurry()
      const answer = await ask(headers)
      vi.restoreAllMocks()
      expect(codesOf(answer)).toEqual(UNAVAILABLE)
      expect(answer.headers.get('retry-after')).toBe('1')
      expect(stored()).toEqual(before)
    })
  })

  it.each(GUARDED)('attributes that rules cannot read: $route', async ({ ask }) => {
    const headers = await stepUp(app, ann)
    const before = stored()
    setPort({ check: async () => ({ refused: { limit: 'depth', max: 10, actual: 11 } }) })
    const answer = await ask(headers)
    // Several records are answered one by one for what is the caller's to mend.
    if (answer.status === 200) expect(codesOfItems(answer)).toEqual([200, 'VALIDATION_ERROR'])
    else expect(codesOf(answer)).toEqual([400, 'VALIDATION_ERROR'])
    expect(stored()).toEqual(before)
  })

  it.each(GUARDED)('and with one, the same request goes through: $route', async ({ ask, operation }) => {
    const headers = await stepUp(app, ann)
    const before = stored()
    setPort(passing)
    const answer = await ask(headers)
    expect([answer.status < 300, answer.data?.failed ?? 0]).toEqual([true, 0])
    if (operation.endsWith('.validate')) expect(stored()).toEqual(before)
    else expect(stored()).not.toEqual(before)
  })
})

it('the guide lists these paths', () => {
  const guide = readFileSync(
    fileURLToPath(new URL('../../../docs/guide/compliance-checks.md', import.meta.url)),
    'utf8',
  )
  const rows = [...guide.matchAll(/^\| `(\w+ \/[^`]*)` \|/gm)].map(([, route]) => route)
  expect(rows.sort()).toEqual(GUARDED.map(({ route }) => route).sort())
})
