/** Plugin builds, reported by the queue as they end, and the reports about them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { type PluginApp, pluginApp, uploaded } from '../../../test/support/plugins.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { createBuildQueue } from '../../plugin/build/queue.js'
import { knownPlugins } from '../../plugin/live-plugins.js'
import { pluginTables } from '../../plugin/tables.js'
import { finishedBuildsPort, knownPluginsPort } from '../../runtime/records/finished-builds.js'
import type { Store } from '../../runtime/store/db.js'
import { REPORTING_OPERATIONS } from '../operations.js'
import { reportingRegistration } from '../registration.js'
import { reportingTables } from '../tables.js'
import { buildListener } from './listener.js'

const IMAGE = { imageRef: 'org-1/web:1.0.0', imageDigest: 'sha256:abc', imageSizeBytes: 1000 }
const DAY = 86_400_000

await describeStores('reports on builds of plugins', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: PluginApp
  let ann: SignedIn
  let ben: SignedIn
  const queue = () => createBuildQueue(app.runtime)
  beforeAll(async () => {
    store = await open()
    app = await pluginApp(store, { operations: REPORTING_OPERATIONS, domains: [reportingRegistration] })
    app.ports.set(finishedBuildsPort, buildListener).set(knownPluginsPort, knownPlugins)
    ann = await signUp(app, 'ann')
    ben = await signUp(app, 'ben')
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const report = async (path: string, as = ann) => {
    const answer = await app.call('GET', `/reports/plugins/${path}`, { as })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.data
  }
  /** Queues a build, lets it run for this time, and ends it. */
  async function build(
    name: string,
    version: string,
    seconds: number,
    failure?: { category: string; message: string },
  ) {
    await uploaded(app, ann, { name, version, buildType: 'build_image' })
    const held = await queue().claim('a builder')
    if (held === null) throw new Error('nothing is due')
    app.clock.advance(seconds * 1000)
    const done =
      failure === undefined
        ? await queue().complete(held, IMAGE)
        : await queue().fail(held, { ...failure, isPermanent: true } as never)
    expect(done).toBe(true)
    return held.jobId
  }

  it('count builds that are over, by their end, and nothing of others', async () => {
    await build('web', '1.0.0', 10)
    await build('web', '2.0.0', 20)
    await build('api', '1.0.0', 30)
    const failed = await build('api', '2.0.0', 5, {
      category: 'network',
      message: 'account 123456789012: host 10.1.2.3 did not answer, token=hunter2hunter2',
    })
    await build('api', '3.0.0', 5, {
      category: 'network',
      message: 'account 123456789012: host 10.1.2.4 did not answer, token=hunter2hunter2',
    })
    // A build that waits for its next attempt has not ended.
    await uploaded(app, ann, { name: 'late', buildType: 'build_image' })
    const held = await queue().claim('a builder')
    await queue().fail(held as never, { category: 'network', message: 'away', isPermanent: false })

    app.clock.advance(1)
    const { timeline, totals, range } = await report('build-success-rate?interval=day')
    expect(totals).toEqual({ succeeded: 3, failed: 2, successPct: 60, interval: { low: 23.1, high: 88.2 } })
    expect(timeline).toHaveLength(31)
    expect(timeline.at(-1)).toMatchObject({ succeeded: 3, failed: 2, successPct: 60, partial: true })
    expect(timeline[0]).toMatchObject({ succeeded: 0, failed: 0, successPct: null })
    expect(Date.parse(range.to) - Date.parse(range.from)).toBe(30 * DAY)

    expect((await report('build-duration')).plugins).toEqual([
      { pluginName: 'api', avgMs: 30_000, p50Ms: 30_000, p95Ms: 30_000, maxMs: 30_000, builds: 1 },
      { pluginName: 'web', avgMs: 15_000, p50Ms: 15_000, p95Ms: 19_500, maxMs: 20_000, builds: 2 },
    ])
    const { failures } = await report('build-failures')
    expect(failures).toMatchObject([{ pluginName: 'api', category: 'network', occurrences: 2 }])
    expect(failures[0].errorMessage).not.toMatch(/123456789012|hunter2/)
    expect(failures[0].sampleJobId > failed).toBe(true)
    expect((await report('build-failures?pluginName=web')).failures).toEqual([])
    expect((await report('build-success-rate', ben)).totals).toMatchObject({ succeeded: 0, failed: 0 })
  })

  it('count plugins as they are now', async () => {
    const { summary } = await report('summary')
    expect(summary).toMatchObject({ total: 6, uniqueNames: 3, active: 3, inactive: 3, buildFailed: 2, public: 0 })
    expect(summary.byType.reduce((sum: number, each: { plugins: number }) => sum + each.plugins, 0)).toBe(6)
    const { distribution, by } = await report('distribution?by=build')
    expect([by, distribution]).toEqual([
      'build',
      [
        { value: 'ready', plugins: 3, names: 2, sharePct: 50 },
        { value: 'failed', plugins: 2, names: 1, sharePct: 33.3 },
        { value: 'queued', plugins: 1, names: 1, sharePct: 16.7 },
      ],
    ])
    const { plugins, total } = await report('versions')
    expect(total).toBe(3)
    expect(plugins[0]).toMatchObject({ pluginName: 'api', versions: 3, active: 1, latest: '1.0.0', default: '1.0.0' })
    expect((await report('versions', ben)).plugins).toEqual([])
  })

  it('keep builds that the queue has forgotten, as tables too', async () => {
    const csv = await app.http.request('/api/reports/plugins/build-duration', {
      headers: { authorization: `Bearer ${ann.accessToken}`, accept: 'text/csv' },
    })
    expect((await csv.text()).replaceAll('"', '').trim().split('\r\n')).toEqual([
      'pluginName,avgMs,p50Ms,p95Ms,maxMs,builds',
      'api,30000,30000,30000,30000,1',
      'web,15000,15000,19500,20000,2',
    ])
    await store.system.write(async (tx) => {
      const { reportBuilds } = reportingTables(tx)
      expect(await tx.$count(reportBuilds)).toBe(5)
    })
  })

  it('count a dead letter that was tried again once', async () => {
    const own = await signUp(app, 'retry')
    await store.system.write(async (tx) => void (await tx.delete(pluginTables(tx).buildJobs)))
    await uploaded(app, own, { name: 'flaky', buildType: 'build_image' })
    const first = await queue().claim('a builder')
    await queue().fail(first as never, { category: 'other', message: 'no', isPermanent: true })
    await store.system.write(async (tx) => {
      const told = { ...(first as NonNullable<typeof first>), category: null, error: null, attempts: 2 }
      await buildListener.finished(tx, {
        jobId: told.jobId,
        orgId: told.orgId,
        pluginId: told.pluginId,
        pluginName: told.pluginName,
        version: told.version,
        buildType: told.buildType,
        isSucceeded: true,
        category: null,
        error: null,
        attempts: 2,
        startedMs: null,
        finishedMs: app.clock.now() - 1,
      })
    })
    expect((await report('build-success-rate', own)).totals).toMatchObject({ succeeded: 1, failed: 0 })
    expect((await report('build-duration', own)).plugins).toEqual([])
  })
})
