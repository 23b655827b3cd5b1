/** Bad input, row by row, on both databases: each answer has a code, the field, and a way out. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../test/support/describe-stores.js'
import { forwarder, newPipeline, reportingApp } from '../../test/support/reports.js'
import { type IdentityApp, type SignedIn, signUp } from '../../test/support/sign-in.js'
import type { Store } from '../runtime/store/db.js'

const HOUR = 3_600_000
const NOBODY = '00000000-0000-7000-8000-000000000000'

await describeStores('bad input of reports', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  let bob: SignedIn
  let token: string
  let sync: string
  let [shop, blog, foreign, gone] = ['', '', '', '']
  const at = (hours: number) => new Date(app.clock.now() - hours * HOUR).toISOString()
  const deploy = (pipelineId: string, executionId: string, more: object = {}) => ({
    pipelineId,
    executionId,
    eventType: 'STAGE',
    stageName: 'Deploy',
    status: 'SUCCEEDED',
    environment: 'production',
    startedAt: at(51),
    completedAt: at(50),
    ...more,
  })
  const send = (events: readonly object[], as: SignedIn | string = token) =>
    app.call('POST', '/reports/events', { as, body: { events } })

  beforeAll(async () => {
    store = await open()
    app = await reportingApp(store, { settings: { BILLING_ENABLED: 'false' } })
    ada = await signUp(app, 'ada')
    bob = await signUp(app, 'bob')
    token = await forwarder(app, ada.orgId)
    sync = await forwarder(app, null as never, ['retention:sync'])
    shop = await newPipeline(app, ada, 'shop')
    blog = await newPipeline(app, ada, 'blog')
    gone = await newPipeline(app, ada, 'gone')
    foreign = await newPipeline(app, bob, 'foreign')
    await app.call('DELETE', `/pipelines/${gone}`, { as: ada })
    const events = [
      deploy(shop, 'good'),
      deploy(shop, 'bad', { status: 'FAILED' }),
      deploy(shop, 'both'),
      deploy(blog, 'both'),
      deploy(shop, 'staged', { environment: 'staging' }),
      deploy(shop, 'plain', { environment: undefined }),
    ]
    expect((await send(events)).data).toMatchObject({ inserted: 6, skipped: 0 })
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  it('takes the rest of a batch, and says of each other item what is wrong', async () => {
    const items: readonly (readonly [item: object, reason: string, field: string | undefined, says: RegExp])[] = [
      [deploy(NOBODY, 'x'), 'not_registered', 'pipelineId', /plumbline pipelines register/],
      [deploy(foreign, 'x'), 'not_registered', 'pipelineId', /this organization or its teams/],
      [deploy(gone, 'x'), 'not_registered', 'pipelineId', /register it/],
      [deploy(shop, 'x', { status: 'EXPLODED' }), 'invalid', 'status', /is not a status: succeeded, /],
      [deploy(shop, 'x', { status: 'constructor' }), 'invalid', 'status', /is not a status/],
      [deploy(shop, 'x', { durationMs: -1 }), 'invalid', 'durationMs', /must be >= 0|at least 0/],
      [deploy(shop, 'x', { completedAt: at(52) }), 'invalid', 'completedAt', /is before `startedAt`/],
      [deploy(shop, 'x', { completedAt: at(-1) }), 'invalid', 'completedAt', /future: correct the clock of the sender/],
      [deploy(shop, 'x', { startedAt: undefined, completedAt: undefined }), 'invalid', 'startedAt', /is required/],
      [
        deploy(shop, 'x', { startedAt: at(9999), completedAt: at(9998) }),
        'too_old',
        'completedAt',
        /older than the \d+ days/,
      ],
      [deploy(shop, 'x', { detail: { text: 'x'.repeat(8192) } }), 'invalid', 'detail', /at most 8192 bytes/],
      [deploy(shop, 'x', { errorMessage: 'x'.repeat(8193) }), 'invalid', 'errorMessage', /8192/],
      [deploy(shop, 'x', { commitSha: 'main' }), 'invalid', 'commitSha', /7 to 64 hexadecimal digits/],
      [deploy(shop, 'x', { eventType: 'JOB' }), 'invalid', 'eventType', /PIPELINE/],
      [deploy(shop, 'x', { sha: 'abcdef0' }), 'invalid', 'sha', /./],
      [deploy(shop, '', {}), 'invalid', 'executionId', /./],
      [deploy(shop, 'x', { attempt: 0 }), 'invalid', 'attempt', /1/],
      [deploy(shop, 'half \ud83d'), 'invalid', 'executionId', /one line/],
      [deploy(shop, 'x', { eventId: 'half \ud83d' }), 'invalid', 'eventId', /one line/],
      [deploy(shop, 'x', { environment: 'produc\ntion' }), 'invalid', 'environment', /one line/],
      [deploy(shop, 'x', { startedAt: 'yesterday' }), 'invalid', 'startedAt', /instant such as 2026-/],
    ]
    const good = Array.from({ length: 100 - items.length }, (_, index) => deploy(shop, `rest-${index}`))
    const { status, data } = await send([...items.map(([item]) => item), ...good])
    expect([status, data.inserted, data.skipped, data.total]).toEqual([200, good.length, items.length, 100])
    for (const [index, [item, reason, field, says]] of items.entries()) {
      const skipped = data.skippedItems[index]
      const path = field === undefined ? undefined : `/body/events/${index}/${field}`
      expect([item, skipped.index, skipped.reason, skipped.path]).toEqual([item, index, reason, path])
      expect(skipped.message).toMatch(says)
    }
  })

  it('knows an environment by one name, however it is written', async () => {
    const ways = { 'pr\u00fcfung': ['pru\u0308fung', ' pr\u00fcfung '], 'aws-[REDACTED]': ['aws-123456789012'] }
    for (const [stored, [first = '', last = first]] of Object.entries(ways)) {
      const executionId = `to ${stored}`
      expect((await send([deploy(shop, executionId, { environment: first })])).data.inserted).toBe(1)
      const body = { incidentId: `in ${stored}`, environment: last, openedAt: at(49), resolvedAt: at(48) }
      expect((await app.call('POST', '/reports/incidents', { as: token, body })).status).toBe(201)
      const { incidents } = (await app.call('GET', '/reports/incidents', { as: ada })).data
      expect(incidents.find((each: { incidentId: string }) => each.incidentId === body.incidentId)).toMatchObject({
        environment: stored,
        link: { deployment: { executionId } },
      })
    }
  })

  it('stores the same text for half of a pair on both databases', async () => {
    const failed = { eventType: 'PIPELINE', status: 'FAILED', environment: undefined }
    await send([deploy(shop, 'halves', { ...failed, errorMessage: 'half \ud83d of a pair' })])
    await send([deploy(shop, 'cut', { ...failed, errorMessage: `${'x y '.repeat(49)}xyz\u{1f600}` })])
    const { errors } = (await app.call('GET', '/reports/execution/errors', { as: ada })).data
    const patterns = errors.map(({ errorPattern }: { errorPattern: string }) => errorPattern)
    expect(patterns).toContain('half \ufffd of a pair')
    expect(patterns).toContain(`${'x y '.repeat(49)}xyz`)
  })

  it('keeps neither account numbers nor credentials of an error', async () => {
    const errorMessage = 'arn:aws:iam::123456789012:role/x denied; password=hunter2secret AKIAIOSFODNN7EXAMPLE'
    await send([
      deploy(shop, 'scrubbed', { eventType: 'PIPELINE', status: 'FAILED', environment: undefined, errorMessage }),
    ])
    const { body } = await app.call('GET', '/reports/execution/errors', { as: ada })
    const text = JSON.stringify(body)
    expect(text).toContain('denied')
    for (const secret of ['123456789012', 'hunter2secret', 'AKIAIOSFODNN7EXAMPLE']) expect(text).not.toContain(secret)
  })

  interface Row {
    readonly call: readonly [method: string, path: string, body?: object]
    /** ada by default. */
    readonly as?: 'machine' | 'billing'
    readonly status: number
    readonly code: string
    readonly field?: string
    readonly says: RegExp
  }
  const outcome = (executionId: string, more: object = {}): Row['call'] => [
    'POST',
    `/reports/deployments/${executionId}/outcome`,
    { outcome: 'failed', ...more },
  ]
  const incident = (more: object): Row['call'] => [
    'POST',
    '/reports/incidents',
    { incidentId: 'i', environment: 'production', openedAt: at(9), ...more },
  ]
  const retention = (orgId: string, eventRetentionDays: number, more: object = {}): Row['call'] => [
    'PUT',
    `/reports/retention-sync/${orgId}`,
    { eventRetentionDays, doraRetentionDays: 180, ...more },
  ]
  const dora = (query: string): Row['call'] => ['GET', `/reports/execution/dora?${query}`]
  const invalid = (field: string, says: RegExp) => ({ status: 400, code: 'VALIDATION_ERROR', field, says })
  const absent = (says: RegExp) => ({ status: 404, code: 'NOT_FOUND', says })
  const rows = (): Record<string, Row> => ({
    'events of a person': {
      call: ['POST', '/reports/events', { events: [deploy(shop, 'x')] }],
      status: 403,
      code: 'INSUFFICIENT_PERMISSIONS',
      says: /service principals with the scope reporting:ingest: make one with POST/,
    },
    '101 events': {
      as: 'machine',
      call: ['POST', '/reports/events', { events: Array.from({ length: 101 }, () => deploy(shop, 'x')) }],
      ...invalid('/body/events', /100/),
    },
    'no events': { as: 'machine', call: ['POST', '/reports/events', { events: [] }], ...invalid('/body/events', /1/) },
    'a mark of an execution that is missing': {
      call: outcome('nowhere'),
      ...absent(/^Execution not found: .*plumbline reports runs/),
    },
    'a mark to remove of an execution that is missing': {
      call: ['DELETE', '/reports/deployments/nowhere/outcome/failed'],
      ...absent(/^Execution not found: .*plumbline reports runs/),
    },
    'a mark to remove that nobody made': {
      call: ['DELETE', '/reports/deployments/good/outcome/failed'],
      ...absent(/^Outcome not found: the deployment to production is not marked as failed; .*reports deployments/),
    },
    'a scorecard of a pipeline that never was': {
      call: ['GET', `/pipelines/${NOBODY}/scorecard`],
      ...absent(/^Pipeline not found: .*plumbline pipelines list/),
    },
    'a scorecard of a pipeline that is deleted': {
      call: ['GET', `/pipelines/${gone}/scorecard`],
      ...absent(/^Pipeline not found: it is deleted.*plumbline pipelines list/),
    },
    'a scorecard of what is not an id': {
      call: ['GET', '/pipelines/shop/scorecard'],
      ...absent(/^Pipeline not found: the id in the path is not a UUID/),
    },
    'deliveries of a source that is missing': {
      call: ['GET', `/reports/sources/${NOBODY}/deliveries`],
      ...absent(/^Source not found: .*plumbline reports sources list/),
    },
    'a mark of one that failed': { call: outcome('bad'), status: 409, code: 'CONFLICT', says: /counts as failed/ },
    'a mark of one that is ambiguous': {
      call: outcome('both'),
      status: 409,
      code: 'AMBIGUOUS_EXECUTION',
      says: /name one by `pipelineId`/,
    },
    'a mark of one that deployed elsewhere': { call: outcome('staged'), ...invalid('/body/environment', /staging/) },
    'a mark of one that deployed nowhere': {
      call: outcome('plain'),
      status: 409,
      code: 'CONFLICT',
      says: /no environment: name the `environment`/,
    },
    'restored before failed': {
      call: outcome('good', { outcome: 'restored' }),
      status: 409,
      code: 'CONFLICT',
      says: /mark that first/,
    },
    'a mark before the end': { call: outcome('good', { at: at(99) }), ...invalid('/body/at', /before the deployment/) },
    'a mark from the future': { call: outcome('good', { at: at(-1) }), ...invalid('/body/at', /future/) },
    'an unknown outcome': { call: outcome('good', { outcome: 'burnt' }), ...invalid('/body/outcome', /restored/) },
    'an incident resolved before it opened': {
      as: 'machine',
      call: incident({ resolvedAt: at(10) }),
      ...invalid('/body/resolvedAt', /is before `openedAt`/),
    },
    'an incident from the future': {
      as: 'machine',
      call: incident({ openedAt: at(-1) }),
      ...invalid('/body/openedAt', /future/),
    },
    'a link of an incident that is missing': {
      call: ['PUT', '/reports/incidents/nowhere/link', { executionId: 'good' }],
      ...absent(/^Incident not found: .*plumbline reports incidents/),
    },
    'a link to remove of an incident that is missing': {
      call: ['DELETE', '/reports/incidents/nowhere/link'],
      ...absent(/^Incident not found: .*plumbline reports incidents/),
    },
    'a link to remove that nobody set': {
      call: ['DELETE', '/reports/incidents/there/link'],
      ...absent(/^Link not found: nobody set a link of this incident/),
    },
    'a link to a deployment elsewhere': {
      call: ['PUT', '/reports/incidents/there/link', { executionId: 'staged' }],
      ...invalid('/body/executionId', /is in production, .* deployed to staging: link a deployment to production/),
    },
    'a link to an execution that deployed nowhere': {
      call: ['PUT', '/reports/incidents/there/link', { executionId: 'plain' }],
      status: 409,
      code: 'CONFLICT',
      says: /name the `environment` in the event/,
    },
    'a window reversed': {
      call: dora(`from=${at(1)}&to=${at(2)}`),
      ...invalid('/query/to', /must be after `from`/),
    },
    'a window too wide': {
      call: dora(`from=${at(800 * 24)}&to=${at(0)}`),
      ...invalid('/query/from', /at most \d+ days.*later `from`/),
    },
    'an unknown interval': {
      call: ['GET', '/reports/execution/dora/trend?interval=year'],
      ...invalid('/query/interval', /month/),
    },
    'a report on a pipeline of others': {
      call: dora(`pipelineId=${foreign}`),
      ...absent(/^Pipeline not found: .*plumbline pipelines list.*`includeDescendants=true`/),
    },
    'a report on a pipeline that never was': {
      call: dora(`pipelineId=${NOBODY}&includeDescendants=true`),
      ...absent(/^Pipeline not found: neither this organization nor a team of it .*plumbline pipelines list/),
    },
    'retention of −2': { as: 'billing', call: retention(ada.orgId, -2), ...invalid('/body/eventRetentionDays', /-1/) },
    'retention of 0': {
      as: 'billing',
      call: retention(ada.orgId, 0),
      ...invalid('/body/eventRetentionDays', /at least 1/),
    },
    'an older word on retention': {
      as: 'billing',
      call: retention(ada.orgId, 31, { occurredAt: at(5) }),
      status: 409,
      code: 'CONFLICT',
      says: /a newer request of .* applies/,
    },
    'health below zero': {
      as: 'machine',
      call: ['POST', '/reports/ingest-health', { forwarded: -1, dropped: 0 }],
      ...invalid('/body/forwarded', /0/),
    },
    'a what-if below zero': {
      call: ['POST', '/reports/execution/dora/what-if', { change: { cleanDeployments: -1 } }],
      ...invalid('/body/change/cleanDeployments', /0/),
    },
  })

  it('answers with a code, the field and a way out', async () => {
    const first = await app.call('PUT', `/reports/retention-sync/${ada.orgId}`, {
      as: sync,
      body: { eventRetentionDays: 30, doraRetentionDays: 180, occurredAt: at(1) },
    })
    expect(first.status).toBe(200)
    const [method, path, body] = incident({ incidentId: 'there' })
    expect((await app.call(method, path, { as: token, body: body as object })).status).toBe(201)
    for (const [name, { call, as, status, code, field, says }] of Object.entries(rows())) {
      const [method, path, body] = call
      const who = as === 'machine' ? token : as === 'billing' ? sync : ada
      const answer = await app.call(method, path, { as: who, ...(body === undefined ? {} : { body }) })
      const [issue] = answer.body.details?.issues ?? []
      expect([name, answer.status, answer.code, issue?.path]).toEqual([name, status, code, field])
      expect(`${answer.body.message} ${issue?.message ?? ''} ${JSON.stringify(answer.body.details ?? '')}`).toMatch(
        says,
      )
      expect(JSON.stringify(answer.body)).not.toMatch(/\bat \S+ \(|node_modules|SELECT /)
    }
  })

  it('refuses a window of every list, with the field and a way out', async () => {
    const lists = [
      ...['count', 'success-rate', 'duration', 'list', 'stage-failures', 'stage-bottlenecks', 'errors'],
      ...['action-failures', 'environments', `build-health?pipelineId=${shop}`],
    ].map((name) => `/reports/execution/${name}`)
    const plugins = ['duration', 'failures', 'success-rate'].map((name) => `/reports/plugins/build-${name}`)
    const windows = [
      ...lists,
      ...plugins,
      '/reports/execution/dora',
      '/reports/execution/dora/trend',
      `/pipelines/${shop}/executions`,
    ]
    const wrong: readonly (readonly [query: string, field: string, says: RegExp])[] = [
      [`from=${at(1)}&to=${at(2)}`, '/query/to', /must be after `from`/],
      [`from=${at(2)}&to=${at(2)}`, '/query/to', /must be after `from`/],
      [`from=${at(800 * 24)}&to=${at(0)}`, '/query/from', /at most \d+ days.*later `from`/],
      [`from=${at(900 * 24)}&to=${at(850 * 24)}`, '/query/to', /before the \d+ days .* choose a window after \d{4}-/],
      [
        `from=${at(900 * 24)}`,
        '/query/from',
        /window of 30 days that ends before the \d+ days .*, or name its end with `to`/,
      ],
      ['from=yesterday', '/query/from', /./],
    ]
    const asking = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`
    const refused = async (path: string, query: string, field: string, says: RegExp) => {
      const answer = await app.call('GET', asking(path, query), { as: ada })
      const [issue] = answer.body.details?.issues ?? []
      expect([path, query, answer.status, answer.code, issue?.path]).toEqual([
        path,
        query,
        400,
        'VALIDATION_ERROR',
        field,
      ])
      expect(issue.message).toMatch(says)
    }
    for (const path of [...windows, '/reports/deployments', '/reports/incidents'])
      for (const each of wrong) await refused(path, ...each)
    // An environment that resembles a known one may be one whose first deployment is yet to come.
    for (const path of [...lists, '/reports/deployments', '/reports/incidents'])
      expect((await app.call('GET', asking(path, 'environment=prodution'), { as: ada })).status).toBe(200)
    await refused('/reports/scorecards', 'sortBy=colour', '/query/sortBy', /score/)
    for (const path of ['/reports/execution/count', '/reports/execution/dora', '/reports/scorecards'])
      for (const label of ['gold', '=gold'])
        await refused(path, `label=${label}`, '/query/label', /key=value.*tier=gold/)
    await refused('/reports/execution/list', 'status=burnt', '/query/status', /succeeded/)
    await refused(`/pipelines/${shop}/executions`, 'limit=1001', '/query/limit', /1000/)
    const { dora } = (await app.call('GET', '/reports/execution/dora?environment=prodution', { as: ada })).data
    expect(dora.environments[0].leadTime).toMatchObject({
      why: 'no_environment',
      nextStep: expect.stringMatching(/did you mean production\?/),
    })
  })

  it('begins a window at what is kept, and says so', async () => {
    const { data } = await app.call('GET', `/reports/execution/dora?from=${at(200 * 24)}&to=${at(150 * 24)}`, {
      as: ada,
    })
    expect(data.range).toMatchObject({ clamped: true })
  })

  it('refuses a delivery without a signature, with a wrong one, and in a binary form', async () => {
    const { source, secret } = (
      await app.call('POST', '/reports/sources', { as: ada, body: { name: 'gh', format: 'github', mapping: {} } })
    ).data
    const path = new URL(source.url).pathname
    const body = JSON.stringify({ zen: 'x' })
    const sign = (key: string) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
    const post = async (headers: Record<string, string>) => {
      const answer = await app.http.request(path, {
        method: 'POST',
        body,
        headers: { 'x-github-event': 'ping', ...headers },
      })
      return [answer.status, ((await answer.json()) as { code?: string }).code]
    }
    const json = { 'content-type': 'application/json' }
    expect(await post(json)).toEqual([401, 'TOKEN_INVALID'])
    expect(await post({ ...json, 'x-hub-signature-256': sign('another') })).toEqual([401, 'TOKEN_INVALID'])
    expect(await post({ ...json, 'x-hub-signature-256': sign(secret).slice(0, -2) })).toEqual([401, 'TOKEN_INVALID'])
    expect(await post({ 'content-type': 'application/x-protobuf', 'x-hub-signature-256': sign(secret) })).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ])
    expect(await post({ ...json, 'x-hub-signature-256': sign(secret) })).toEqual([200, undefined])
  })
})
