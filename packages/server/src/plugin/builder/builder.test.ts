/**
 * The protocol of builders: what a credential can reach, fences, secrets, the log; and the way from the digest that a
 * builder named to a ready plugin, with a correct registry and with one that returns wrong contents.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRandom } from '../../../proof/world/random.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { type FakeRegistry, type Flap, fakeRegistry, type Lie } from '../../../test/support/fake-registry.js'
import { confirmed, enrol, runJobs } from '../../../test/support/organizations.js'
import { type PluginApp, pluginApp, uploaded } from '../../../test/support/plugins.js'
import { evidence, type SignedIn, signUp, stepUp } from '../../../test/support/sign-in.js'
import { createHostServicePrincipal } from '../../identity/index.js'
import { TENANT_OPERATIONS } from '../../identity/tenant-operations.js'
import { endHold, takeHold } from '../../registry/collection/hold.js'
import { newTokenKey } from '../../registry/index.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Store } from '../../runtime/store/db.js'
import { inspectArchive } from '../archive/inspect.js'
import { ARCHIVE_LIMITS } from '../archive/limits.js'
import { finishBuildJob } from '../build/finish.js'
import { buildDue } from '../build-job/wake-builders.js'
import { pluginTables } from '../tables.js'

interface Part {
  readonly digest: string
  readonly size: number
}

await describeStores('a builder', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: PluginApp
  let ann: SignedIn
  let builder: string
  let stranger: string
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
    const tokenOf = async (name: string) => {
      const { clientId, clientSecret } = await createHostServicePrincipal(host, { name, scopes: ['builds:work'] })
      const body = { grant_type: 'client_credentials', clientId, clientSecret }
      return (await app.call('POST', '/auth/token', { body })).data.accessToken as string
    }
    builder = await tokenOf('builder')
    stranger = await tokenOf('stranger')
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

  it('is woken by an upload, and alone', async () => {
    const woken: string[] = []
    const waits = (name: string) => buildDue(app.runtime, 2 ** 30).then(() => woken.push(name))
    const [first, second] = [waits('first'), waits('second')]
    await queued()
    await first
    expect(woken).toEqual(['first'])
    await queued()
    await second
    expect(woken).toEqual(['first', 'second'])
  })

  it('claims nothing once it is gone', async () => {
    const server = serve({ fetch: app.http.fetch, port: 0, hostname: '127.0.0.1' })
    if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const headers = { authorization: `Bearer ${builder}`, 'content-type': 'application/json' }
    const asking = request({ port, host: '127.0.0.1', method: 'POST', path: '/api/builder/claims', headers })
    const gone = new Promise((resolve) => asking.once('error', resolve))
    asking.end(JSON.stringify({ name: 'b1', wait: 20 }))
    try {
      await sleep(1200)
      asking.destroy(new Error('the builder was killed'))
      await gone
      await sleep(300)
      await queued()
      await sleep(1500)
      const jobs = await store.system.read((db) => db.select().from(pluginTables(db).buildJobs))
      expect(jobs).toMatchObject([{ state: 'waiting', attempts: 0 }])
    } finally {
      await new Promise((resolve) => server.close(resolve))
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
      const stale = await send(method, at, { ...more, fence: mine.fence + 1 })
      expect([what, stale.status, stale.code]).toEqual([what, 409, 'CONFLICT'])
      expect(stale.body.message, what).toMatch(/not .*(?:hold|held|its)|no longer|any more/)
      const guessed = await send(method, at, { ...more, fence: mine.fence, as: stranger })
      expect([what, guessed.status, guessed.code]).toEqual([what, 409, 'CONFLICT'])
      const nobody = `jobs/0190f000-0000-7000-8000-000000000000/${what}`
      expect([what, (await send(method, nobody, { ...more, fence: 1 })).status]).toEqual([what, 404])
      expect([what, (await send(method, at, { ...more, fence: 1, as: ann.accessToken })).status]).toEqual([what, 403])
    }
    expect([(await build(mine.id)).state, (await build(other.id)).state]).toEqual(['active', 'active'])
    expect((await app.call('GET', '/plugins', { as: builder })).status).toBe(403)
    expect((await send('POST', `jobs/${mine.id}/release`, { fence: mine.fence })).status).toBe(200)
    expect((await send('GET', `jobs/${mine.id}/archive`, { fence: mine.fence })).status).toBe(409)
  })

  it('has no way to a build that the server works on, under whatever fence', async () => {
    await queued()
    const job = await claim()
    const digest = registry.stage(`staging/${job.id}`)
    expect((await send('POST', `jobs/${job.id}/complete`, { fence: job.fence, body: { digest } })).status).toBe(202)
    for (const what of ['secrets', 'token', 'archive']) {
      expect([what, (await send('GET', `jobs/${job.id}/${what}`, { fence: job.fence + 1 })).status]).toEqual([
        what,
        409,
      ])
    }
    const body = { category: 'other', message: 'x', permanent: true }
    expect((await send('POST', `jobs/${job.id}/fail`, { fence: job.fence + 1, body })).status).toBe(409)
    await finish()
    expect((await build(job.id)).state).toBe('completed')
  })

  it('waits for the end of a collection of the registry', async () => {
    await queued()
    const job = await claim()
    const token = () => send('GET', `jobs/${job.id}/token`, { fence: job.fence })
    await takeHold(app.runtime, 'a')
    expect((await token()).status).toBe(503)
    await endHold(app.runtime, 'a')
    expect((await token()).status).toBe(200)
  })

  it('resolves the base images of a build once, for all its attempts', async () => {
    await queued()
    const job = await claim()
    expect(job.bases).toEqual([])
    const [first, moved] = ['a', 'b'].map((hex) => [{ name: 'debian:12', digest: `sha256:${hex.repeat(64)}` }])
    const beat = (bases: unknown) =>
      send('POST', `jobs/${job.id}/heartbeat`, { fence: job.fence, body: { phase: 'building', bases } })
    expect([(await beat(first)).status, (await beat(moved)).status]).toEqual([200, 200])
    expect((await beat([{ name: 'debian:12', digest: 'sha256:1' }])).status).toBe(400)
    await send('POST', `jobs/${job.id}/release`, { fence: job.fence })
    expect(await claim()).toMatchObject({ id: job.id, bases: first })
  })

  it('is given the secrets that are released to the plugin, once an attempt', async () => {
    const set = (body: unknown, headers = {}) =>
      app.call('PUT', `/organization/${ann.orgId}/secrets/NPM_TOKEN`, { as: ann, body, headers })
    const spec = 'secrets: [{ name: NPM_TOKEN, required: true }]\n'
    await set({ value: 'hunter2-hunter2' })
    const id = await queued(spec)
    // Not released: the build ends before anything runs, and its message says what to do.
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

  it('goes on with the build of a member who leaves, up to a plugin that is ready', async () => {
    const ben = await enrol(app, await signUp(app, `ben${names++}`), ann.orgId, ['Admin'])
    const { accessToken } = (
      await app.call('POST', '/auth/switch-org', { as: ben.accessToken, body: { organizationId: ann.orgId } })
    ).data
    const as = { ...ben, accessToken }
    const leave = () => confirmed(app, 'DELETE', `/organization/${ann.orgId}/members/${ben.userId}`, { as: ann })
    const id = await uploaded(app, as, { name: `p${names++}`, buildType: 'build_image' })
    expect((await plugin(id)).ownerId).toBe(ben.userId)
    const { id: jobId, fence } = await claim()
    expect((await leave()).status).toBeLessThan(300)
    expect((await app.call('GET', `/plugins/builds/${jobId}`, { as })).status).toBeGreaterThanOrEqual(400)
    const beat = await send('POST', `jobs/${jobId}/heartbeat`, { fence, body: { phase: 'building' } })
    expect(beat.data).toMatchObject({ cancel: false })
    const digest = registry.stage(`staging/${jobId}`)
    await send('POST', `jobs/${jobId}/complete`, { fence, body: { digest } })
    await finish()
    expect(await plugin(id)).toMatchObject({ buildStatus: 'ready', imageDigest: digest })
    const ends = (await evidence(app)).filter(({ targetId, action }) => targetId === id && /build/.test(String(action)))
    expect(ends.map(({ action }) => action)).toEqual(['plugin.build.completed'])
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
      // The server holds the build now.
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
    type Staged = Parameters<FakeRegistry['stage']>[1]
    it.each<[string, { readonly image?: Staged; readonly lie?: Lie; readonly digest?: string }, string, RegExp]>([
      [
        'that is not there',
        { digest: `sha256:${'0'.repeat(64)}` },
        'other',
        /the image sha256:0+ is not in the registry/,
      ],
      [
        'of a larger layer than is stored',
        { image: { change: (m) => Object.assign(layer(m), { size: 9 }) } },
        'validation',
        /blob sha256:\w+ of the image has another size/,
      ],
      [
        'that is too large',
        { image: { change: (m) => Object.assign(layer(m), { size: 2 ** 21 }) } },
        'quota',
        /more than PLUGIN_IMAGE_MAX_MB allows \(1048576\)/,
      ],
      ['of 128 layers', { image: { layers: 128 } }, 'validation', /has 128 layers, and the limit is 127/],
      [
        'with a layer elsewhere',
        { image: { change: (m) => Object.assign(layer(m), { urls: ['https://x.example/'] }) } },
        'validation',
        /layers outside the registry/,
      ],
      [
        'with a layer of a kind that none has',
        { image: { change: (m) => Object.assign(layer(m), { mediaType: 'text/plain' }) } },
        'validation',
        /a layer of the unknown media type text\/plain/,
      ],
      [
        'that is an index',
        { image: { change: (m) => Object.assign(m, { manifests: [], layers: undefined }) } },
        'validation',
        /the manifest of the image: \/layers/,
      ],
      [
        'of another platform',
        { image: { os: 'windows' } },
        'validation',
        /the image is for windows: build it for linux/,
      ],
      ['whose blobs are lost', { lie: 'lost-blob' }, 'validation', /blob sha256:\w+ of the image is missing/],
    ])('%s, and the build fails for good and says why', async (_what, { image, lie, digest }, category, text) => {
      const { id, job } = await completed(image, lie, digest)
      expect(await build(job.id)).toMatchObject({ state: 'dead', exhausted: true, category })
      expect((await build(job.id)).error).toMatch(text)
      expect(await plugin(id)).toMatchObject({ buildStatus: 'failed', isActive: false, imageDigest: null })
    })

    it.each<Lie>(['other-manifest', 'other-config', 'huge', 'redirects', 'mounts-nothing'])(
      'from a registry that lies (%s), and nothing becomes ready',
      async (lie) => {
        const { id } = await completed({}, lie)
        expect(await plugin(id)).toMatchObject({ isActive: false, imageDigest: null })
        expect((await plugin(id)).buildStatus).not.toBe('ready')
      },
    )

    it('from a registry that flaps, and what is ready can be pulled with the facts that the rules saw', async () => {
      const flaps: Flap[] = ['cut', 'none', 'doubled', 'reordered', 'changed', 'missing', 'away', 'redirect', 'endless']
      const random = createRandom(20_261_127)
      const ends = new Map<string, number>()
      for (let n = 0; n < Number(process.env.PLUMBLINE_FLAPS ?? 15); n++) {
        const id = await queued()
        const job = await claim()
        const seed = `of build ${n}`
        const digest = registry.stage(`staging/${job.id}`, { user: '0', seed })
        // This many answers of the registry are wrong, each with this probability.
        let left = 1 + random.below(4)
        registry.flap = () => {
          if (left === 0 || random.below(3) > 0) return null
          left -= 1
          return flaps[random.below(flaps.length)] ?? null
        }
        await send('POST', `jobs/${job.id}/complete`, { fence: job.fence, body: { digest } })
        for (let again = 0; again < 8 && (await build(job.id)).state === 'active'; again++) {
          await finish()
          // The next attempt is made due at once: advancing the clock would end sessions.
          await store.system.write(async (tx) => void (await tx.update(jobTables(tx).jobs).set({ runAtMs: 0 })))
        }
        registry.flap = () => null
        const row = await plugin(id)
        ends.set(row.buildStatus, (ends.get(row.buildStatus) ?? 0) + 1)
        if (row.buildStatus !== 'ready') {
          expect([row.isActive, row.imageDigest]).toEqual([false, null])
          await store.system.write(async (tx) => void (await tx.delete(pluginTables(tx).buildJobs)))
          continue
        }
        expect(row).toMatchObject({ imageDigest: digest, usesRootUser: true, builtImage: { digest, layers: 2 } })
        const stored = registry.manifests.get(`org-${ann.orgId}/${row.name}@${digest}`)
        const { config, layers } = JSON.parse(String(stored)) as { config: Part; layers: Part[] }
        for (const part of [config, ...layers]) expect(registry.blobs.get(part.digest)?.length).toBe(part.size)
        const bytes = [config, ...layers].reduce((sum, { size }) => sum + size, stored?.length ?? 0)
        expect(row.builtImage.sizeBytes).toBe(bytes)
      }
      expect(ends.get('ready')).toBeGreaterThan(0)
      expect(ends.size).toBeGreaterThan(1)
      expect(registry.endlessBytes()).toBeLessThan(200 * 1024 ** 2)
    }, 120_000)

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
