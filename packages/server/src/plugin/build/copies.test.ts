/** The registry follows the plugins: public copies, staged images that were left, images of deleted plugins. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { type FakeRegistry, fakeRegistry } from '../../../test/support/fake-registry.js'
import { confirmed, runJobs, signInAgain } from '../../../test/support/organizations.js'
import { type PluginApp, pluginApp, pluginZip, uploaded, uploadZip } from '../../../test/support/plugins.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { newTokenKey } from '../../registry/index.js'
import type { Store } from '../../runtime/store/db.js'
import { pluginTables } from '../tables.js'
import { attestImageJob } from './attest-image.js'
import { finishBuildJob } from './finish.js'
import { publicCopiesJob } from './public-copies.js'
import { createBuildQueue } from './queue.js'
import { dropImageJob, sweepStagingJob } from './sweep-images.js'

const DAY_MS = 86_400_000

await describeStores('images follow their plugins', BOTH_DATABASES, (open) => {
  let store: Store
  let app: PluginApp
  let ann: SignedIn
  let registry: FakeRegistry
  beforeAll(async () => {
    store = await open()
    registry = await fakeRegistry()
    app = await pluginApp(store, { settings: { REGISTRY_URL: registry.url, REGISTRY_TOKEN_KEYS: newTokenKey(0) } })
    ann = await signUp(app, 'ann')
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await registry.close()
    await store.close()
  })

  const JOBS = [finishBuildJob, attestImageJob, publicCopiesJob, sweepStagingJob, dropImageJob]
  /** A ready plugin with its own image. */
  async function ready(
    name: string,
    version: string,
    accessModifier = 'private',
  ): Promise<{ id: string; digest: string }> {
    const id = await uploaded(app, ann, { name, version, buildType: 'build_image' }, { accessModifier })
    return { id, digest: await built(`${name}${version}`) }
  }
  /** The build that waits, up to its image. */
  async function built(seed: string): Promise<string> {
    const queue = createBuildQueue(app.runtime)
    const held = await queue.claim('b1')
    if (held === null) throw new Error('no build waits')
    const digest = registry.stage(`staging/${held.jobId}`, { seed, tag: `attempt-${held.fence}` })
    const { jobId, orgId } = held
    await queue.takeOver(held, async (tx, { fence }) => {
      const { enqueue } = await import('../../runtime/jobs/enqueue.js')
      await enqueue(tx, app.runtime, { kind: finishBuildJob.kind, payload: { jobId, fence, digest, orgId } })
    })
    await runJobs(app, JOBS)
    return digest
  }
  const change = (id: string, accessModifier: string) =>
    app.call('PUT', `/plugins/${id}`, { as: ann, body: { accessModifier } })
  const tagged = (repository: string) =>
    [...registry.manifests.keys()].filter((key) => key.startsWith(`${repository}:`) && !key.includes(':sha256-')).sort()
  const attestedIn = (repository: string, digest: string) =>
    registry.manifests.has(`${repository}:${digest.replace(':', '-')}`)
  const publicOf = (name: string) => `org-${ann.orgId}/public/${name}`

  it('to where all may pull them, and back', async () => {
    const one = await ready('shown', '1.0.0')
    const two = await ready('shown', '2.0.0', 'public')
    expect(attestedIn(publicOf('shown'), two.digest)).toBe(true)
    expect(tagged(publicOf('shown'))).toEqual([`${publicOf('shown')}:2.0.0`])
    expect((await change(one.id, 'public')).status).toBe(200)
    await runJobs(app, JOBS)
    expect(tagged(publicOf('shown'))).toEqual(['1.0.0', '2.0.0'].map((tag) => `${publicOf('shown')}:${tag}`))
    expect(registry.manifests.has(`${publicOf('shown')}@${one.digest}`)).toBe(true)
    await change(one.id, 'private')
    await runJobs(app, JOBS)
    expect(tagged(publicOf('shown'))).toEqual([`${publicOf('shown')}:2.0.0`])
    expect([one.digest, two.digest].map((digest) => attestedIn(publicOf('shown'), digest))).toEqual([false, true])
    expect([one.digest, two.digest].map((digest) => attestedIn(`org-${ann.orgId}/shown`, digest))).toEqual([true, true])
    // Its own image stays in its repository.
    expect(tagged(`org-${ann.orgId}/shown`)).toHaveLength(2)
    await change(one.id, 'public')
    await runJobs(app, JOBS)
    await app.call('DELETE', `/plugins/${one.id}`, { as: ann })
    await runJobs(app, JOBS)
    expect(tagged(publicOf('shown'))).toEqual([`${publicOf('shown')}:2.0.0`])
    expect((await confirmed(app, 'POST', `/plugins/${one.id}/restore`, { as: ann })).status).toBe(200)
    await runJobs(app, JOBS)
    expect(tagged(publicOf('shown'))).toHaveLength(2)
  })

  it('and go when the version is uploaded again for the organization alone, also while it is built', async () => {
    const one = await ready('again', '1.0.0', 'public')
    expect(tagged(publicOf('again'))).toEqual([`${publicOf('again')}:1.0.0`])
    const zip = pluginZip({ name: 'again', version: '1.0.0', buildType: 'build_image' })
    const answer = await uploadZip(app, ann, zip, { accessModifier: 'private' }, { query: '?replace=true' })
    expect([answer.status, answer.data.pluginId]).toEqual([202, one.id])
    await runJobs(app, JOBS)
    expect(tagged(publicOf('again'))).toEqual([])
    expect(registry.manifests.has(`org-${ann.orgId}/again@${one.digest}`)).toBe(true)
    // Deleted before the new image is there: the one of before goes a day later.
    await app.call('DELETE', `/plugins/${one.id}`, { as: ann })
    app.clock.advance(DAY_MS + 1000)
    ann = await signInAgain(app, ann)
    await runJobs(app, JOBS)
    expect(tagged(`org-${ann.orgId}/again`)).toEqual([])
  })

  it('and follow a change that was made while they were compared', async () => {
    const { id } = await ready('late', '1.0.0', 'private')
    await change(id, 'public')
    let isWithdrawn = false
    registry.flap = (method, path) => {
      if (method === 'PUT' && path.includes('/manifests/') && path.includes('/public/late/') && !isWithdrawn) {
        isWithdrawn = true
        void store.system.write(async (tx) => {
          const { plugins: t } = pluginTables(tx)
          await tx.update(t).set({ accessModifier: 'private' }).where(eq(t.id, id))
        })
      }
      return null
    }
    await runJobs(app, JOBS)
    registry.flap = () => null
    await runJobs(app, JOBS)
    expect([isWithdrawn, tagged(publicOf('late'))]).toEqual([true, []])
  })

  it('and go a day after a plugin went for good, unless it came again', async () => {
    const own = `org-${ann.orgId}/gone`
    const purged = async (id: string) => {
      await app.call('DELETE', `/plugins/${id}`, { as: ann })
      expect((await confirmed(app, 'POST', `/plugins/${id}/purge`, { as: ann })).status).toBe(200)
    }
    await purged((await ready('gone', '1.0.0')).id)
    await runJobs(app, JOBS)
    expect(tagged(own)).toEqual([`${own}:1.0.0`])
    app.clock.advance(DAY_MS + 1000)
    ann = await signInAgain(app, ann)
    await runJobs(app, JOBS)
    expect([...registry.manifests.keys()].filter((key) => key.startsWith(own))).toEqual([])
    await purged((await ready('gone', '1.0.0')).id)
    await ready('gone', '1.0.0')
    app.clock.advance(DAY_MS + 1000)
    ann = await signInAgain(app, ann)
    await runJobs(app, JOBS)
    expect(tagged(own)).toEqual([`${own}:1.0.0`])
  })

  it('and go a day after a new upload replaced them, with what is known of them', async () => {
    const { digest } = await ready('newer', '1.0.0')
    const zip = pluginZip({ name: 'newer', version: '1.0.0', buildType: 'build_image' })
    expect((await uploadZip(app, ann, zip)).status).toBe(202)
    const newest = await built('newer twice')
    const own = `org-${ann.orgId}/newer`
    const there = () => [digest, newest].map((each) => registry.manifests.has(`${own}@${each}`))
    expect(there()).toEqual([true, true])
    app.clock.advance(DAY_MS + 1000)
    ann = await signInAgain(app, ann)
    await runJobs(app, JOBS)
    expect(there()).toEqual([false, true])
    expect([digest, newest].map((each) => attestedIn(own, each))).toEqual([false, true])
    expect(registry.manifests.get(`${own}:1.0.0`)).toBeDefined()
  })

  it('and what an attempt staged goes when its build is over', async () => {
    const id = await uploaded(app, ann, { name: 'staged', buildType: 'build_image' })
    const queue = createBuildQueue(app.runtime)
    const held = await queue.claim('b1')
    if (held === null) throw new Error('no build waits')
    const staging = `staging/${held.jobId}`
    registry.stage(staging, { seed: 'left', tag: 'attempt-1' })
    await runJobs(app, JOBS, [sweepStagingJob.kind])
    expect(tagged(staging)).toHaveLength(1)
    await app.call('POST', `/plugins/builds/${held.jobId}/cancel`, { as: ann })
    app.clock.advance(2 * 60_000)
    await runJobs(app, JOBS, [sweepStagingJob.kind])
    expect([tagged(staging), [...registry.manifests.keys()].filter((key) => key.startsWith(staging))]).toEqual([[], []])
    expect(id).toBeDefined()
  })

  it('and what is left of it goes once a registry that was away for hours is back', async () => {
    await uploaded(app, ann, { name: 'away', buildType: 'build_image' })
    const held = await createBuildQueue(app.runtime).claim('b1')
    if (held === null) throw new Error('no build waits')
    const staging = `staging/${held.jobId}`
    registry.stage(staging, { seed: 'away', tag: 'attempt-1' })
    await app.call('POST', `/plugins/builds/${held.jobId}/cancel`, { as: ann })
    registry.lie = 'away'
    for (let hours = 0; hours < 3; hours++) {
      app.clock.advance(3_600_000)
      await runJobs(app, JOBS, [sweepStagingJob.kind])
    }
    expect(tagged(staging)).toHaveLength(1)
    registry.lie = 'none'
    app.clock.advance(3_600_000)
    await runJobs(app, JOBS, [sweepStagingJob.kind])
    expect(tagged(staging)).toEqual([])
  })
})
