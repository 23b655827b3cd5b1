/**
 * Deliveries of forges and engines over HTTP: the output of `sources create` is sufficient, and all of it is necessary.
 */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { enrol, evidenceOf } from '../../../test/support/organizations.js'
import { forwarder, newPipeline, register, reportingApp } from '../../../test/support/reports.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { reportingTables } from '../tables.js'

const HOUR = 3_600_000

interface Source {
  readonly id: string
  readonly secret: string
  readonly path: string
  readonly steps: readonly string[]
}

await describeStores('signed deliveries', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  let bob: SignedIn
  let shop: string
  let github: Source
  beforeAll(async () => {
    store = await open()
    app = await reportingApp(store, { settings: { BILLING_ENABLED: 'false' } })
    ada = await signUp(app, 'ada')
    bob = await signUp(app, 'bob')
    shop = await newPipeline(app, ada, 'shop')
    github = await create('github', { [`acme/shop`]: shop })
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const at = (hours: number) => new Date(app.clock.now() - hours * HOUR).toISOString()
  let made = 0
  async function create(format: string, mapping: object = {}, as = ada): Promise<Source> {
    const answer = await app.call('POST', '/reports/sources', {
      as,
      body: { name: `${format} ${made++}`, format, mapping },
    })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    const { source, secret, steps } = answer.data
    expect(steps.join('\n')).toContain(source.url)
    expect(steps.join('\n')).toContain(secret)
    return { id: source.id, secret, path: new URL(source.url).pathname, steps }
  }
  const post = async (path: string, body: string, headers: Record<string, string>) => {
    const response = await app.http.request(path, { method: 'POST', body, headers })
    const answer = JSON.parse(await response.text())
    return { status: response.status, data: answer.data, code: answer.code, message: answer.message, body: answer }
  }
  const sign = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const hub = (event: string, payload: object, source = github) => {
    const body = JSON.stringify(payload)
    return post(source.path, body, {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': `d-${made++}`,
      'x-hub-signature-256': sign(source.secret, body),
    })
  }
  const repository = { full_name: 'acme/shop', html_url: 'https://github.com/acme/shop' }
  const workflowRun = (id: number, more: object = {}) => ({
    action: 'completed',
    repository,
    workflow_run: {
      id,
      run_attempt: 1,
      status: 'completed',
      conclusion: 'success',
      head_sha: '9fceb02d0ae598e95dc970b74767f19372d61af8',
      head_branch: 'main',
      run_started_at: at(2),
      updated_at: at(1),
      head_commit: { timestamp: at(3) },
      ...more,
    },
  })
  const deployment = (id: number, state: string, runId: number | null = null) => ({
    repository,
    deployment: {
      id,
      sha: '9fceb02d0ae598e95dc970b74767f19372d61af8',
      ref: 'main',
      environment: 'live',
      production_environment: true,
      created_at: at(2),
    },
    deployment_status: { state, environment: 'live', created_at: at(1) },
    ...(runId === null ? {} : { workflow_run: { id: runId, run_attempt: 1 } }),
  })
  const rowsOf = (as: SignedIn) =>
    store.system.read(async (db) => {
      const t = reportingTables(db)
      const own = <T extends { orgId: string }>(rows: T[]) => rows.filter(({ orgId }) => orgId === as.orgId)
      const sorted = (rows: object[]) => rows.map((row) => JSON.stringify({ ...row, orgId: '', pipelineId: '' })).sort()
      return [
        sorted(own(await db.select().from(t.reportExecutions))),
        sorted(own(await db.select().from(t.reportSteps)).map(({ fold: _fold, ...row }) => row)),
        sorted(own(await db.select().from(t.reportDeployments))),
      ]
    })

  it('of GitHub become runs, stages, deployments and commit times', async () => {
    expect(await hub('ping', { zen: 'a' })).toMatchObject({
      status: 200,
      data: { note: 'ignored: the webhook is set up' },
    })
    expect((await hub('workflow_run', workflowRun(1))).data).toMatchObject({ inserted: 1, parked: 0, note: null })
    const job = {
      run_id: 1,
      run_attempt: 1,
      name: 'build',
      conclusion: 'success',
      started_at: at(2),
      completed_at: at(1.5),
    }
    expect((await hub('workflow_job', { repository, workflow_job: job })).data.inserted).toBe(1)
    expect((await hub('deployment_status', deployment(5, 'success', 1))).data.inserted).toBe(1)
    expect((await hub('deployment_status', deployment(5, 'inactive', 1))).data).toMatchObject({ inserted: 0 })
    const commits = [{ id: '9fceb02d0ae598e95dc970b74767f19372d61af8', timestamp: at(5) }]
    expect((await hub('push', { repository, commits })).data.commits).toBe(1)
    const { dora } = (await app.call('GET', '/reports/execution/dora', { as: ada })).data
    const live = dora.environments.find(({ environment }: { environment: string }) => environment === 'live')
    expect(live.deploymentFrequency.deployments).toBe(1)
    // Counts from the earliest reported time of the commit.
    expect(live.leadTime.medianSeconds).toBe(4 * 3600)
    const issue = {
      number: 7,
      title: 'down',
      state: 'open',
      created_at: at(0.5),
      labels: [{ name: 'incident' }],
      html_url: 'https://github.com/acme/shop/issues/7',
    }
    expect((await hub('issues', { repository, issue })).data.incidents).toBe(1)
    expect((await hub('issues', { repository, issue: { ...issue, labels: [] } })).data).toMatchObject({ incidents: 0 })
    const { incidents } = (await app.call('GET', '/reports/incidents', { as: ada })).data
    expect(incidents).toMatchObject([
      { incidentId: 'github.com/acme/shop#7', environment: 'production', title: 'down' },
    ])
  })

  it('of GitHub end the incident of an issue that is deleted, moved, or no longer labelled', async () => {
    const own = await signUp(app, 'gone')
    const source = await create('github', { 'acme/shop': await newPipeline(app, own, 'gone') }, own)
    const incident = { name: 'incident' }
    const issue = (number: number) => ({ number, title: 'down', state: 'open', created_at: at(3), updated_at: at(1) })
    const issues = (body: object) => hub('issues', { repository, ...body }, source)
    const open = { action: 'labeled', label: incident }
    for (const number of [21, 22, 23, 24]) await issues({ ...open, issue: { ...issue(number), labels: [incident] } })
    await issues({ action: 'unlabeled', label: incident, issue: { ...issue(21), labels: [] } })
    await issues({ action: 'deleted', issue: { ...issue(22), labels: [incident] } })
    await issues({ action: 'transferred', issue: { ...issue(23), labels: [incident] } })
    // Another label says nothing, and an issue that never was an incident becomes none.
    await issues({ action: 'unlabeled', label: { name: 'bug' }, issue: { ...issue(24), labels: [incident] } })
    const none = await issues({ action: 'unlabeled', label: incident, issue: { ...issue(25), labels: [] } })
    expect(none.data).toMatchObject({ incidents: 0, note: expect.stringContaining('ends no open incident') })
    // An end that was told before stays.
    await issues({ action: 'closed', issue: { ...issue(21), labels: [incident], state: 'closed', closed_at: at(1) } })
    await issues({ action: 'deleted', issue: { ...issue(21), labels: [incident], updated_at: at(0.5) } })
    const { incidents } = (await app.call('GET', '/reports/incidents', { as: own })).data
    const ends = incidents.map(({ incidentId, resolvedAt }: Record<string, string>) => [incidentId, resolvedAt])
    expect(ends.sort()).toEqual([
      ['github.com/acme/shop#21', at(1)],
      ['github.com/acme/shop#22', at(1)],
      ['github.com/acme/shop#23', at(1)],
      ['github.com/acme/shop#24', null],
    ])
  })

  it('of GitHub leave an issue open that was opened again, in whatever order they come', async () => {
    const own = await signUp(app, 'reopened')
    const source = await create('github', { 'acme/shop': await newPipeline(app, own, 'reopened') }, own)
    const labels = [{ name: 'incident' }]
    const issue = (number: number) => ({ number, title: 'down', labels, created_at: at(5) })
    const closed = (number: number, hours: number) => ({
      action: 'closed',
      issue: { ...issue(number), state: 'closed', closed_at: at(hours), updated_at: at(hours) },
    })
    const reopened = (number: number, hours: number) => ({
      action: 'reopened',
      issue: { ...issue(number), state: 'open', closed_at: null, updated_at: at(hours) },
    })
    const edited = { action: 'edited', issue: { ...issue(33), state: 'open', updated_at: at(0.5) } }
    const unlabelled = {
      action: 'unlabeled',
      label: labels[0],
      issue: { ...issue(34), state: 'closed', labels: [], closed_at: at(4), updated_at: at(4) },
    }
    for (const body of [
      ...[closed(31, 4), reopened(31, 3), closed(31, 4)],
      ...[reopened(32, 3), closed(32, 4), closed(32, 2)],
      ...[closed(33, 2), reopened(33, 3), edited],
      ...[reopened(34, 3), unlabelled],
    ]) {
      await hub('issues', { repository, ...body }, source)
    }
    const { incidents } = (await app.call('GET', '/reports/incidents', { as: own })).data
    const ends = incidents.map(({ incidentId, resolvedAt }: Record<string, string>) => [incidentId, resolvedAt])
    expect(ends.sort()).toEqual([
      ['github.com/acme/shop#31', null],
      ['github.com/acme/shop#32', at(2)],
      ['github.com/acme/shop#33', at(2)],
      ['github.com/acme/shop#34', null],
    ])
  })

  it('of GitHub count a deployment by a job that has the name of its stage', async () => {
    const own = await signUp(app, 'named')
    const source = await create('github', { 'acme/shop': await newPipeline(app, own, 'named') }, own)
    for (let id = 1; id <= 10; id++) {
      const outcome = { conclusion: 'success', started_at: at(2), completed_at: at(1) }
      const job = { run_id: id, run_attempt: 1, name: 'deploy live', ...outcome }
      const both: [string, object][] = [
        ['workflow_job', { repository, workflow_job: job }],
        ['deployment_status', deployment(100 + id, 'success', id)],
      ]
      for (const [event, payload] of id % 2 === 0 ? both : both.reverse()) {
        expect((await hub(event, payload, source)).data.inserted).toBe(1)
      }
    }
    expect((await rowsOf(own)).map((rows) => rows.length)).toEqual([0, 10, 10])
  })

  it('of GitHub fail where one of two jobs fails that deploy to one environment', async () => {
    const own = await signUp(app, 'twojobs')
    const source = await create('github', { 'acme/shop': await newPipeline(app, own, 'twojobs') }, own)
    const by = (id: number, state: string, name: string, hours: number) => {
      const payload = deployment(id, state, 1)
      const deployment_status = { ...payload.deployment_status, created_at: at(hours) }
      return { ...payload, deployment_status, check_run: { id, name } }
    }
    await hub('deployment_status', by(1, 'failure', 'api', 1), source)
    await hub('deployment_status', by(2, 'success', 'web', 0.5), source)
    const { deployments } = (await app.call('GET', '/reports/deployments', { as: own })).data
    expect(deployments).toMatchObject([{ environment: 'live', status: 'failed' }])
  })

  it('in any order, twice, and before their pipeline is registered, end in the same facts', async () => {
    const [one, two] = [await signUp(app, 'order1'), await signUp(app, 'order2')]
    const all: [string, object][] = [
      ['workflow_run', workflowRun(9, { status: 'in_progress', conclusion: null })],
      ['workflow_run', workflowRun(9)],
      ['deployment_status', deployment(6, 'in_progress', 9)],
      ['deployment_status', deployment(6, 'success', 9)],
      ['deployment_status', deployment(6, 'inactive', 9)],
    ]
    const first = await newPipeline(app, one, 'shop')
    const before = await create('github', { 'acme/shop': first }, one)
    for (const [event, payload] of all) await hub(event, payload, before)
    const later = await create('github', {}, two)
    for (const [event, payload] of [...all, ...all].reverse()) {
      const { data } = await hub(event, payload, later)
      expect(data.inserted).toBe(0)
    }
    const { parked } = (await app.call('GET', '/reports/parked', { as: two })).data
    expect(parked).toMatchObject([{ pipelineRef: 'github.com/acme/shop', events: 4 }])
    // By its properties, the pipeline builds from github.com/acme/shop, so registering it suffices.
    const pipeline = await app.call('POST', '/pipelines', {
      as: two,
      body: {
        project: 'shop',
        organization: 'acme',
        props: { synth: { source: { type: 'github', options: { repo: 'acme/shop' } }, plugin: { name: 'build' } } },
      },
    })
    expect(pipeline.status).toBe(201)
    await register(app, two, pipeline.data.pipeline.id)
    expect((await app.call('GET', '/reports/parked', { as: two })).data.total).toBe(0)
    expect(await rowsOf(two)).toEqual(await rowsOf(one))
    expect((await rowsOf(two))[2]).toHaveLength(1)
  })

  it('wait for a mapping, and are counted once it is there', async () => {
    const own = await signUp(app, 'mapped')
    const pipeline = await newPipeline(app, own, 'other')
    const source = await create('github', {}, own)
    const unheard = { repository: { full_name: 'acme/unheard', html_url: 'https://github.com/acme/unheard' } }
    await hub('workflow_run', { ...workflowRun(30), ...unheard }, source)
    const set = await app.call('PUT', `/reports/sources/${source.id}`, {
      as: own,
      body: { mapping: { 'ACME/unheard': pipeline } },
    })
    expect(set).toMatchObject({ status: 200, data: { told: 1, source: { mapping: { 'acme/unheard': pipeline } } } })
    expect((await hub('workflow_run', { ...workflowRun(31), ...unheard }, source)).data.inserted).toBe(1)
    const { totals } = (await app.call('GET', '/reports/execution/count', { as: own })).data
    expect(totals).toMatchObject({ total: 2, succeeded: 2 })
    const foreign = await app.call('PUT', `/reports/sources/${source.id}`, {
      as: own,
      body: { mapping: { '*': shop } },
    })
    expect([foreign.status, foreign.code]).toEqual([400, 'VALIDATION_ERROR'])
    const slashed = { as: own, body: { mapping: { 'acme/shop': shop } } }
    const refused = await app.call('PUT', `/reports/sources/${source.id}`, slashed)
    expect(refused.body.details.issues[0].path).toBe('/body/mapping/acme~1shop')
  })

  it('of another sender are not counted by a source that maps all names', async () => {
    const own = await signUp(app, 'catching')
    const all = await newPipeline(app, own, 'all')
    const other = await create('github', {}, own)
    const catching = await create('github', {}, own)
    const unheard = { repository: { full_name: 'acme/unheard', html_url: 'https://github.com/acme/unheard' } }
    for (const source of [other, catching])
      expect((await hub('workflow_run', { ...workflowRun(30), ...unheard }, source)).data.parked).toBe(1)
    const events = [
      {
        pipelineId: '01a1a1a1-0000-7000-8000-00000000000a',
        executionId: 'unregistered',
        eventType: 'PIPELINE',
        status: 'SUCCEEDED',
        startedAt: new Date(app.clock.now() - HOUR).toISOString(),
      },
    ]
    const token = await forwarder(app, own.orgId)
    expect((await app.call('POST', '/reports/events', { as: token, body: { events } })).data.parked).toBe(1)
    await newPipeline(app, own, 'next')
    const totals = async () => (await app.call('GET', '/reports/execution/count', { as: own })).data.totals.total
    const parked = async () => (await app.call('GET', '/reports/parked', { as: own })).data.total
    expect([await totals(), await parked()]).toEqual([0, 3])
    const body = { mapping: { '*': all } }
    expect((await app.call('PUT', `/reports/sources/${catching.id}`, { as: own, body })).data.told).toBe(1)
    expect([await totals(), await parked()]).toEqual([1, 2])
    await newPipeline(app, own, 'after')
    expect([await totals(), await parked()]).toEqual([1, 2])
    expect((await app.call('DELETE', `/reports/sources/${other.id}`, { as: own })).status).toBe(200)
    expect([await totals(), await parked()]).toEqual([1, 1])
  })

  it('of a repository that several pipelines build from wait until one is named', async () => {
    const own = await signUp(app, 'several')
    const props = { synth: { source: { type: 'github', options: { repo: 'acme/mono' } }, plugin: { name: 'build' } } }
    const ids: string[] = []
    for (const project of ['one', 'two']) {
      const { data } = await app.call('POST', '/pipelines', { as: own, body: { project, organization: 'acme', props } })
      await register(app, own, data.pipeline.id)
      ids.push(data.pipeline.id)
    }
    const source = await create('github', {}, own)
    const mono = { repository: { full_name: 'acme/mono', html_url: 'https://github.com/acme/mono' } }
    const answer = await hub('workflow_run', { ...workflowRun(60), ...mono }, source)
    expect(answer.data).toMatchObject({ inserted: 0, parked: 1 })
    expect(answer.data.note).toContain('map it')
    const { parked } = (await app.call('GET', '/reports/parked', { as: own })).data
    expect(parked[0].nextStep).toContain("--map 'github.com/acme/mono=")
    const body = { mapping: { 'github.com/acme/mono': ids[1] } }
    expect((await app.call('PUT', `/reports/sources/${source.id}`, { as: own, body })).data.told).toBe(1)
  })

  const buildingFrom = (repo: string) => ({
    synth: { source: { type: 'github', options: { repo } }, plugin: { name: 'build' } },
  })
  const TWO = ['one', 'two'] as const
  type Change = (own: SignedIn, two: readonly [string, string]) => Promise<{ status: number }>
  const changes: readonly (readonly [string, string, Change])[] = [
    [
      'one of them builds from another',
      'acme/mono',
      (own, [id]) => app.call('PUT', `/pipelines/${id}`, { as: own, body: { props: buildingFrom('acme/else') } }),
    ],
    [
      'one of them is created again',
      'acme/mono',
      (own) =>
        app.call('POST', '/pipelines', {
          as: own,
          body: { project: 'one', organization: 'acme', props: buildingFrom('acme/else') },
        }),
    ],
    ['one of them is deleted', 'acme/mono', (own, [id]) => app.call('DELETE', `/pipelines/${id}`, { as: own })],
    [
      'a pipeline builds from it',
      'acme/none',
      (own, [id]) =>
        app.call('PUT', '/pipelines/bulk/update', {
          as: own,
          body: { ids: [id], data: { props: buildingFrom('acme/none') } },
        }),
    ],
  ]
  it.each(changes)('of a repository are counted in the change by which %s', async (_, repo, change) => {
    const own = await signUp(app, `rebuilt${made++}`)
    const ids: string[] = []
    for (const project of TWO) {
      const body = { project, organization: 'acme', props: buildingFrom('acme/mono') }
      const { data } = await app.call('POST', '/pipelines', { as: own, body })
      await register(app, own, data.pipeline.id)
      ids.push(data.pipeline.id)
    }
    const source = await create('github', {}, own)
    const from = { repository: { full_name: repo, html_url: `https://github.com/${repo}` } }
    expect((await hub('workflow_run', { ...workflowRun(70), ...from }, source)).data).toMatchObject({ parked: 1 })
    const totals = async () => (await app.call('GET', '/reports/execution/count', { as: own })).data.totals.total
    const renamed = await app.call('PUT', `/pipelines/${ids[1]}`, { as: own, body: { description: 'the second' } })
    expect([renamed.status, await totals()]).toEqual([200, 0])
    expect([200, 201]).toContain((await change(own, ids as [string, string])).status)
    expect(await totals()).toBe(1)
    expect((await app.call('GET', '/reports/parked', { as: own })).data.parked).toEqual([])
  })

  it('of a pipeline that was deleted are counted when it is created again', async () => {
    const own = await signUp(app, 'again')
    const body = { project: 'one', organization: 'acme', props: buildingFrom('acme/again') }
    const { id } = (await app.call('POST', '/pipelines', { as: own, body })).data.pipeline
    await register(app, own, id)
    const source = await create('github', { 'acme/mapped': id }, own)
    await app.call('DELETE', `/pipelines/${id}`, { as: own })
    const from = (repo: string) => ({ repository: { full_name: repo, html_url: `https://github.com/${repo}` } })
    expect((await hub('workflow_run', { ...workflowRun(71), ...from('acme/again') }, source)).data.parked).toBe(1)
    expect((await hub('workflow_run', { ...workflowRun(72), ...from('acme/mapped') }, source)).data.parked).toBe(1)
    expect((await app.call('POST', '/pipelines', { as: own, body })).data.pipeline.id).toBe(id)
    expect((await app.call('GET', '/reports/execution/count', { as: own })).data.totals.total).toBe(2)
  })

  it('forged, cut, of another source or of none are refused alike, and leave nothing', async () => {
    const foreign = await create('github', {}, bob)
    const body = JSON.stringify(workflowRun(50))
    const send = (path: string, text: string, signature?: string) =>
      post(path, text, { 'x-github-event': 'workflow_run', ...(signature && { 'x-hub-signature-256': signature }) })
    const good = sign(github.secret, body)
    const refused = [
      await send(github.path, body),
      await send(github.path, body, `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`),
      await send(github.path, body, good.replace('sha256=', 'sha1=')),
      await send(github.path, body.slice(0, -1), good),
      await send(github.path, `${body} `, good),
      await send(github.path, body, sign(foreign.secret, body)),
      await send(foreign.path, body, good),
      await send(github.path.replace(github.id, '0190a1b2-0000-7000-8000-00000000000a'), body, good),
      await send(github.path.replace('github', 'gitlab'), body, good),
    ]
    expect(refused.map(({ status, code }) => [status, code])).toEqual(refused.map(() => [401, 'TOKEN_INVALID']))
    expect(refused[0]?.message).toContain('X-Hub-Signature-256')
    expect(new Set(refused.slice(0, 8).map(({ message }) => message)).size).toBe(1)
    const { deliveries } = (await app.call('GET', `/reports/sources/${foreign.id}/deliveries`, { as: bob })).data
    expect(deliveries).toEqual([])
    const text = 'not JSON'
    expect(await send(github.path, text, sign(github.secret, text))).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
    })
    expect(await send(github.path, '[]', sign(github.secret, '[]'))).toMatchObject({ status: 400 })
    const form = new URLSearchParams({ payload: body }).toString()
    const asForm = await post(github.path, form, {
      'content-type': 'application/x-www-form-urlencoded',
      'x-github-event': 'workflow_run',
      'x-hub-signature-256': sign(github.secret, form),
    })
    expect(asForm).toMatchObject({ status: 200, data: { inserted: 1 } })
  })

  it('are good under the new and the old secret for a day, and under the new one after it', async () => {
    const source = await create('github', { 'acme/shop': shop })
    const { data } = await app.call('POST', `/reports/sources/${source.id}/rotate`, { as: ada })
    expect(data.secret).not.toBe(source.secret)
    const next = { ...source, secret: data.secret }
    expect((await hub('ping', {}, source)).status).toBe(200)
    expect((await hub('ping', {}, next)).status).toBe(200)
    const was = app.clock.now()
    app.clock.advance(24 * HOUR)
    expect((await hub('ping', {}, source)).status).toBe(401)
    expect((await hub('ping', {}, next)).status).toBe(200)
    app.clock.advance(was - app.clock.now())
  })

  it('are good under the new secret alone where the old one is ended at once', async () => {
    const source = await create('github', { 'acme/shop': shop })
    const rotate = async (query = '') =>
      (await app.call('POST', `/reports/sources/${source.id}/rotate${query}`, { as: ada })).data.secret
    const first = { ...source, secret: await rotate() }
    expect((await hub('ping', {}, source)).status).toBe(200)
    const second = { ...source, secret: await rotate('?endPrevious=true') }
    for (const old of [source, first]) expect((await hub('ping', {}, old)).status).toBe(401)
    expect((await hub('ping', {}, second)).status).toBe(200)
    const third = { ...source, secret: await rotate('?endPrevious=false') }
    for (const good of [second, third]) expect((await hub('ping', {}, good)).status).toBe(200)
  })

  it('of a source that is off or gone are refused, and its record tells the rest', async () => {
    const source = await create('github')
    await hub('ping', {}, source)
    const list = (await app.call('GET', '/reports/sources', { as: ada })).data.sources
    expect(list.find(({ id }: { id: string }) => id === source.id)).toMatchObject({
      enabled: true,
      lastDeliveryAt: new Date(app.clock.now()).toISOString(),
      secretHint: source.secret.slice(-4),
    })
    expect(JSON.stringify(list)).not.toContain(source.secret)
    const { deliveries, pagination } = (await app.call('GET', `/reports/sources/${source.id}/deliveries`, { as: ada }))
      .data
    expect(deliveries).toMatchObject([{ type: 'ping', inserted: 0, note: 'ignored: the webhook is set up' }])
    expect(pagination).toEqual({ total: 1, limit: 20, offset: 0, hasMore: false })
    await app.call('PUT', `/reports/sources/${source.id}`, { as: ada, body: { enabled: false } })
    expect((await hub('ping', {}, source)).status).toBe(401)
    expect((await app.call('DELETE', `/reports/sources/${source.id}`, { as: bob })).status).toBe(404)
    expect((await app.call('DELETE', `/reports/sources/${source.id}`, { as: ada })).status).toBe(200)
    expect((await app.call('GET', `/reports/sources/${source.id}/deliveries`, { as: ada })).status).toBe(404)
    expect(await evidenceOf(app, ada.orgId)).toEqual(
      expect.arrayContaining([
        'reports.source.create',
        'reports.source.rotate',
        'reports.source.update',
        'reports.source.delete',
      ]),
    )
  })

  it('need a setting of the organization to be set up', async () => {
    const member = await enrol(app, await signUp(app, 'mem'), ada.orgId)
    const answer = await app.call('POST', '/reports/sources', {
      as: member,
      body: { name: 'x', format: 'github' },
      headers: { 'x-org-id': ada.orgId },
    })
    expect([answer.status, answer.code]).toEqual([403, 'INSUFFICIENT_PERMISSIONS'])
    const twice = { name: 'twice', format: 'gitlab' }
    expect((await app.call('POST', '/reports/sources', { as: ada, body: twice })).status).toBe(201)
    expect((await app.call('POST', '/reports/sources', { as: ada, body: twice })).code).toBe('DUPLICATE_ENTRY')
  })

  it('of GitLab are snapshots of pipelines with their jobs', async () => {
    const own = await signUp(app, 'lab')
    const pipeline = await newPipeline(app, own, 'lab')
    const source = await create('gitlab', { 'acme/lab': pipeline }, own)
    const project = { path_with_namespace: 'acme/lab', web_url: 'https://gitlab.example.com/acme/lab' }
    const lab = (payload: object, token = source.secret) =>
      post(source.path, JSON.stringify(payload), { 'content-type': 'application/json', 'x-gitlab-token': token })
    const gitlabTime = (hours: number) =>
      at(hours)
        .replace('T', ' ')
        .replace(/\.\d+Z/, ' UTC')
    const job = (id: number, name: string, status: string, more: object = {}) => ({
      id,
      stage: 'deploy',
      name,
      status,
      created_at: gitlabTime(3),
      started_at: gitlabTime(2),
      finished_at: gitlabTime(1),
      allow_failure: false,
      ...more,
    })
    const payload = {
      object_kind: 'pipeline',
      object_attributes: {
        id: 31,
        ref: 'main',
        sha: 'bcbb5ec396a2c0f828686f14fac9b80b780504f2',
        status: 'success',
        created_at: gitlabTime(3),
        finished_at: gitlabTime(1),
      },
      project,
      commit: { id: 'bcbb5ec396a2c0f828686f14fac9b80b780504f2', timestamp: gitlabTime(4) },
      builds: [
        job(1, 'up', 'success', { environment: { name: 'prod', action: 'start', deployment_tier: 'production' } }),
        job(2, 'down', 'success', { environment: { name: 'review/1', action: 'stop' } }),
        job(3, 'maybe', 'failed', { allow_failure: true }),
        job(4, 'wait', 'manual', { started_at: null, finished_at: null }),
      ],
    }
    expect((await lab(payload)).data).toMatchObject({ inserted: 4, note: null })
    expect((await lab(payload)).data).toMatchObject({ inserted: 0, duplicates: 4 })
    expect((await lab(payload, 'wrong')).status).toBe(401)
    const { deployments } = (await app.call('GET', '/reports/deployments', { as: own })).data
    expect(deployments).toMatchObject([{ executionId: '31', environment: 'prod', status: 'succeeded' }])
    const told = {
      object_kind: 'deployment',
      status: 'success',
      deployment_id: 15,
      deployable_id: 796,
      environment: 'prod',
      project,
      status_changed_at: at(1),
    }
    expect((await lab(told)).data.note).toContain('pipeline event')
    expect((await lab({ ...told, deployable_id: null })).data.inserted).toBe(1)
    const incident = {
      object_kind: 'incident',
      project,
      object_attributes: {
        iid: 3,
        title: 'slow',
        created_at: gitlabTime(1),
        state: 'closed',
        closed_at: gitlabTime(0.5),
      },
    }
    expect((await lab(incident)).data.incidents).toBe(1)
    const label = { title: 'Incident' }
    const labelled = (iid: number, more: object, changes: object = {}) => ({
      ...{ object_kind: 'issue', project, changes },
      object_attributes: { iid, title: 'slow', state: 'opened', created_at: gitlabTime(3), ...more },
    })
    const lost = { labels: { previous: [label], current: [] } }
    await lab({ ...labelled(41, { action: 'open' }), labels: [label] })
    await lab({ ...labelled(42, { action: 'open' }), labels: [label] })
    await lab(labelled(41, { action: 'update', updated_at: gitlabTime(1) }, lost))
    await lab({
      ...labelled(42, { action: 'update' }, { labels: { previous: [], current: [label] } }),
      labels: [label],
    })
    const never = await lab(labelled(43, { action: 'update' }, lost))
    expect(never.data.note).toContain('ends no open incident')
    // Closed and opened again; what was closed before arrives last.
    await lab({ ...labelled(42, { action: 'reopen', updated_at: gitlabTime(1) }), labels: [label] })
    const closed = { action: 'close', state: 'closed', closed_at: gitlabTime(2) }
    await lab({ ...labelled(42, closed), labels: [label] })
    const { incidents } = (await app.call('GET', '/reports/incidents', { as: own })).data
    const ends = incidents.map(({ incidentId, resolvedAt }: Record<string, string>) => [incidentId, resolvedAt])
    expect(ends).toEqual(
      expect.arrayContaining([
        ['gitlab.example.com/acme/lab#41', expect.any(String)],
        ['gitlab.example.com/acme/lab#42', null],
      ]),
    )
    expect(ends).toHaveLength(3)
    expect((await lab({ object_kind: 'note', project })).data.note).toContain('not a type')
  })

  it('of CDEvents come bare, structured or signed', async () => {
    const own = await signUp(app, 'cd')
    const pipeline = await newPipeline(app, own, 'cd')
    const source = await create('cdevents', { 'tekton/ns': pipeline }, own)
    const event = (type: string, id: string, subjectId: string, content: object, hours: number) => ({
      context: { version: '0.4.1', id, source: 'tekton/ns', type: `dev.cdevents.${type}.0.2.0`, timestamp: at(hours) },
      subject: { id: subjectId, type: type.split('.')[0], content },
    })
    const bearer = { authorization: `Bearer ${source.secret}`, 'content-type': 'application/json' }
    const send = (payload: object, headers: Record<string, string> = bearer) =>
      post(source.path, JSON.stringify(payload), headers)
    expect((await send(event('pipelinerun.started', 'e1', 'run-1', { pipelineName: 'ci' }, 3))).data.inserted).toBe(1)
    const finished = event(
      'pipelinerun.finished',
      'e2',
      'run-1',
      { pipelineName: 'ci', outcome: 'failure', errors: 'no' },
      2,
    )
    const structured = { specversion: '1.0', type: finished.context.type, source: 'x', id: 'y', data: finished }
    expect((await send(structured)).data.inserted).toBe(1)
    expect((await send(finished)).data).toMatchObject({ inserted: 0, duplicates: 1 })
    const body = JSON.stringify(
      event(
        'service.deployed',
        'e3',
        'svc',
        {
          environment: { id: 'production' },
          artifactId: 'pkg:oci/app@sha256:0b31b1c02ff458ad9b7b81cbdf8f028bd54699fa151f221d1e8de6817db93427',
        },
        1,
      ),
    )
    const stamp = String(Math.floor(app.clock.now() / 1000))
    const key = Buffer.from(source.secret.slice('whsec_'.length), 'base64')
    const signed = (at: string) => ({
      'webhook-id': 'm1',
      'webhook-timestamp': at,
      'webhook-signature': `v1,${createHmac('sha256', key).update(`m1.${at}.${body}`).digest('base64')}`,
    })
    expect((await post(source.path, body, signed(stamp))).data.inserted).toBe(1)
    expect((await post(source.path, body, signed(String(Number(stamp) - 301)))).status).toBe(401)
    const { executions } = (await app.call('GET', '/reports/execution/list', { as: own })).data
    expect(executions).toMatchObject([
      { executionId: 'run-1', status: 'failed', startedAt: at(3), completedAt: at(2), errorMessage: 'no' },
    ])
    expect((await send(event('incident.detected', 'e4', 'inc-1', { description: 'slow' }, 1))).data.incidents).toBe(1)
    expect((await send(event('artifact.packaged', 'e5', 'a', {}, 1))).data.note).toContain('not a type')
  })

  it('of OpenTelemetry are spans in JSON, and protobuf is told what to set', async () => {
    const own = await signUp(app, 'otel')
    const pipeline = await newPipeline(app, own, 'otel')
    const source = await create('otlp', { 'shop-ci': pipeline }, own)
    const nano = (hours: number) => `${app.clock.now() - hours * HOUR}000000`
    const text = (key: string, value: string) => ({ key, value: { stringValue: value } })
    const span = (spanId: string, kind: number, hours: number, attributes: object[]) => ({
      traceId: '5b8efff798038103d269b633813fc60c',
      spanId,
      name: spanId,
      kind,
      startTimeUnixNano: nano(hours),
      endTimeUnixNano: nano(hours - 1),
      attributes,
    })
    const payload = {
      resourceSpans: [
        {
          resource: { attributes: [text('cicd.pipeline.name', 'shop-ci'), text('cicd.pipeline.run.id', 'r-1')] },
          scopeSpans: [
            {
              spans: [
                span('a1', 2, 3, [text('cicd.pipeline.result', 'timeout')]),
                span('a2', 1, 3, [
                  text('cicd.pipeline.task.name', 'unit'),
                  text('cicd.pipeline.task.run.result', 'success'),
                ]),
                span('a3', 1, 2, [
                  text('cicd.pipeline.task.name', 'up'),
                  text('cicd.pipeline.task.type', 'deploy'),
                  text('deployment.environment.name', 'production'),
                ]),
                span('a4', 1, 2, []),
                span('a5', 3, 2, []),
              ],
            },
          ],
        },
      ],
    }
    const headers = { authorization: `Bearer ${source.secret}`, 'content-type': 'application/json' }
    expect((await post(`${source.path}/v1/traces`, JSON.stringify(payload), headers)).data.inserted).toBe(3)
    expect((await post(source.path, JSON.stringify(payload), headers)).data).toMatchObject({
      inserted: 0,
      duplicates: 3,
    })
    const protobuf = await post(`${source.path}/v1/traces`, 'x', {
      ...headers,
      'content-type': 'application/x-protobuf',
    })
    expect(protobuf).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
    expect(protobuf.message).toContain('encoding: json')
    const packed = await post(`${source.path}/v1/traces`, 'x', { ...headers, 'content-encoding': 'gzip' })
    expect(packed).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
    // The exporter of a collector does both by default, so the steps turn both off.
    expect(packed.message).toContain('compression: none')
    expect(source.steps).toEqual(expect.arrayContaining(['encoding: json', 'compression: none']))
    const { executions } = (await app.call('GET', '/reports/execution/list', { as: own })).data
    expect(executions).toMatchObject([{ executionId: 'r-1', status: 'failed' }])
    const { deployments } = (await app.call('GET', '/reports/deployments', { as: own })).data
    expect(deployments).toMatchObject([{ environment: 'production', status: 'succeeded' }])
  })

  it('of monitors are incidents', async () => {
    const source = await create('alertmanager')
    const body = JSON.stringify({ alerts: [{ fingerprint: 'f1', startsAt: at(1), labels: { environment: 'live' } }] })
    const answer = await post(source.path, body, { authorization: `Bearer ${source.secret}` })
    expect(answer.data).toMatchObject({ incidents: 1, note: null })
    const nul = 'a\0b'
    const labels = { environment: nul, severity: nul }
    const alert = { fingerprint: nul, startsAt: at(1), labels, annotations: { summary: nul }, generatorURL: nul }
    const hostile = await post(source.path, JSON.stringify({ alerts: [alert] }), {
      authorization: `Bearer ${source.secret}`,
    })
    expect(hostile).toMatchObject({ status: 200, data: { incidents: 1 } })
    const pager = await create('pagerduty')
    const event = { event_type: `incident.${nul}`, data: { type: nul, id: nul }, occurred_at: at(1) }
    const note = await post(pager.path, JSON.stringify({ event }), { authorization: `Bearer ${pager.secret}` })
    expect(note).toMatchObject({ status: 200, data: { incidents: 0, note: expect.stringContaining('a b') } })
  })

  it('of Datadog work with the payload that the steps give, and without it say so', async () => {
    const source = await create('datadog')
    const headers = { authorization: `Bearer ${source.secret}` }
    const payload = source.steps.find((step) => step.startsWith('payload '))?.slice('payload '.length) as string
    const values: Record<string, string> = {
      ALERT_CYCLE_KEY: '77',
      ALERT_TRANSITION: 'Recovered',
      DATE: String(app.clock.now() - HOUR),
      TAGS: 'env:live,team:web',
    }
    const sent = payload.replace(/\$([A-Z_]+)/g, (_, name: string) => values[name] ?? '')
    expect((await post(source.path, sent, headers)).data).toMatchObject({ incidents: 1, note: null })
    const { incidents } = (await app.call('GET', '/reports/incidents?limit=1000', { as: ada })).data
    const found = incidents.find(({ incidentId }: { incidentId: string }) => incidentId === 'datadog-77')
    expect(found).toMatchObject({ environment: 'live', resolvedAt: at(1) })
    const ownPayload = JSON.stringify({ id: '5', date: String(app.clock.now()), title: '[Triggered] Down' })
    const refused = await post(source.path, ownPayload, headers)
    expect(refused.data).toMatchObject({ incidents: 0, note: expect.stringContaining(payload) })
  })
})
