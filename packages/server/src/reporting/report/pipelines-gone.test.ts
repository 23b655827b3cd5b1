/**
 * Reports while a pipeline is renamed, deleted, restored and purged: what it did stays counted, it is named as it is
 * now, and only a pipeline that is there has a scorecard.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { confirmed } from '../../../test/support/organizations.js'
import { forwarder, newPipeline, reportingApp } from '../../../test/support/reports.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'

await describeStores('reports of a pipeline that goes', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  let token: string
  let shop: string
  let till: string
  const at = (hours: number) => new Date(app.clock.now() - hours * 3_600_000).toISOString()

  beforeAll(async () => {
    store = await open()
    app = await reportingApp(store, { settings: { BILLING_ENABLED: 'false' } })
    ada = await signUp(app, 'ada')
    token = await forwarder(app, ada.orgId)
    shop = await newPipeline(app, ada, 'shop')
    till = await newPipeline(app, ada, 'till')
    const sent = await send([
      ...ran(shop, 'one', 20),
      ...ran(shop, 'two', 10),
      ...ran(till, 'one', 15),
      { ...ran(shop, 'bad', 5)[0], status: 'FAILED', errorMessage: 'out of paper' },
    ])
    expect(sent).toMatchObject({ inserted: 7 })
    const body = { incidentId: 'pd-1', environment: 'production', openedAt: at(8), resolvedAt: at(7) }
    await app.call('POST', '/reports/incidents', { as: token, body })
    await app.call('POST', `/reports/deployments/one/outcome`, {
      as: ada,
      body: { outcome: 'failed', pipelineId: shop },
    })
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const ran = (pipelineId: string, executionId: string, hours: number) => {
    const common = { pipelineId, executionId, status: 'SUCCEEDED', startedAt: at(hours + 1), completedAt: at(hours) }
    return [
      { ...common, eventType: 'PIPELINE' },
      { ...common, eventType: 'STAGE', stageName: 'Deploy', environment: 'production' },
    ]
  }
  const send = async (events: readonly object[]) =>
    (await app.call('POST', '/reports/events', { as: token, body: { events } })).data
  const get = async (path: string) => app.call('GET', path, { as: ada })
  const report = async (path: string) => (await get(`/reports/${path}`)).data
  const coverage = async () => {
    const [sums, facts] = [await report('execution/dora'), await report('execution/dora?explain=true')]
    expect(sums.dora.coverage).toEqual(facts.dora.coverage)
    return sums.dora.coverage
  }
  const parkedSteps = async () => (await report('parked')).parked.map(({ nextStep }: { nextStep: string }) => nextStep)

  /** What happened: it does not depend on whether its pipeline is still there. */
  async function happened() {
    const { deployments } = await report('deployments')
    const { incidents } = await report('incidents')
    const { environments } = (await report('execution/dora')).dora
    return {
      runs: (await report('execution/count')).totals,
      deployments: deployments.map((each: never) => [each['pipelineId'], each['executionId'], each['failedLater']]),
      errors: (await report('execution/errors')).errors,
      link: incidents[0].link,
      failed: environments[0].changeFailureRate.numerator,
      deployed: environments[0].deploymentFrequency.numerator,
    }
  }
  /** The names under which the pipeline is shown. */
  const names = async () => {
    const rows = [
      ...(await report('execution/list')).executions,
      ...(await report('execution/count')).pipelines.map((row: { id: string }) => ({ ...row, pipelineId: row.id })),
      ...(await report('execution/duration')).pipelines.map((row: { id: string }) => ({ ...row, pipelineId: row.id })),
    ]
    return [...new Set(rows.filter(({ pipelineId }) => pipelineId === shop).map((row) => row.pipelineName))]
  }
  const carded = async () =>
    (await report('scorecards')).scorecards.map(({ pipelineId }: { pipelineId: string }) => pipelineId).sort()

  it('counts the same whatever becomes of the pipeline, and names it as it is now', async () => {
    const before = await happened()
    expect(before).toMatchObject({
      failed: 2,
      deployed: 3,
      link: { deployment: { pipelineId: shop, executionId: 'two' } },
      errors: [{ errorPattern: 'out of paper' }],
    })
    expect(await coverage()).toEqual({ registered: 2, deploying: 2, withoutDeploys: 0 })

    await app.call('PUT', `/pipelines/${shop}`, { as: ada, body: { pipelineName: 'the shop' } })
    expect([await happened(), await names()]).toEqual([before, ['the shop']])

    const idle = await newPipeline(app, ada, 'idle')
    await app.call('DELETE', `/pipelines/${shop}`, { as: ada })
    expect([await happened(), await names()]).toEqual([before, ['the shop']])
    // The idle pipeline is the one that does not deploy; the deleted one is of no number.
    expect(await coverage()).toEqual({ registered: 2, deploying: 1, withoutDeploys: 1 })
    expect(await carded()).toEqual([till, idle].sort())
    expect((await get(`/pipelines/${shop}/scorecard`)).status).toBe(404)
    expect((await get(`/pipelines/${shop}/executions`)).data.pagination.total).toBe(3)

    await confirmed(app, 'POST', `/pipelines/${shop}/restore`, { as: ada })
    expect([await happened(), await names()]).toEqual([before, ['the shop']])
    expect(await coverage()).toEqual({ registered: 3, deploying: 2, withoutDeploys: 1 })
    expect(await carded()).toEqual([shop, till, idle].sort())

    await app.call('DELETE', `/pipelines/${shop}`, { as: ada })
    await confirmed(app, 'POST', `/pipelines/${shop}/purge`, { as: ada })
    expect([await happened(), await names()]).toEqual([before, [null]])
    expect(await coverage()).toEqual({ registered: 2, deploying: 1, withoutDeploys: 1 })
    for (const path of [`/pipelines/${shop}/executions`, `/reports/execution/dora?pipelineId=${shop}`])
      expect((await get(path)).status).toBe(404)
  })

  it('names the command that helps for each pipeline that events wait for', async () => {
    const [deleted, unregistered] = [
      await newPipeline(app, ada, 'deleted'),
      await newPipeline(app, ada, 'unregistered', { isRegistered: false }),
    ]
    await app.call('DELETE', `/pipelines/${deleted}`, { as: ada })
    const unknown = app.runtime.ids.next()
    for (const id of [deleted, unregistered, unknown])
      expect(await send(ran(id, 'run', 1))).toMatchObject({ parked: 2 })
    const steps = await parkedSteps()
    expect(steps.slice(0, 2)).toEqual([
      `plumbline pipelines restore ${deleted}`,
      `plumbline pipelines register --pipeline ${unregistered}`,
    ])
    expect(steps[2]).toContain('correct the id at the sender')
    expect((await report('execution/dora?environment=nowhere')).dora.environments[0].leadTime.nextStep).not.toBeNull()
  })
})
