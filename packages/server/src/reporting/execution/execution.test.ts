/** Reports over executions: permissions, windows, filters, forms, and figures. */
import { DOMParser } from '@xmldom/xmldom'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { enrol, giveCustomRole } from '../../../test/support/organizations.js'
import { forwarder, newPipeline, reportingApp } from '../../../test/support/reports.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'

await describeStores('reports over executions', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  let bob: SignedIn
  let token: string
  let shop: string
  let blog: string
  let team: string
  const day = (days: number, hours = 0) =>
    new Date(app.clock.now() - days * 86_400_000 + hours * 3_600_000).toISOString()

  beforeAll(async () => {
    store = await open()
    app = await reportingApp(store)
    ada = await signUp(app, 'ada')
    bob = await signUp(app, 'bob')
    token = await forwarder(app, ada.orgId)
    shop = await newPipeline(app, ada, 'shop')
    blog = await newPipeline(app, ada, 'blog')
    const made = await app.call('POST', '/organization', { as: ada, body: { name: 'Team', parentOrgId: ada.orgId } })
    team = made.data.organization.id
    const ofTeam = await newPipeline(app, ada, 'of-team', { orgId: team })
    const run = (pipelineId: string, executionId: string, status: string, days: number, minutes: number, more = {}) => {
      const times = { startedAt: day(days), ...(status === 'STARTED' ? {} : { completedAt: day(days, minutes / 60) }) }
      const common = { pipelineId, executionId, status, ...times }
      return [
        { ...common, eventType: 'PIPELINE', ...more },
        { ...common, eventType: 'STAGE', stageName: 'Build', environment: 'production', ...more },
        { ...common, eventType: 'ACTION', stageName: 'Build', actionName: '<b>"compile"</b>', ...more },
      ]
    }
    const events = [
      ...run(shop, 'a', 'SUCCEEDED', 1, 10),
      ...run(shop, 'b', 'SUCCEEDED', 2, 20),
      ...run(shop, 'c', 'FAILED', 3, 31, { errorMessage: 'timed out after 30 s in /home/ci/a.ts' }),
      ...run(shop, 'd', 'CANCELED', 4, 5),
      ...run(shop, 'e', 'STARTED', 0.5, 0),
      ...run(shop, 'f', 'STARTED', 5, 0),
      ...run(blog, 'a', 'FAILED', 1, 60, { errorMessage: 'timed out after 45 s in /home/me/b.ts' }),
      ...run(shop, 'old', 'SUCCEEDED', 40, 10),
      ...run(ofTeam, 'x', 'SUCCEEDED', 1, 10),
    ]
    const answer = await app.call('POST', '/reports/events', { as: token, body: { events } })
    if (answer.data?.inserted !== events.length) throw new Error(JSON.stringify(answer.body))
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const get = (path: string, as: SignedIn = ada, headers: Record<string, string> = {}) =>
    app.call('GET', path, { as, headers })
  const raw = async (path: string, accept: string) => {
    const response = await app.http.request(`/api${path}`, {
      headers: { authorization: `Bearer ${ada.accessToken}`, accept },
    })
    return {
      type: response.headers.get('content-type'),
      text: await response.text(),
      vary: response.headers.get('vary'),
    }
  }

  it('counts the runs of the last 30 days by outcome, canceled and stale ones apart', async () => {
    const { data } = await get('/reports/execution/count')
    expect(data.totals).toEqual({ total: 7, succeeded: 2, failed: 2, canceled: 1, inProgress: 1, stale: 1 })
    expect(data.pipelines).toMatchObject([
      { id: shop, project: 'shop', total: 6, failed: 1 },
      { id: blog, total: 1, failed: 1 },
    ])
    expect(data.range).toEqual({ from: day(30), to: day(0), clamped: false })
    const idle = await newPipeline(app, ada, 'idle')
    expect((await get('/reports/execution/count?includeZero=true')).data.pipelines.at(-1)).toMatchObject({
      id: idle,
      total: 0,
    })
  })

  it('has no canceled, open or stale run in a rate', async () => {
    const { data } = await get(`/reports/execution/success-rate?interval=month&pipelineId=${shop}`)
    expect(data.totals).toEqual({ succeeded: 2, failed: 1, successPct: 66.7, interval: { low: 20.8, high: 93.9 } })
    expect(data.timeline.map(({ period, partial }: { period: string; partial: boolean }) => [period, partial])).toEqual(
      [
        ['2026-10-01', true],
        ['2026-11-01', true],
      ],
    )
    expect(data.timeline[0]).toMatchObject({ succeeded: 0, failed: 0, successPct: null })
  })

  it('interpolates percentiles', async () => {
    const { data } = await get(`/reports/execution/duration?pipelineId=${shop}`)
    expect(data.pipelines).toMatchObject([
      { executions: 3, minMs: 600_000, p50Ms: 1_200_000, p95Ms: 1_794_000, maxMs: 1_860_000 },
    ])
  })

  it('counts each run of a stage once', async () => {
    const { data } = await get('/reports/execution/stage-failures?interval=week')
    expect(data.stages).toEqual([{ stageName: 'Build', failures: 2, total: 4, failurePct: 50, pipelines: 2 }])
    expect(data.heatmap.length).toBe(5)
    expect((await get('/reports/execution/stage-bottlenecks')).data.stages[0]).toMatchObject({
      id: blog,
      sharePct: 100,
      runs: 1,
    })
    expect((await get('/reports/execution/action-failures')).data.actions).toMatchObject([
      { failures: 2, total: 4, pipelines: 2 },
    ])
    expect((await get(`/reports/execution/build-health?pipelineId=${shop}`)).data.buildHealth.totals).toEqual({
      runs: 3,
      failures: 1,
      failureRate: 33.3,
    })
    expect((await get('/reports/execution/build-health')).body.details.issues).toMatchObject([
      { path: '/query/pipelineId' },
    ])
  })

  it('puts alike errors together', async () => {
    const { data } = await get('/reports/execution/errors')
    expect(data.errors).toMatchObject([
      { category: 'timeout', errorPattern: 'timed out after * s in *', occurrences: 2, affectedPipelines: 2 },
    ])
  })

  it('lists runs and environments, filtered', async () => {
    expect(
      (await get('/reports/execution/list?status=failed')).data.executions.map(
        (each: { executionId: string }) => each.executionId,
      ),
    ).toEqual(['a', 'c'])
    expect((await get(`/pipelines/${shop}/executions?limit=2`)).data.pagination).toEqual({
      total: 6,
      limit: 2,
      offset: 0,
      hasMore: true,
    })
    expect((await get('/reports/execution/environments')).data.environments).toMatchObject([
      { environment: 'production', deployments: 2, failed: 2 },
    ])
    expect((await get('/reports/execution/count?project=BLOG')).data.totals.total).toBe(1)
    expect((await get('/reports/execution/count?environment=staging')).data.totals.total).toBe(0)
    expect((await get('/reports/execution/count?ownerId=me')).data.totals.total).toBe(7)
    expect((await get('/reports/execution/count?label=tier=gold')).data.totals.total).toBe(0)
    // A pipeline without the label does not have it with the value `undefined`.
    expect((await get('/reports/execution/count?label=tier=undefined')).data.totals.total).toBe(0)
  })

  it.each([
    ['a reversed window', '?from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z', '/query/to'],
    ['a window of more than is kept', '?from=2024-01-01T00:00:00Z&to=2026-11-01T00:00:00Z', '/query/from'],
    ['an interval that there is not', '?interval=year', '/query/interval'],
    ['a time that is none', '?from=yesterday', '/query/from'],
  ])('refuses %s, naming the field', async (_, query, path) => {
    expect((await get(`/reports/execution/success-rate${query}`)).body).toMatchObject({
      statusCode: 400,
      details: { issues: [{ path }] },
    })
  })

  it('says so where the window begins before what is kept', async () => {
    const rangeOf = async (report: string, from: number, to: number) =>
      (await get(`/reports/execution/${report}?from=${day(from)}&to=${day(to)}`)).data.range
    expect(await rangeOf('list', 200, 100)).toEqual({ from: day(180), to: day(100), clamped: true })
    // Of days whose runs were deleted only sums are left, so they count as a whole.
    expect(await rangeOf('count', 200, 100)).toEqual({
      from: `${day(200).slice(0, 10)}T00:00:00.000Z`,
      to: day(100),
      clamped: false,
    })
    expect(await rangeOf('count', 740, 100)).toMatchObject({ clamped: true })
  })

  it('shows teams to those alone who may see them', async () => {
    expect((await get('/reports/execution/count?includeDescendants=true')).data.totals.total).toBe(8)
    const eve = await signUp(app, 'eve')
    await enrol(app, eve, ada.orgId, ['Member'])
    const refused = await get('/reports/execution/count?includeDescendants=true', eve, { 'x-org-id': ada.orgId })
    expect(refused.body).toMatchObject({
      statusCode: 403,
      details: { reason: 'permission', required: ['reports:rollup'] },
    })
    expect((await get('/reports/execution/count', eve, { 'x-org-id': ada.orgId })).status).toBe(200)
  })

  it('shows nothing to strangers, and nothing without the permission', async () => {
    expect((await get('/reports/execution/count', bob)).data.totals.total).toBe(0)
    const foreign = await get(`/reports/execution/count?pipelineId=${shop}`, bob)
    const missing = await get(`/reports/execution/count?pipelineId=${app.runtime.ids.next()}`, bob)
    expect([foreign.status, foreign.body.message]).toEqual([404, missing.body.message])
    const kim = await signUp(app, 'kim')
    await enrol(app, kim, ada.orgId, [])
    await giveCustomRole(app, ada.orgId, kim.userId, ['pipelines:read'])
    expect((await get('/reports/execution/count', kim, { 'x-org-id': ada.orgId })).body.details).toMatchObject({
      required: ['reports:read'],
    })
  })

  it('answers in CSV and SVG, with hostile names as text', async () => {
    const csv = await raw('/reports/execution/action-failures', 'text/csv')
    expect([csv.type, csv.vary]).toEqual(['text/csv; charset=utf-8; header=present', 'Accept'])
    expect(csv.text.split('\r\n')[1]).toBe('"Build","<b>""compile""</b>","2","4","50","2","' + `${day(1)}"`)
    const svg = await raw('/reports/execution/success-rate', 'image/svg+xml')
    expect(svg.type).toBe('image/svg+xml')
    const picture = new DOMParser({ onError: (_, message) => expect(message).toBe('') }).parseFromString(
      svg.text,
      'image/svg+xml',
    )
    expect(picture.getElementsByTagName('title')[0]?.textContent).toBe('Runs and success rate')
  })
})
