/** The builders in the status of the queue: what they say of themselves, what is wrong with them, and who sees it. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { type PluginApp, pluginApp, uploaded } from '../../../test/support/plugins.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { getConfig } from '../../identity/config/get.js'
import { createHostServicePrincipal } from '../../identity/index.js'
import { newTokenKey } from '../../registry/index.js'
import { toIso } from '../../runtime/clock.js'
import type { Store } from '../../runtime/store/db.js'
import { BUILDER_GONE_MS } from '../build-job/builders.js'
import { pluginTables } from '../tables.js'

const FULL = { reason: 'disk-full', message: 'the disk of the builder is full: free space in /var/tmp' }
const LACKS = { reason: 'machine', message: 'programs are missing: `apt-get install buildah`' }
const DIGEST = `sha256:${'0'.repeat(64)}`

await describeStores('builders in the status of the queue', BOTH_DATABASES, (open) => {
  let store: Store
  let app: PluginApp
  let ann: SignedIn
  let root: SignedIn
  let builder = ''
  let names = 0
  beforeAll(async () => {
    store = await open()
    app = await pluginApp(store, {
      operations: [getConfig],
      settings: { REGISTRY_URL: 'http://127.0.0.1:1', REGISTRY_TOKEN_KEYS: newTokenKey(0) },
    })
    ann = await signUp(app, 'ann')
    root = await superAdmin(app, 'root')
    const host = { runtime: app.runtime, osUser: 'ops' }
    const { clientId, clientSecret } = await createHostServicePrincipal(host, {
      ...{ name: 'builder', scopes: ['builds:work'] },
    })
    const body = { grant_type: 'client_credentials', clientId, clientSecret }
    builder = (await app.call('POST', '/auth/token', { body })).data.accessToken
  })
  beforeEach(() =>
    store.system.write(async (tx) => {
      const { builders, buildJobs } = pluginTables(tx)
      await tx.delete(buildJobs)
      await tx.delete(builders)
    }),
  )
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await store.close()
  })

  const queued = () => uploaded(app, ann, { name: `p${names++}`, buildType: 'build_image' })
  const claim = async (more: object = {}) => {
    const answer = await app.call('POST', '/builder/claims', {
      as: builder,
      body: { name: 'b1', machine: 'm1', ...more },
    })
    expect([200, 204]).toContain(answer.status)
    return answer.data?.job ?? null
  }
  const end = async (job: { id: string; fence: number }, how: string, body?: object) =>
    (
      await app.call('POST', `/builder/jobs/${job.id}/${how}`, {
        ...{ as: builder, headers: { 'x-build-fence': String(job.fence) } },
        ...(body === undefined ? {} : { body }),
      })
    ).status
  const shown = async (as = root) => (await app.call('GET', '/plugins/queue/status', { as })).data.builders
  const isOffered = async () => (await app.call('GET', '/config')).data.features.builder

  it('are named with what they say of themselves and what they build, each machine by itself', async () => {
    await queued()
    const about = { version: '1.2.3', capabilities: ['linux/amd64', 'cgroups'] }
    const job = await claim(about)
    app.clock.advance(1000)
    await claim({ machine: 'm2' })
    const at = app.clock.now()
    expect(await shown()).toEqual([
      {
        ...{ name: 'b1@m2', state: 'working', lastSeenAt: toIso(at), fault: null },
        ...{ version: null, capabilities: [], building: [] },
      },
      {
        ...{ name: 'b1@m1', state: 'working', lastSeenAt: toIso(at - 1000), fault: null, ...about },
        building: [{ jobId: job.id, pluginName: job.pluginName, version: '1.0.0' }],
      },
    ])
  })

  it('say why they gave a build back, until they end one', async () => {
    await queued()
    for (const how of ['complete', 'fail'] as const) {
      const job = await claim()
      expect(await end(job, 'release', { fault: FULL })).toBe(200)
      const fault = { ...FULL, at: toIso(app.clock.now()) }
      expect(await shown()).toMatchObject([{ name: 'b1@m1', state: 'faulty', building: [], fault }])
      const again = await claim()
      // It asks again, which does not show that it can build.
      expect([again.id, again.attempt]).toEqual([job.id, job.attempt])
      expect(await shown()).toMatchObject([{ state: 'faulty', fault }])
      const body = how === 'complete' ? { digest: DIGEST } : { category: 'other', message: 'x', permanent: true }
      expect(await end(again, how, body)).toBe(how === 'complete' ? 202 : 200)
      expect(await shown()).toMatchObject([{ state: 'working', fault: null }])
      await queued()
    }
  })

  it('are without a fault once they start again, and stay so when they are stopped', async () => {
    await queued()
    await end(await claim(), 'release', { fault: FULL })
    const job = await claim({ fault: null })
    expect(await shown()).toMatchObject([{ state: 'working', fault: null }])
    expect(await end(job, 'release')).toBe(200)
    expect(await shown()).toMatchObject([{ state: 'working', fault: null }])
  })

  it('that cannot start get no build and count as none, until they ask for one', async () => {
    await queued()
    expect([await claim({ fault: LACKS }), await isOffered()]).toEqual([null, false])
    expect(await shown()).toMatchObject([{ state: 'faulty', fault: LACKS }])
    expect(await claim()).not.toBeNull()
    expect([await shown(), await isOffered()]).toMatchObject([[{ state: 'working', fault: null }], true])
  })

  it('are shown to organizations without names, words and builds of others', async () => {
    await queued()
    await end(await claim(), 'release', { fault: FULL })
    const at = toIso(app.clock.now())
    expect(await shown(ann)).toEqual([
      {
        ...{ name: null, version: null, capabilities: null, building: null, state: 'faulty', lastSeenAt: at },
        fault: { reason: 'disk-full', message: null, at },
      },
    ])
  })

  it('say nothing that is secret, has control characters or is long', async () => {
    await queued()
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('\n', '\x1b[2J', '\u2028', '\u202e', '\x7f', `plk_${'s3cret'.repeat(5)}`, 'Bearer s3crets3cret'),
      fc.constant('word '.repeat(120)),
    )
    const messages = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(' ').replaceAll('\0', ''))
    await fc.assert(
      fc.asyncProperty(messages, async (message) => {
        await end(await claim(), 'release', { fault: { reason: 'other', message } })
        const [{ fault }] = await shown()
        expect(fault.message.length).toBeLessThanOrEqual(500)
        expect(fault.message).not.toMatch(/s3cret|[\p{Cc}\p{Cf}\u2028\u2029]/u)
      }),
      { numRuns: 40 },
    )
  })

  it('say it in known words', async () => {
    await queued()
    const job = await claim()
    for (const fault of [
      { reason: 'tired', message: 'x' },
      { reason: 'other' },
      { ...FULL, message: 'x'.repeat(4001) },
    ])
      expect(await end(job, 'release', { fault })).toBe(400)
    expect(await end(job, 'release', { fault: FULL })).toBe(200)
  })

  it('are gone after five minutes, and left out after a day', async () => {
    await queued()
    await end(await claim(), 'release', { fault: FULL })
    app.clock.advance(BUILDER_GONE_MS - 1)
    expect(await shown()).toMatchObject([{ state: 'faulty' }])
    app.clock.advance(1)
    expect(await shown()).toMatchObject([{ state: 'gone', fault: FULL }])
    app.clock.advance(86_400_000 - BUILDER_GONE_MS)
    expect(await shown(await signInAgain(app, root))).toEqual([])
  })
})
