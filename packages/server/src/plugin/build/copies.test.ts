/** What the registry has follows the plugins: public copies, what was staged and left, images of plugins that are gone. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, IN_PROCESS } from '../../../test/support/describe-stores.js'
import { type FakeRegistry, fakeRegistry } from '../../../test/support/fake-registry.js'
import { confirmed, runJobs, signInAgain } from '../../../test/support/organizations.js'
import { type PluginApp, pluginApp, uploaded } from '../../../test/support/plugins.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { newTokenKey } from '../../registry/index.js'
import type { Store } from '../../runtime/store/db.js'
import { finishBuildJob } from './finish.js'
import { publicCopiesJob } from './public-copies.js'
import { createBuildQueue } from './queue.js'
import { dropImageJob, sweepStagingJob } from './sweep-images.js'

const DAY_MS = 86_400_000

await describeStores('images follow their plugins', IN_PROCESS, (open) => {
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

  const JOBS = [finishBuildJob, publicCopiesJob, sweepStagingJob, dropImageJob]
  /** A plugin that is ready, with an image of its own. */
  async function ready(
    name: string,
    version: string,
    accessModifier = 'private',
  ): Promise<{ id: string; digest: string }> {
    const id = await uploaded(app, ann, { name, version, buildType: 'build_image' }, { accessModifier })
    const queue = createBuildQueue(app.runtime)
    const held = await queue.claim('b1')
    if (held === null) throw new Error('no build waits')
    const digest = registry.stage(`staging/${held.jobId}`, { seed: `${name}${version}`, tag: `attempt-${held.fence}` })
    const { jobId, orgId } = held
    await queue.takeOver(held, async (tx, { fence }) => {
      const { enqueue } = await import('../../runtime/jobs/enqueue.js')
      await enqueue(tx, app.runtime, { kind: finishBuildJob.kind, payload: { jobId, fence, digest, orgId } })
    })
    await runJobs(app, JOBS)
    return { id, digest }
  }
  const change = (id: string, accessModifier: string) =>
    app.call('PUT', `/plugins/${id}`, { as: ann, body: { accessModifier } })
  const tagged = (repository: string) =>
    [...registry.manifests.keys()].filter((key) => key.startsWith(`${repository}:`)).sort()
  const publicOf = (name: string) => `org-${ann.orgId}/public/${name}`

  it('to where all may pull them, and back', async () => {
    const one = await ready('shown', '1.0.0')
    await ready('shown', '2.0.0', 'public')
    expect(tagged(publicOf('shown'))).toEqual([`${publicOf('shown')}:2.0.0`])
    expect((await change(one.id, 'public')).status).toBe(200)
    await runJobs(app, JOBS)
    expect(tagged(publicOf('shown'))).toEqual(['1.0.0', '2.0.0'].map((tag) => `${publicOf('shown')}:${tag}`))
    expect(registry.manifests.has(`${publicOf('shown')}@${one.digest}`)).toBe(true)
    await change(one.id, 'private')
    await runJobs(app, JOBS)
    expect(tagged(publicOf('shown'))).toEqual([`${publicOf('shown')}:2.0.0`])
    // Its own image stays where it was.
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

  it('and go a day after a plugin went for good, unless it came again', async () => {
    const own = `org-${ann.orgId}/gone`
    const purged = async (id: string) => {
      await app.call('DELETE', `/plugins/${id}`, { as: ann })
      expect((await confirmed(app, 'POST', `/plugins/${id}/purge`, { as: ann })).status).toBe(204)
    }
    await purged((await ready('gone', '1.0.0')).id)
    await runJobs(app, JOBS)
    expect(tagged(own)).toEqual([`${own}:1.0.0`])
    app.clock.advance(DAY_MS + 1000)
    ann = await signInAgain(app, ann)
    await runJobs(app, JOBS)
    expect(tagged(own)).toEqual([])
    await purged((await ready('gone', '1.0.0')).id)
    await ready('gone', '1.0.0')
    app.clock.advance(DAY_MS + 1000)
    ann = await signInAgain(app, ann)
    await runJobs(app, JOBS)
    expect(tagged(own)).toEqual([`${own}:1.0.0`])
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
})
