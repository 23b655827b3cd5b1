/** Delivery metrics over HTTP: compared with the oracle; marks, links, incidents, what-if, and permissions. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, differences, tell } from '../../../proof/reports/check.js'
import { worlds } from '../../../proof/reports/world.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { enrol, evidenceOf, giveCustomRole } from '../../../test/support/organizations.js'
import { forwarder, newPipeline, reportingApp } from '../../../test/support/reports.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR

await describeStores('delivery metrics', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  let bob: SignedIn
  let token: string
  let shop: string
  let blog: string
  const at = (hours: number) => new Date(app.clock.now() - hours * HOUR).toISOString()
  beforeAll(async () => {
    store = await open()
    app = await reportingApp(store, { settings: { BILLING_ENABLED: 'false' } })
    ada = await signUp(app, 'ada')
    bob = await signUp(app, 'bob')
    token = await forwarder(app, ada.orgId)
    shop = await newPipeline(app, ada, 'shop')
    blog = await newPipeline(app, ada, 'blog')
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const call = async (method: string, path: string, as: SignedIn | string, body?: unknown) => {
    const answer = await app.call(method, path, { as, ...(body === undefined ? {} : { body }) })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.data
  }
  const apiOf = (machine: string, person: SignedIn): Api => ({
    send: (path, body) => call('POST', path, machine, body),
    get: (path) => call('GET', path, person),
    put: (path, body) => call('PUT', path, person, body),
    post: (path, body) => call('POST', path, person, body),
  })
  const get = (path: string, as = ada) => app.call('GET', path, { as })
  const deploy = (pipelineId: string, executionId: string, hours: number, more: object = {}) => ({
    pipelineId,
    executionId,
    eventSource: 'generic',
    eventType: 'STAGE',
    stageName: 'Deploy',
    status: 'SUCCEEDED',
    environment: 'production',
    startedAt: at(hours + 0.5),
    completedAt: at(hours),
    ...more,
  })
  const dora = async (query = '') => (await get(`/reports/execution/dora${query}`)).data.dora

  it('are those of the oracle, for any history', async () => {
    let round = 0
    await fc.assert(
      fc.asyncProperty(
        worlds({ pipelines: ['one', 'two'], untilMs: app.clock.now(), runsMax: 10 }),
        fc.nat(1000),
        async (world, seed) => {
          const person = await signUp(app, `oracle${++round}`)
          const ids = {
            one: await newPipeline(app, person, 'one'),
            two: await newPipeline(app, person, 'two'),
          } as Record<string, string>
          const named = JSON.parse(JSON.stringify(world), (key, value) =>
            key === 'pipelineId' ? ids[value as string] : value,
          )
          const api = apiOf(await forwarder(app, person.orgId), person)
          await tell(api, named, seed)
          expect(await differences(api, named, app.clock.now() - 3 * DAY, app.clock.now() - DAY / 2)).toEqual([])
        },
      ),
      { numRuns: 12 },
    )
  })

  it('say why there is none, with the command that repairs it', async () => {
    const empty = await signUp(app, 'empty')
    const none = (await app.call('GET', '/reports/execution/dora', { as: empty })).data.dora
    expect(none.environments[0]).toMatchObject({
      environment: 'production',
      deploymentFrequency: {
        perDay: null,
        why: 'no_pipelines',
        nextStep: expect.stringContaining('plumbline pipelines register'),
      },
    })
    await call('POST', '/reports/events', token, {
      events: [deploy(shop, 'r1', 100), deploy(shop, 'r2', 90, { commitSha: 'abcdef0', commitTimestamp: at(91) })],
    })
    const typo = await dora('?environment=prodution')
    expect(typo.environments[0].deploymentFrequency).toMatchObject({
      why: 'no_environment',
      nextStep: expect.stringContaining('did you mean production'),
    })
    for (const list of ['deployments', 'incidents']) {
      const of = async (environment: string) =>
        (await get(`/reports/${list}?environment=${environment}&from=${at(1)}`)).data.nextStep
      expect(await of('prodution')).toContain('did you mean production')
      expect(await of('production')).toBeNull()
    }
    expect((await get('/reports/execution/dora/trend?environment=prodution')).data.nextStep).toContain('did you mean')
    const { whatIf } = (
      await app.call('POST', '/reports/execution/dora/what-if', { as: ada, body: { environment: 'prodution' } })
    ).data
    expect(whatIf.nextStep).toContain('did you mean')
    const { environments, overallLevel, basis } = await dora('?explain=true&compare=true')
    expect(basis).toBe('deploy')
    expect(overallLevel).toBe('medium')
    expect(environments[0]).toMatchObject({
      headline: true,
      deploymentFrequency: {
        deployments: 2,
        perDay: 0.07,
        level: 'medium',
        numerator: 2,
        denominator: 30,
        compare: { previous: null },
      },
      changeFailureRate: {
        rate: 0,
        strictRate: 0,
        attempts: 2,
        level: 'elite',
        sure: false,
        interval: { low: 0, high: 65.8 },
      },
      leadTime: {
        medianSeconds: 3600,
        numerator: 1,
        explain: { candidates: 2, counted: 1, dropped: [{ reason: 'no_commit_time', count: 1 }] },
      },
      failedDeploymentRecovery: { why: 'no_recovery' },
    })
  })

  it('compares with no day before the kept history, and lists what is open', async () => {
    const own = await signUp(app, 'evenly')
    const pipeline = await newPipeline(app, own, 'even')
    const machine = await forwarder(app, own.orgId)
    const events = Array.from({ length: 59 }, (_, n) => deploy(pipeline, `even-${n}`, 24 * (3 * n + 1.5)))
    const sent = await app.call('POST', '/reports/events', { as: machine, body: { events } })
    expect(sent.data.inserted).toBe(59)
    const frequency = async (days: number) => {
      const { dora } = (await get(`/reports/execution/dora?compare=true&from=${at(24 * days)}`, own)).data
      expect(Object.keys(dora.meanTimeToRestore.compare)).toHaveLength(3)
      return dora.environments[0].deploymentFrequency
    }
    expect(await frequency(150)).toMatchObject({
      perDay: 0.33,
      compare: { previous: 0.3, change: 0.03, moreThanChance: false },
    })
    expect((await frequency(180)).compare).toEqual({ previous: null, change: null, moreThanChance: null })
    const body = { incidentId: 'still', environment: 'production', openedAt: at(35) }
    expect((await app.call('POST', '/reports/incidents', { as: machine, body })).status).toBe(201)
    const { dora } = (await get('/reports/execution/dora?explain=true', own)).data
    expect(dora.environments[0].failedDeploymentRecovery).toMatchObject({
      denominator: 1,
      explain: {
        candidates: 1,
        counted: 0,
        dropped: [{ reason: 'open', samples: [{ incidentId: 'still', executionId: 'even-0' }] }],
      },
    })
  })

  it('marks a deployment failed, restored, and takes it back', async () => {
    const mark = (executionId: string, body: object, as = ada) =>
      app.call('POST', `/reports/deployments/${executionId}/outcome`, { as, body })
    expect((await mark('r2', { outcome: 'restored' })).code).toBe('CONFLICT')
    expect((await mark('r2', { outcome: 'failed', at: at(95) })).body.details.issues[0]).toMatchObject({
      path: '/body/at',
    })
    expect((await mark('r2', { outcome: 'failed', at: at(80), note: 'broke checkout' })).data.outcome).toMatchObject({
      pipelineId: shop,
      environment: 'production',
    })
    expect((await mark('r2', { outcome: 'restored', at: at(85) })).body.details.issues[0].message).toContain('before')
    expect((await mark('r2', { outcome: 'restored', at: at(78) })).status).toBe(200)
    expect((await mark('nowhere', { outcome: 'failed' })).code).toBe('NOT_FOUND')
    expect((await mark('r2', { outcome: 'failed' }, bob)).code).toBe('NOT_FOUND')
    expect((await mark('r2', { outcome: 'failed', environment: 'staging' })).code).toBe('VALIDATION_ERROR')
    const own = await dora()
    expect(own.environments[0].changeFailureRate).toMatchObject({ rate: 50, postDeployFailures: 1 })
    expect(own.meanTimeToRestore).toMatchObject({ medianSeconds: 7200, restored: 1 })
    expect((await get('/reports/deployments')).data.deployments[0]).toMatchObject({
      executionId: 'r2',
      failedLater: 'mark',
      restoredAt: at(78),
    })
    const removed = await app.call('DELETE', '/reports/deployments/r2/outcome/failed', { as: ada })
    expect(removed.data.removed.length).toBe(2)
    expect((await dora()).environments[0].changeFailureRate.rate).toBe(0)
    expect(await evidenceOf(app, ada.orgId)).toEqual(expect.arrayContaining(['reports.outcome.mark']))
  })

  it('never keeps a restoration without its failure, however marks are raced', async () => {
    for (let round = 0; round < 8; round++) {
      const path = '/reports/deployments/r2/outcome'
      await app.call('POST', path, { as: ada, body: { outcome: 'failed', at: at(80) } })
      await Promise.all([
        app.call('POST', path, { as: ada, body: { outcome: 'restored', at: at(78) } }),
        app.call('DELETE', `${path}/failed`, { as: ada }),
      ])
      const [own] = (await get('/reports/deployments')).data.deployments
      expect(own).toMatchObject({ executionId: 'r2', failedLater: null, restoredAt: null })
    }
  })

  it('keeps the earliest opening and the resolution of an incident that is told by several at once', async () => {
    for (let round = 0; round < 4; round++) {
      const told = { incidentId: `raced-${round}`, environment: 'elsewhere' }
      const bodies = [
        { ...told, openedAt: at(60) },
        { ...told, openedAt: at(70), title: 'first' },
        { ...told, openedAt: at(65), resolvedAt: at(50) },
        { ...told, openedAt: at(61), severity: 'high' },
      ]
      const answers = await Promise.all(
        bodies.map((body) => app.call('POST', '/reports/incidents', { as: token, body })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
      const { incidents } = (await get('/reports/incidents?limit=100')).data
      expect(incidents.find((each: { incidentId: string }) => each.incidentId === told.incidentId)).toMatchObject({
        openedAt: at(70),
        resolvedAt: at(50),
        title: 'first',
        severity: 'high',
      })
    }
  })

  it('keeps the latest end of an incident, also when an older one arrives after it', async () => {
    const told = { incidentId: 'ended-twice', environment: 'elsewhere', openedAt: at(60) }
    const say = (body: object) => app.call('POST', '/reports/incidents', { as: token, body: { ...told, ...body } })
    const end = async () => {
      const { incidents } = (await get('/reports/incidents?limit=100')).data
      return incidents.find((each: { incidentId: string }) => each.incidentId === told.incidentId).resolvedAt
    }
    await say({ resolvedAt: at(40) })
    await say({ resolvedAt: at(50) })
    expect(await end()).toBe(at(40))
    await say({ resolvedAt: null })
    await say({ resolvedAt: at(50) })
    expect(await end()).toBe(at(50))
  })

  it('does not guess between two pipelines with an execution of one id', async () => {
    await call('POST', '/reports/events', token, { events: [deploy(shop, 'same', 60), deploy(blog, 'same', 50)] })
    const ambiguous = await app.call('POST', '/reports/deployments/same/outcome', {
      as: ada,
      body: { outcome: 'failed' },
    })
    expect(ambiguous.body).toMatchObject({
      statusCode: 409,
      code: 'AMBIGUOUS_EXECUTION',
      details: { pipelineIds: [shop, blog].sort() },
    })
    const named = await app.call('POST', '/reports/deployments/same/outcome', {
      as: ada,
      body: { outcome: 'failed', pipelineId: blog },
    })
    expect(named.data.outcome.pipelineId).toBe(blog)
    expect(
      (await app.call('DELETE', `/reports/deployments/same/outcome/failed?pipelineId=${blog}`, { as: ada })).status,
    ).toBe(200)
  })

  it('links incidents, shows the candidates, and keeps a corrected link', async () => {
    const incident = {
      incidentId: 'pd-1',
      environment: 'production',
      openedAt: at(49),
      resolvedAt: at(48),
      severity: 'critical',
    }
    expect((await app.call('POST', '/reports/incidents', { as: ada, body: incident })).status).toBe(403)
    const first = await app.call('POST', '/reports/incidents', { as: token, body: incident })
    const stored = { incidentId: 'pd-1', openedAt: at(49), resolvedAt: at(48) }
    expect([first.status, first.data]).toEqual([201, { ...stored, created: true }])
    const again = await app.call('POST', '/reports/incidents', {
      as: token,
      body: { incidentId: 'pd-1', environment: 'production', openedAt: at(49) },
    })
    expect([again.status, again.data]).toEqual([200, { ...stored, created: false }])
    const earlier = await app.call('POST', '/reports/incidents', {
      as: token,
      body: { ...incident, resolvedAt: at(48.5) },
    })
    expect(earlier.data).toEqual({ ...stored, created: false })
    const listed = async () =>
      (await get('/reports/incidents')).data.incidents.find(
        (each: { incidentId: string }) => each.incidentId === 'pd-1',
      )
    expect(await listed()).toMatchObject({
      resolvedAt: at(48),
      link: {
        kind: 'auto',
        deployment: { pipelineId: blog },
        candidates: [{ pipelineId: blog }, { pipelineId: shop }],
      },
    })
    expect(
      (await app.call('PUT', '/reports/incidents/pd-1/link', { as: bob, body: { executionId: 'same' } })).code,
    ).toBe('NOT_FOUND')
    await call('PUT', '/reports/incidents/pd-1/link', ada, { executionId: 'same', pipelineId: shop })
    await call('POST', '/reports/events', token, { events: [deploy(blog, 'nearer', 49.5)] })
    expect((await listed()).link).toMatchObject({ kind: 'manual', deployment: { pipelineId: shop } })
    await call('DELETE', '/reports/incidents/pd-1/link', ada)
    expect((await listed()).link).toMatchObject({ kind: 'auto', deployment: { executionId: 'nearer' } })
    expect(await evidenceOf(app, ada.orgId)).toEqual(expect.arrayContaining(['reports.incident.link']))
    const reversed = await app.call('POST', '/reports/incidents', {
      as: token,
      body: { ...incident, incidentId: 'x', resolvedAt: at(50) },
    })
    expect(reversed.body.details.issues).toMatchObject([{ path: '/body/resolvedAt', code: 'date_order' }])
    const dry = (
      await app.call('POST', '/reports/incidents/test', { as: ada, body: { ...incident, incidentId: 'dry' } })
    ).data
    expect(dry.link.deployment.executionId).toBe('nearer')
  })

  it('takes incidents of monitors as they send them, and sent again once', async () => {
    const sent = {
      alertmanager: {
        alerts: [
          {
            fingerprint: 'f1',
            status: 'firing',
            startsAt: at(20),
            endsAt: '0001-01-01T00:00:00Z',
            labels: { environment: 'staging', alertname: 'Down' },
          },
          { labels: {} },
        ],
      },
      pagerduty: {
        event: { event_type: 'incident.triggered', occurred_at: at(20), data: { id: 'P1', title: 'Down' } },
      },
      datadog: {
        alert_cycle_key: '7',
        alert_transition: 'Triggered',
        date: app.clock.now() - 20 * HOUR,
        tags: 'env:staging,team:web',
      },
      opsgenie: { action: 'Create', alert: { alertId: 'o1', createdAt: app.clock.now() - 20 * HOUR, message: 'Down' } },
    }
    for (const [format, body] of Object.entries(sent)) {
      const first = (await app.call('POST', `/reports/incidents/${format}`, { as: token, body })).data
      expect(first).toMatchObject({ created: 1, updated: 0 })
      expect((await app.call('POST', `/reports/incidents/${format}`, { as: token, body })).data).toMatchObject({
        created: 0,
        updated: 1,
      })
    }
    const open = (await get('/reports/incidents?status=open')).data.incidents.map(
      ({ incidentId, environment }: Record<string, string>) => [incidentId?.split('-')[0], environment],
    )
    expect(open.sort()).toEqual([
      ['alertmanager', 'staging'],
      ['datadog', 'staging'],
      ['opsgenie', 'production'],
      ['pagerduty', 'production'],
    ])
  })

  it('counts each firing of a monitor, and says what Datadog has to send to tell them apart', async () => {
    const gil = await signUp(app, 'datadog')
    const sender = await forwarder(app, gil.orgId)
    const send = (body: object) =>
      call('POST', '/reports/incidents/datadog', sender, { alert_id: '12', aggreg_key: 'a', ...body })
    const fired = (key: string, hours: number) => ({
      alert_cycle_key: key,
      alert_transition: 'Triggered',
      date: Date.parse(at(hours)),
    })
    const over = (key: string, hours: number) => ({ ...fired(key, hours), alert_transition: 'Recovered' })
    for (const body of [fired('one', 9), over('one', 8), over('two', 3), fired('two', 4)]) await send(body)
    const listed = async () =>
      (await get('/reports/incidents', gil)).data.incidents.map((each: { openedAt: string; resolvedAt: string }) => [
        each.openedAt,
        each.resolvedAt,
      ])
    const both = [
      [at(4), at(3)],
      [at(9), at(8)],
    ]
    expect(await listed()).toEqual(both)
    for (const body of [
      { ...fired('', 2), id: 'event-1' },
      { ...over('$ALERT_CYCLE_KEY', 1), id: 'event-2' },
    ]) {
      const { created, updated, skipped } = await send(body)
      expect([created, updated]).toEqual([0, 0])
      expect(skipped).toMatchObject([{ reason: expect.stringContaining('"alert_cycle_key":"$ALERT_CYCLE_KEY"') }])
    }
    expect(await listed()).toEqual(both)
  })

  it('resolves an incident of Opsgenie when its alert was closed, which is told in nanoseconds', async () => {
    const ida = await signUp(app, 'opsgenie')
    const sender = await forwarder(app, ida.orgId)
    const close = (alertId: string, updatedAt: unknown) =>
      call('POST', '/reports/incidents/opsgenie', sender, {
        action: 'Close',
        alert: { alertId, createdAt: Date.parse(at(19)), updatedAt },
      })
    const endedMs = Date.parse(at(18))
    const units = { s: 1 / 1000, ms: 1, us: 1000, ns: 1_000_000 }
    for (const [unit, factor] of Object.entries(units)) {
      await close(unit, Math.floor(endedMs * factor))
      await close(`${unit}-text`, String(BigInt(Math.floor(endedMs * factor))))
    }
    const { incidents } = (await get('/reports/incidents', ida)).data
    expect(incidents).toHaveLength(8)
    for (const { incidentId, resolvedAt } of incidents) {
      const apartMs = Date.parse(resolvedAt) - endedMs
      expect([incidentId, Math.abs(apartMs) < 1000]).toEqual([incidentId, true])
    }
    const { created, skipped } = await close('unknown', undefined)
    expect([created, skipped]).toEqual([0, [{ index: 0, reason: expect.stringContaining('updatedAt') }]])
    const tell = (action: string, hours: number) =>
      call('POST', '/reports/incidents/opsgenie', sender, {
        action,
        alert: { alertId: 'gone', createdAt: Date.parse(at(19)), updatedAt: Date.parse(at(hours)) },
      })
    for (const action of ['Create', 'Acknowledge', 'Delete', 'AddNote']) await tell(action, 17)
    const all = (await get('/reports/incidents', ida)).data.incidents
    const deleted = all.find(({ incidentId }: { incidentId: string }) => incidentId === 'opsgenie-gone')
    expect(deleted).toMatchObject({ resolvedAt: at(17) })
  })

  it('makes no incident of what PagerDuty tells about an incident', async () => {
    const pia = await signUp(app, 'pagerduty')
    const sender = await forwarder(app, pia.orgId)
    const tell = (event_type: string, data: object) =>
      call('POST', '/reports/incidents/pagerduty', sender, { event: { event_type, occurred_at: at(2), data } })
    await tell('incident.triggered', { type: 'incident', id: 'P1', created_at: at(3), title: 'Down' })
    const of = { incident: { id: 'P1', type: 'incident_reference' } }
    for (const [event, type] of [
      ['annotated', 'incident_note'],
      ['status_update_published', 'incident_status_update'],
      ['workflow.started', 'incident_workflow_instance'],
    ]) {
      const { created, skipped } = await tell(`incident.${event}`, { ...of, type, id: 'N1', content: 'seen' })
      expect([created, skipped]).toEqual([0, [{ index: 0, reason: expect.stringContaining(type as string) }]])
    }
    const { incidents } = (await get('/reports/incidents', pia)).data
    expect(incidents.map(({ incidentId }: { incidentId: string }) => incidentId)).toEqual(['pagerduty-P1'])
  })

  it('says of a skipped alert where it is among those that were sent', async () => {
    const alert = (fingerprint: string, startsAt: string) => ({ fingerprint, startsAt, status: 'firing' })
    const alerts = [{ labels: {} }, alert('past', at(3)), alert('future', at(-3))]
    const { created, skipped } = await call('POST', '/reports/incidents/alertmanager', token, { alerts })
    expect(created).toBe(1)
    expect(skipped.map(({ index }: { index: number }) => index)).toEqual([0, 2])
    const closing = { ...alert('past', at(3)), status: 'resolved', endsAt: at(2) }
    await call('POST', '/reports/incidents/alertmanager', token, { alerts: [closing] })
  })

  it('keeps the environment of an incident that is named once, and follows the settings where none was', async () => {
    const hal = await signUp(app, 'unlabelled')
    const own = await newPipeline(app, hal, 'own')
    const sender = await forwarder(app, hal.orgId)
    const events = ['staging', 'live'].map((environment) => deploy(own, environment, 20, { environment }))
    await call('POST', '/reports/events', sender, { events })
    const send = (action: string, alertId: string, details?: object) =>
      call('POST', '/reports/incidents/opsgenie', sender, {
        action,
        alert: { alertId, createdAt: Date.parse(at(19)), updatedAt: Date.parse(at(18)), details },
      })
    await send('Create', 'named', { environment: 'staging' })
    await send('Close', 'named')
    await send('Close', 'reordered')
    await send('Create', 'reordered', { environment: 'staging' })
    await send('Create', 'unnamed')
    const listed = async (query = '') =>
      (await get(`/reports/incidents${query}`, hal)).data.incidents.map(
        (each: { incidentId: string; environment: string; link: { deployment: { executionId: string } | null } }) => [
          each.incidentId,
          each.environment,
          each.link.deployment?.executionId ?? null,
        ],
      )
    const named = [
      ['opsgenie-named', 'staging', 'staging'],
      ['opsgenie-reordered', 'staging', 'staging'],
    ]
    expect(await listed()).toEqual([...named, ['opsgenie-unnamed', 'production', null]])
    await call('PUT', '/reports/settings/incidents', hal, { headlineEnvironments: ['live', 'production'] })
    expect(await listed()).toEqual([...named, ['opsgenie-unnamed', 'live', 'live']])
    expect(await listed('?environment=live')).toEqual([['opsgenie-unnamed', 'live', 'live']])
    for (const explain of [false, true]) {
      const { data } = await get(`/reports/execution/dora?environment=live&explain=${explain}`, hal)
      expect(data.dora.environments[0].changeFailureRate).toMatchObject({ attempts: 1, postDeployFailures: 1 })
    }
    const linked = await call('PUT', '/reports/incidents/opsgenie-unnamed/link', hal, { executionId: 'live' })
    const why = /in live, the first of `headlineEnvironments`: change that with PUT \/reports\/settings\/incidents/
    expect(linked).toMatchObject({ environment: 'live', whyEnvironment: expect.stringMatching(why) })
    const { incidents } = (await get('/reports/incidents', hal)).data
    expect(incidents.map((each: { whyEnvironment: string | null }) => each.whyEnvironment)).toEqual([
      null,
      null,
      expect.stringMatching(why),
    ])
    expect((await send('Create', 'named', { environment: 'staging' })).unnamed).toBeNull()
    expect((await send('Create', 'another')).unnamed).toEqual({
      incidents: 1,
      environment: 'live',
      why: expect.stringMatching(why),
    })
  })

  it('reads the tags of Datadog: the label before `env`, and a value with colons whole', async () => {
    const ivy = await signUp(app, 'tags')
    const sender = await forwarder(app, ivy.orgId)
    const seen: string[] = []
    for (const [index, tags] of ['env:eu:1, team:web', 'env:a,environment:b', 'env:,team:web', 'team:web'].entries()) {
      const date = Date.parse(at(9 - index))
      await call('POST', '/reports/incidents/datadog', sender, { alert_cycle_key: `c${index}`, date, tags })
      const { incidents } = (await get('/reports/incidents?limit=1', ivy)).data
      seen.push(incidents[0].environment)
    }
    expect(seen).toEqual(['eu:1', 'b', 'production', 'production'])
  })

  it('says what would change a band, and doing just that does', async () => {
    const eve = await signUp(app, 'what-if')
    const own = await newPipeline(app, eve, 'own')
    const machine = await forwarder(app, eve.orgId)
    const runs = Array.from({ length: 18 }, (_, n) =>
      deploy(own, `w${n}`, 30 + n * 20, n < 2 ? { status: 'FAILED' } : {}),
    )
    await call('POST', '/reports/events', machine, { events: runs })
    const ask = async (body = {}) =>
      (await app.call('POST', '/reports/execution/dora/what-if', { as: eve, body })).data.whatIf
    expect((await ask()).changeFailureRate).toMatchObject({
      level: 'medium',
      up: { says: '2 more clean deployments: high', level: 'high' },
    })
    expect((await ask({ change: { cleanDeployments: 2 } })).changeFailureRate.after).toMatchObject({
      level: 'high',
      value: 10,
    })
    await call('POST', '/reports/events', machine, { events: [deploy(own, 'x1', 10), deploy(own, 'x2', 9)] })
    const { data } = await app.call('GET', '/reports/execution/dora', { as: eve })
    expect(data.dora.environments[0].changeFailureRate).toMatchObject({ rate: 10, level: 'high' })
  })

  it('shows the trend with empty and partial buckets, as a picture too', async () => {
    const { data } = await get('/reports/execution/dora/trend?interval=day&compare=true')
    expect(data.trend.length).toBe(31)
    expect(data.trend[0]).toMatchObject({ partial: true, deployments: 0, changeFailurePct: null })
    expect(data.trend.reduce((sum: number, { deployments }: { deployments: number }) => sum + deployments, 0)).toBe(5)
    const svg = await app.http.request('/api/reports/execution/dora/trend', {
      headers: { authorization: `Bearer ${ada.accessToken}`, accept: 'image/svg+xml' },
    })
    expect(await svg.text()).toMatch(/^<svg .*Deployments to production.*<\/svg>$/s)
  })

  it('follows the settings at once, and those change by org:settings alone', async () => {
    const eve = await signUp(app, 'reader')
    await enrol(app, eve, ada.orgId, [])
    await giveCustomRole(app, ada.orgId, eve.userId, ['reports:read'])
    const headers = { 'x-org-id': ada.orgId }
    const put = (body: object, as = ada) => app.call('PUT', '/reports/settings/incidents', { as, body, headers })
    expect((await put({ incidentWindowHours: 1 }, eve)).status).toBe(403)
    expect((await put({ incidentWindowHours: 721 })).body.details.issues[0].path).toBe('/body/incidentWindowHours')
    expect((await put({ incidentWindowHours: 720, headlineEnvironments: ['staging'] })).data.settings).toMatchObject({
      incidentWindowHours: 720,
      rollbackFails: false,
    })
    expect((await dora()).headline).toBe('staging')
    expect((await get('/reports/settings/incidents')).data.settings.headlineEnvironments).toEqual(['staging'])
    await put({ headlineEnvironments: ['production'], incidentWindowHours: 24 })
  })

  it('keeps every field of settings that are changed at once', async () => {
    const put = (body: object) => app.call('PUT', '/reports/settings/incidents', { as: ada, body })
    const kept = async () => (await get('/reports/settings/incidents')).data.settings
    const before = await kept()
    for (let hours = 1; hours <= 20; hours++) {
      const refs = [`fix-${hours}/`]
      await Promise.all([put({ incidentWindowHours: hours }), put({ reworkRefs: refs })])
      expect(await kept()).toEqual({ ...before, incidentWindowHours: hours, reworkRefs: refs })
    }
    await put(before)
  })

  it('counts runs as deployments where nobody tells of environments', async () => {
    const eve = await signUp(app, 'runs')
    const own = await newPipeline(app, eve, 'own')
    const run = { ...deploy(own, 'r', 10), eventType: 'PIPELINE', environment: undefined, stageName: undefined }
    await call('POST', '/reports/events', await forwarder(app, eve.orgId), { events: [run] })
    const { data } = await app.call('GET', '/reports/execution/dora', { as: eve })
    expect(data.dora).toMatchObject({
      basis: 'run',
      headline: 'default',
      environments: [{ environment: 'default', deploymentFrequency: { deployments: 1 } }],
    })
  })

  it('counts an incident of a headline environment against the runs, and no other incident', async () => {
    const fay = await signUp(app, 'run-incidents')
    const own = await newPipeline(app, fay, 'own')
    const sender = await forwarder(app, fay.orgId)
    const events = ['good', 'bad'].map((executionId, n) => ({
      ...deploy(own, executionId, 40 - 20 * n),
      eventType: 'PIPELINE',
      environment: undefined,
      stageName: undefined,
    }))
    await call('POST', '/reports/events', sender, { events })
    const incident = (incidentId: string, environment: string) => ({
      ...{ incidentId, environment, openedAt: at(19), resolvedAt: at(17) },
    })
    const link = { kind: 'auto', deployment: { executionId: 'bad', environment: 'default' } }
    const tried = await call('POST', '/reports/incidents/test', sender, incident('tried', 'production'))
    expect(tried.link).toMatchObject(link)
    await call('POST', '/reports/incidents', sender, incident('down', 'production'))
    await call('POST', '/reports/incidents', sender, incident('elsewhere', 'staging'))
    const { data } = await app.call('GET', '/reports/execution/dora', { as: fay })
    expect(data.dora).toMatchObject({
      basis: 'run',
      environments: [{ environment: 'default', changeFailureRate: { rate: 50 } }],
    })
    const { incidents } = (await app.call('GET', '/reports/incidents', { as: fay })).data
    expect(incidents).toMatchObject([
      { incidentId: 'down', environment: 'production', link },
      { incidentId: 'elsewhere', environment: 'staging', link: { kind: null } },
    ])
  })

  it('links an incident to a run where nobody tells of environments, or names the setting that keeps it', async () => {
    const gil = await signUp(app, 'run-links')
    const own = await newPipeline(app, gil, 'own')
    const sender = await forwarder(app, gil.orgId)
    const run = (executionId: string, hours: number, status = 'SUCCEEDED') => ({
      ...deploy(own, executionId, hours, { status }),
      ...{ eventType: 'PIPELINE', environment: undefined, stageName: undefined },
    })
    const stage = deploy(own, 'staged', 42, { environment: undefined })
    const events = [run('cause', 40), run('nearer', 20), run('broken', 30, 'FAILED'), stage]
    await call('POST', '/reports/events', sender, { events })
    for (const environment of ['production', 'staging']) {
      const times = { openedAt: at(19), resolvedAt: at(17) }
      await call('POST', '/reports/incidents', sender, { incidentId: `in-${environment}`, environment, ...times })
    }
    const set = (incidentId: string, executionId: string) =>
      app.call('PUT', `/reports/incidents/${incidentId}/link`, { as: gil, body: { executionId } })
    expect(await set('in-production', 'cause')).toMatchObject({ status: 200, data: { pipelineId: own } })
    const { incidents } = (await get('/reports/incidents', gil)).data
    expect(incidents[0]).toMatchObject({
      incidentId: 'in-production',
      link: { kind: 'manual', deployment: { executionId: 'cause', environment: 'default' } },
    })
    const refused: readonly (readonly [incident: string, executionId: string, says: RegExp])[] = [
      ['in-production', 'broken', /did not succeed: it already counts as failed/],
      ['in-production', 'staged', /send one with the `eventType` PIPELINE/],
      [
        'in-staging',
        'cause',
        /add staging to the setting `headlineEnvironments` \(PUT \/reports\/settings\/incidents\)/,
      ],
    ]
    for (const [incident, executionId, says] of refused) {
      const { status, code, body } = await set(incident, executionId)
      expect([executionId, status, code]).toEqual([executionId, 409, 'CONFLICT'])
      expect(body.message).toMatch(says)
    }
    await call('PUT', '/reports/settings/incidents', gil, { headlineEnvironments: ['production', 'staging'] })
    expect((await set('in-staging', 'cause')).status).toBe(200)
    expect((await set('in-staging', 'nowhere')).status).toBe(404)
  })
})
