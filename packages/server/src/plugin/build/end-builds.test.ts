/** Goal: a build that nobody needs any more ends once, with one event that names it, whatever ended it. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { confirmed, evidenceRows, runJobs, signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { type PluginApp, pluginApp, pluginZip, uploaded, uploadZip } from '../../../test/support/plugins.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { identityRegistration } from '../../identity/registration.js'
import { TENANT_OPERATIONS } from '../../identity/tenant-operations.js'
import type { Store } from '../../runtime/store/db.js'
import { pluginTables } from '../tables.js'
import { endBuildsJob } from './end-builds.js'
import { type BuildQueue, createBuildQueue } from './queue.js'
import { sweepBuildsJob } from './sweep.js'

const IMAGE = { imageRef: 'org-1/web:1.0.0', imageDigest: 'sha256:abc', imageSizeBytes: 1000 }
const FLAKY = { category: 'network' as const, message: 'the registry did not answer', isPermanent: false }
const BROKEN = { category: 'validation' as const, message: 'no FROM statement', isPermanent: true }
const TERMINAL = /^plugin\.build\.(?:completed|failed|timeout|cancel)$/

await describeStores('builds that nobody needs', BOTH_DATABASES, (open) => {
  let store: Store
  let app: PluginApp
  let queue: BuildQueue
  let root: SignedIn
  let names = 0
  beforeAll(async () => {
    store = await open()
    app = await pluginApp(store, { operations: TENANT_OPERATIONS, domains: [identityRegistration] })
    queue = createBuildQueue(app.runtime)
    root = await superAdmin(app, 'root')
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await store.close()
  })

  const person = () => signUp(app, `person${names++}`)
  const queued = (as: SignedIn) => uploaded(app, as, { name: `p${names++}`, buildType: 'build_image' })
  const rows = (orgId: string) =>
    store.system.read((db) => {
      const { buildJobs: t } = pluginTables(db)
      return db.select().from(t).where(eq(t.orgId, orgId))
    })
  /** Of the plugin: its builds with their ends, as the log has them. */
  const ends = async (orgId: string, pluginId: string) => {
    const told = (await evidenceRows(app, orgId)).filter(
      ({ action, targetId }) => TERMINAL.test(action) && targetId === pluginId,
    )
    return told.map(({ action, details }) => ({ action, ...JSON.parse(details ?? '{}') }))
  }
  const deleted = (as: SignedIn) => confirmed(app, 'DELETE', `/organization/${as.orgId}`, { as: root })
  /** Three builds of an organization that wait, run, and failed for a while; and one that failed for good. */
  async function busy() {
    const ann = await person()
    const [broken, flaky, running, waiting] = [
      await queued(ann),
      await queued(ann),
      await queued(ann),
      await queued(ann),
    ]
    const claim = async () => (await queue.claim('a builder')) ?? expect.fail('nothing is due')
    const [first, second, held] = [await claim(), await claim(), await claim()]
    await queue.fail(first, BROKEN)
    await queue.fail(second, FLAKY)
    return { ann, held, broken, flaky, running, waiting }
  }

  it('are cancelled with their organization, each with one event that says why', async () => {
    const { ann, held, broken, ...plugins } = await busy()
    const ben = await person()
    const other = await queued(ben)
    expect((await deleted(ann)).status).toBe(202)
    await runJobs(app, [endBuildsJob])
    expect(await queue.heartbeat(held)).toBe(false)
    expect(await queue.complete(held, IMAGE)).toBe(false)
    for (const { state, lastError, pluginId, finishedAtMs } of await rows(ann.orgId)) {
      const isBroken = pluginId === broken
      expect([state, lastError], pluginId).toEqual(
        isBroken ? ['dead', BROKEN.message] : ['cancelled', 'the organization was deleted'],
      )
      expect(finishedAtMs).not.toBeNull()
    }
    for (const id of Object.values(plugins)) {
      const [job] = (await rows(ann.orgId)).filter(({ pluginId }) => pluginId === id)
      expect(await ends(ann.orgId, id)).toEqual([
        { action: 'plugin.build.cancel', id: job?.id, name: job?.pluginName, reason: 'the organization was deleted' },
      ])
    }
    expect((await ends(ann.orgId, broken)).map(({ action }) => action)).toEqual(['plugin.build.failed'])
    expect(await ends(ben.orgId, other)).toEqual([])
    // The next build is that of the other organization.
    app.clock.advance(3_600_000)
    expect((await queue.claim('a builder'))?.pluginId).toBe(other)
    expect(await queue.claim('a builder')).toBeNull()
    await app.call('DELETE', `/plugins/${other}`, { as: ben })
  })

  it('can be retried once the organization is restored', async () => {
    const { ann, running } = await busy()
    await deleted(ann)
    await runJobs(app, [endBuildsJob])
    expect((await confirmed(app, 'POST', `/organization/${ann.orgId}/restore`, { as: root })).status).toBe(200)
    const back = await signInAgain(app, ann)
    const { plugin } = (await app.call('GET', `/plugins/${running}`, { as: back })).data
    expect(plugin.buildStatus).toBe('failed')
    const [job] = (await rows(ann.orgId)).filter(({ pluginId }) => pluginId === running)
    const again = await app.call('POST', `/plugins/queue/failed/${job?.id}/retry`, { as: back })
    expect([again.status, again.data?.retried]).toEqual([202, true])
    await app.call('POST', `/plugins/builds/${again.data.newJobId}/cancel`, { as: back })
    expect(await ends(ann.orgId, running)).toHaveLength(2)
  })

  it('go on when the organization was restored at once', async () => {
    const { ann, held, waiting } = await busy()
    await deleted(ann)
    await confirmed(app, 'POST', `/organization/${ann.orgId}/restore`, { as: root })
    await runJobs(app, [endBuildsJob])
    expect(await queue.heartbeat(held)).toBe(true)
    expect(await ends(ann.orgId, waiting)).toEqual([])
    await deleted(ann)
    await runJobs(app, [endBuildsJob])
    expect(await ends(ann.orgId, waiting)).toHaveLength(1)
  })

  it('are ended by the sweep where an upload queued them at the moment of the deletion', async () => {
    const { ann, held } = await busy()
    await deleted(ann)
    await runJobs(app, [endBuildsJob])
    const { jobId } = held
    await store.system.write(async (tx) => {
      const { buildJobs: t } = pluginTables(tx)
      await tx.update(t).set({ state: 'waiting', runAtMs: app.clock.now() }).where(eq(t.id, jobId))
    })
    await runJobs(app, [sweepBuildsJob], ['plugin.sweep-builds'])
    const [job] = (await rows(ann.orgId)).filter(({ id }) => id === jobId)
    expect([job?.state, job?.lastError]).toEqual(['cancelled', 'the organization was deleted'])
  })

  it('hold the purge of an organization until they ended', async () => {
    const { ann } = await busy()
    const hold = () =>
      store.system.write(async (tx) =>
        app.runtime.domains.find(({ name }) => name === 'plugin')?.holdsPurge?.(tx, ann.orgId, async () => undefined),
      )
    expect(await hold()).toBe(true)
    await deleted(ann)
    await runJobs(app, [endBuildsJob])
    expect(await hold()).toBe(false)
  })

  it('are cancelled with their plugin, each with one event', async () => {
    const { ann, held, broken, running, waiting, flaky } = await busy()
    expect((await app.call('DELETE', `/plugins/${running}`, { as: ann })).status).toBe(200)
    expect(await queue.heartbeat(held)).toBe(false)
    const bulk = await app.call('POST', '/plugins/bulk/delete', { as: ann, body: { ids: [waiting, flaky, broken] } })
    expect(bulk.data?.deleted ?? bulk.body).toBe(3)
    for (const id of [running, waiting, flaky]) {
      const [job] = (await rows(ann.orgId)).filter(({ pluginId }) => pluginId === id)
      expect([job?.state, job?.lastError]).toEqual(['cancelled', 'the plugin was deleted'])
      expect(await ends(ann.orgId, id)).toEqual([
        { action: 'plugin.build.cancel', id: job?.id, name: job?.pluginName, reason: 'the plugin was deleted' },
      ])
    }
    expect((await ends(ann.orgId, broken)).map(({ action }) => action)).toEqual(['plugin.build.failed'])
  })

  it('are cancelled by a newer upload, and by a retry', async () => {
    const ann = await person()
    const name = `p${names++}`
    const id = await uploaded(app, ann, { name, buildType: 'build_image' })
    expect((await uploadZip(app, ann, pluginZip({ name, buildType: 'build_image' }))).status).toBe(202)
    const claimed = (await queue.claim('a builder')) ?? expect.fail('nothing is due')
    await queue.fail(claimed, FLAKY)
    const again = await app.call('POST', `/plugins/queue/failed/${claimed.jobId}/retry`, { as: ann })
    expect(again.status).toBe(202)
    const told = await ends(ann.orgId, id)
    const reason = 'the plugin is built again'
    expect(told).toMatchObject([
      { action: 'plugin.build.cancel', reason },
      { action: 'plugin.build.cancel', reason, id: claimed.jobId },
    ])
    expect(new Set(told.map((each) => each.id)).size).toBe(2)
    await app.call('POST', `/plugins/builds/${again.data.newJobId}/cancel`, { as: ann })
  })

  it('end when an administrator removes their dead letters', async () => {
    const ann = await person()
    const id = await queued(ann)
    for (let attempt = 0; attempt < 2; attempt++) {
      const claimed = (await queue.claim('a builder')) ?? expect.fail('nothing is due')
      await queue.fail(claimed, FLAKY)
      app.clock.advance(5_000)
    }
    const [job] = await rows(ann.orgId)
    expect([job?.state, job?.isExhausted]).toEqual(['dead', false])
    expect((await app.call('DELETE', '/plugins/queue/dlq', { as: root })).status).toBe(200)
    const reason = 'its dead letter was removed'
    expect(await ends(ann.orgId, id)).toEqual([
      { action: 'plugin.build.cancel', id: job?.id, name: job?.pluginName, reason },
    ])
  })
})
