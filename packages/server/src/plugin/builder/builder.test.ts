/**
 * The protocol of builders: what a credential reaches, fences, secrets, the log; and the way from a digest that a builder
 * named to a plugin that is ready, with a registry that is good and one that lies.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeStores, EVERYWHERE } from '../../../test/support/describe-stores.js'
import { type FakeRegistry, fakeRegistry, type Lie } from '../../../test/support/fake-registry.js'
import { runJobs } from '../../../test/support/organizations.js'
import { type PluginApp, pluginApp, uploaded } from '../../../test/support/plugins.js'
import { evidence, type SignedIn, signUp, stepUp } from '../../../test/support/sign-in.js'
import { createHostServicePrincipal } from '../../identity/index.js'
import { TENANT_OPERATIONS } from '../../identity/tenant-operations.js'
import { newTokenKey } from '../../registry/index.js'
import type { Store } from '../../runtime/store/db.js'
import { inspectArchive } from '../archive/inspect.js'
import { ARCHIVE_LIMITS } from '../archive/limits.js'
import { finishBuildJob } from '../build/finish.js'
import { pluginTables } from '../tables.js'

await describeStores('a builder', EVERYWHERE, (open) => {
  let store: Store
  let app: PluginApp
  let ann: SignedIn
  let builder: string
  let registry: FakeRegistry
  let names = 0
  beforeAll(async () => {
    store = await open()
    registry = await fakeRegistry()
    app = await pluginApp(store, {
      operations: TENANT_OPERATIONS,
      settings: { REGISTRY_URL: registry.url, REGISTRY_TOKEN_KEYS: newTokenKey(0), PLUGIN_IMAGE_MAX_MB: '1' },
    })
    ann = await signUp(app, 'ann')
    const host = { runtime: app.runtime, osUser: 'ops' }
    const made = await createHostServicePrincipal(host, { name: 'builder', scopes: ['builds:work'] })
    const body = { grant_type: 'client_credentials', clientId: made.clientId, clientSecret: made.clientSecret }
    builder = (await app.call('POST', '/auth/token', { body })).data.accessToken
  })
  beforeEach(async () => {
    registry.lie = 'none'
    await store.system.write(async (tx) => void (await tx.delete(pluginTables(tx).buildJobs)))
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await registry.close()
    await store.close()
  })

  const queued = (spec = '') => uploaded(app, ann, { name: `p${names++}`, buildType: 'build_image', spec })
  const send = (
    method: string,
    path: string,
    { fence, body, as = builder }: { fence?: number; body?: unknown; as?: string } = {},
  ) =>
    app.call(method, `/builder/${path}`, {
      as,
      ...(body === undefined ? {} : { body }),
      ...(fence === undefined ? {} : { headers: { 'x-build-fence': String(fence) } }),
    })
  const claim = async () => (await send('POST', 'claims', { body: { name: 'b1', version: '1' } })).data?.job
  const plugin = async (id: string) => (await app.call('GET', `/plugins/${id}`, { as: ann })).data.plugin
  const build = async (id: string) => (await app.call('GET', `/plugins/builds/${id}`, { as: ann })).data.build
  const finish = () => runJobs(app, [finishBuildJob])

  it('is given the files of an archive with the right to run them', async () => {
    const script = { name: 'run.sh', content: '#!/bin/sh\n', attributes: 0o100755 * 0x10000 }
    await uploaded(app, ann, { name: `p${names++}`, buildType: 'build_image', files: [script] })
    const { id, fence } = await claim()
    const archive = await app.http.request(`/api/builder/jobs/${id}/archive`, {
      headers: { authorization: `Bearer ${builder}`, 'x-build-fence': String(fence) },
    })
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-modes-'))
    try {
      writeFileSync(join(folder, 'a.zip'), Buffer.from(await archive.arrayBuffer()))
      mkdirSync(join(folder, 'context'))
      await inspectArchive(join(folder, 'a.zip'), ARCHIVE_LIMITS, join(folder, 'context'))
      const modes = ['run.sh', 'Dockerfile'].map((name) => statSync(join(folder, 'context', name)).mode & 0o777)
      expect(modes).toEqual([0o755, 0o644])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('claims a build with all that it needs, and hears 204 when there is none', async () => {
    expect((await send('POST', 'claims', { body: { name: 'b1' } })).status).toBe(204)
    const id = await queued()
    const job = await claim()
    expect(job).toMatchObject({
      pluginName: expect.stringMatching(/^p\d+$/),
      buildType: 'build_image',
      attempt: 1,
      dockerfile: 'FROM debian:12\nUSER app\n',
      hasSecrets: false,
      registry: { url: registry.url, repository: `staging/${job.id}` },
    })
    expect((await plugin(id)).buildStatus).toBe('building')
    const archive = await app.http.request(`/api/builder/jobs/${job.id}/archive`, {
      headers: { authorization: `Bearer ${builder}`, 'x-build-fence': String(job.fence) },
    })
    expect([archive.status, (await archive.arrayBuffer()).byteLength]).toEqual([200, job.archiveBytes])
    const token = await send('GET', `jobs/${job.id}/token`, { fence: job.fence })
    const claims = JSON.parse(Buffer.from(token.data.token.split('.')[1], 'base64url').toString())
    expect(claims.access).toEqual([{ type: 'repository', name: `staging/${job.id}`, actions: ['pull', 'push'] }])
    const pulled = async (name: string) => {
      const answer = await send('GET', `jobs/${job.id}/token?pull=${encodeURIComponent(name)}`, { fence: job.fence })
      if (answer.status !== 200) return answer.status
      return JSON.parse(Buffer.from(answer.data.token.split('.')[1], 'base64url').toString()).access
    }
    for (const name of [`org-${ann.orgId}/base`, `org-${ann.orgId}/public/base`, 'system/base']) {
      expect(await pulled(name)).toEqual([{ type: 'repository', name, actions: ['pull'] }])
    }
    const other = 'org-0190f000-0000-7000-8000-000000000000'
    for (const name of [`${other}/base`, `${other}/public/base`, 'staging/x', '*', `org-${ann.orgId}/a:pull,push`]) {
      expect([name, await pulled(name)]).toEqual([name, 403])
    }
    expect((await send('POST', 'claims', { as: ann.accessToken, body: { name: 'b1' } })).status).toBe(403)
  })

  it('reaches the build that it holds under its fence, and no other', async () => {
    await queued()
    await queued()
    const [mine, other] = [await claim(), await claim()]
    const routes: [string, string, unknown?][] = [
      ['GET', 'archive'],
      ['GET', 'secrets'],
      ['GET', 'token'],
      ['POST', 'heartbeat', {}],
      ['POST', 'log', { from: 0, text: 'x\n' }],
      ['POST', 'complete', { digest: `sha256:${'0'.repeat(64)}` }],
      ['POST', 'fail', { category: 'other', message: 'x', permanent: true }],
      ['POST', 'release'],
    ]
    for (const [method, what, body] of routes) {
      const at = `jobs/${mine.id}/${what}`
      const more = body === undefined ? {} : { body }
      expect([what, (await send(method, at, more)).status]).toEqual([what, 400])
      expect([what, (await send(method, at, { ...more, fence: mine.fence + 1 })).status]).toEqual([what, 409])
      const nobody = `jobs/0190f000-0000-7000-8000-000000000000/${what}`
      expect([what, (await send(method, nobody, { ...more, fence: 1 })).status]).toEqual([what, 404])
      expect([what, (await send(method, at, { ...more, fence: 1, as: ann.accessToken })).status]).toEqual([what, 403])
    }
    expect([(await build(mine.id)).state, (await build(other.id)).state]).toEqual(['active', 'active'])
    expect((await app.call('GET', '/plugins', { as: builder })).status).toBe(403)
    expect((await send('POST', `jobs/${mine.id}/release`, { fence: mine.fence })).status).toBe(200)
    expect((await send('GET', `jobs/${mine.id}/archive`, { fence: mine.fence })).status).toBe(409)
  })

  it('is given the secrets that are released to the plugin, once an attempt', async () => {
    const set = (body: unknown, headers = {}) =>
      app.call('PUT', `/organization/${ann.orgId}/secrets/NPM_TOKEN`, { as: ann, body, headers })
    const spec = 'secrets: [{ name: NPM_TOKEN, required: true }]\n'
    await set({ value: 'hunter2-hunter2' })
    const id = await queued(spec)
    // Not released: the build ends before anything runs, and says what to do.
    expect(await claim()).toBeUndefined()
    const { jobs } = (await app.call('GET', '/plugins/queue/dlq', { as: ann })).data
    expect(jobs[0]).toMatchObject({
      category: 'auth-secrets',
      failureCategory: 'permanent',
      error: expect.stringContaining('plumbline secrets set NPM_TOKEN'),
    })
    await set({ plugins: [(await plugin(id)).name] }, await stepUp(app, ann))
    expect((await app.call('POST', `/plugins/queue/dlq/${jobs[0].id}/replay`, { as: ann })).status).toBe(202)
    const job = await claim()
    expect(job.hasSecrets).toBe(true)
    const given = await send('GET', `jobs/${job.id}/secrets`, { fence: job.fence })
    expect(given.data.secrets).toEqual([{ name: 'NPM_TOKEN', value: 'hunter2-hunter2' }])
    expect((await send('GET', `jobs/${job.id}/secrets`, { fence: job.fence })).status).toBe(409)
  })

  it('writes the log by places, and hears that nobody wants the build any more', async () => {
    await queued()
    const job = await claim()
    const { fence } = job
    const log = (from: number, text: string) => send('POST', `jobs/${job.id}/log`, { fence, body: { from, text } })
    expect([(await log(0, 'one\n')).status, (await log(0, 'one\n')).status]).toEqual([200, 200])
    const missing = await log(100, 'x\n')
    expect([missing.status, missing.body.details]).toMatchObject([409, { expected: 4 }])
    const beat = () => send('POST', `jobs/${job.id}/heartbeat`, { fence, body: { phase: 'building' } })
    expect((await beat()).data).toMatchObject({ cancel: false })
    expect((await build(job.id)).phase).toBe('building')
    await app.call('POST', `/plugins/builds/${job.id}/cancel`, { as: ann })
    expect((await beat()).data).toEqual({ leaseUntil: null, cancel: true })
    expect((await log(4, 'two\n')).status).toBe(409)
  })

  describe('hands over an image', () => {
    async function completed(image: Parameters<FakeRegistry['stage']>[1] = {}, lie: Lie = 'none', digest?: string) {
      const id = await queued()
      const job = await claim()
      const staged = registry.stage(`staging/${job.id}`, image)
      registry.lie = lie
      const answer = await send('POST', `jobs/${job.id}/complete`, {
        fence: job.fence,
        body: { digest: digest ?? staged },
      })
      expect(answer.status).toBe(202)
      // It is the server's now.
      for (const what of ['heartbeat', 'release']) {
        expect(
          (
            await send('POST', `jobs/${job.id}/${what}`, {
              fence: job.fence,
              ...(what === 'heartbeat' && { body: {} }),
            })
          ).status,
        ).toBe(409)
      }
      await finish()
      return { id, job, staged }
    }

    it('that the server reads, publishes, and makes the plugin ready with', async () => {
      const { id, job, staged } = await completed({ user: '0' })
      const row = await plugin(id)
      expect(row).toMatchObject({ buildStatus: 'ready', isActive: true, imageDigest: staged, usesRootUser: true })
      expect(row.imageRef).toBe(`org-${ann.orgId}/${row.name}:1.0.0`)
      expect(registry.manifests.has(`org-${ann.orgId}/${row.name}@${staged}`)).toBe(true)
      expect(registry.manifests.has(`staging/${job.id}@${staged}`)).toBe(false)
      expect((await build(job.id)).state).toBe('completed')
      const events = (await evidence(app)).filter(({ targetId }) => targetId === id).map(({ action }) => action)
      expect(events.filter((action) => action.startsWith('plugin.build.'))).toEqual(['plugin.build.completed'])
    })

    const layer = (manifest: Record<string, unknown>) => (manifest['layers'] as Record<string, unknown>[])[0] ?? {}
    it.each<[string, Parameters<FakeRegistry['stage']>[1], Lie, string?]>([
      ['that is not there', {}, 'none', `sha256:${'0'.repeat(64)}`],
      ['of a larger layer than is stored', { change: (m) => Object.assign(layer(m), { size: 9 }) }, 'none'],
      ['that is too large', { change: (m) => Object.assign(layer(m), { size: 2 ** 21 }) }, 'none'],
      ['of 128 layers', { layers: 128 }, 'none'],
      ['with a layer elsewhere', { change: (m) => Object.assign(layer(m), { urls: ['https://x.example/'] }) }, 'none'],
      ['that is an index', { change: (m) => Object.assign(m, { manifests: [], layers: undefined }) }, 'none'],
      ['whose blobs are lost', {}, 'lost-blob'],
    ])('%s, and the build fails for good', async (_what, image, lie, digest) => {
      const { id, job } = await completed(image, lie, digest)
      expect(await build(job.id)).toMatchObject({ state: 'dead', exhausted: true })
      expect(await plugin(id)).toMatchObject({ buildStatus: 'failed', isActive: false, imageDigest: null })
    })

    it.each<Lie>(['other-manifest', 'other-config', 'huge', 'redirects'])(
      'from a registry that lies (%s), and nothing becomes ready',
      async (lie) => {
        const { id } = await completed({}, lie)
        expect(await plugin(id)).toMatchObject({ isActive: false, imageDigest: null })
        expect((await plugin(id)).buildStatus).not.toBe('ready')
      },
    )

    it('once the registry is back', async () => {
      const { id, job } = await completed({}, 'away')
      expect((await build(job.id)).state).toBe('active')
      registry.lie = 'forgets'
      app.clock.advance(60_000)
      await finish()
      expect((await plugin(id)).buildStatus).toBe('building')
      registry.lie = 'none'
      app.clock.advance(120_000)
      await finish()
      expect((await plugin(id)).buildStatus).toBe('ready')
    })
  })
})
