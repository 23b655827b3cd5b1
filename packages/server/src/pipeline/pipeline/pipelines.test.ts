/** Pipelines over HTTP: create, find, change, delete, restore, purge; and every reason to refuse these. */

import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { confirmed, enrol } from '../../../test/support/organizations.js'
import { body, type HeldRules, PROPS, passed, pipelineApp, violating } from '../../../test/support/pipelines.js'
import { evidence, type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { identityTables } from '../../identity/tables.js'
import { Refusal } from '../../runtime/errors.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import { lastRecheckPort } from '../../runtime/records/last-recheck.js'
import { sweepDue } from '../../runtime/records/soft-delete.js'
import type { Store } from '../../runtime/store/db.js'
import { findText } from '../../runtime/store/search.js'
import { pipelineRegistration } from '../registration.js'
import { pipelineTables } from '../tables.js'
import { purgePipelines } from './rows.js'

const NOBODY = '99999999-9999-7999-8999-999999999999'

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

await describeStores('pipelines', BOTH_DATABASES, (open, database) => {
  let store: Store
  let app: IdentityApp
  let rules: HeldRules
  let ada: SignedIn
  let bob: SignedIn
  let eve: SignedIn
  let team: string
  beforeAll(async () => {
    store = await open()
    ;({ app, rules } = await pipelineApp(store, {
      plugins: {
        async resolve(_, __, references) {
          return references.map((each) => ({
            ...each,
            state: each.name === 'gone' ? ('not-found' as const) : ('ready' as const),
            isDeprecated: each.name === 'old',
          }))
        },
      },
    }))
    ada = await signUp(app, 'ada')
    bob = await enrol(app, await signUp(app, 'bob'), ada.orgId)
    eve = await signUp(app, 'eve')
    const settings = { as: ada, body: { memberWriteScope: 'org' } }
    expect((await app.call('PATCH', `/organization/${ada.orgId}/settings`, settings)).status).toBe(200)
    const made = await app.call('POST', '/organization', { as: ada, body: { name: 'Team', parentOrgId: ada.orgId } })
    team = made.data.organization.id
  })
  afterEach(() => {
    rules.answer = () => passed
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  /** Bob acts in Ada's organization. */
  const call: IdentityApp['call'] = (method, path, more = {}) =>
    app.call(method, path, {
      ...more,
      headers: { ...(more.as === bob ? { 'x-org-id': ada.orgId } : {}), ...more.headers },
    })
  const create = async (project: string, more: object = {}, as = ada) => {
    const answer = await call('POST', '/pipelines', { as, body: body(project, more) })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(202)
    return answer.data.pipeline
  }
  const ids = async (query: string, as = ada, headers = {}) => {
    const answer = await call('GET', `/pipelines?limit=100&${query}`, { as, headers })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.data.pipelines.map(({ project }: { project: string }) => project)
  }

  it('are stored as they are sent, checked by the rules, and shown again', async () => {
    rules.answer = () => violating('warning')
    const more = { labels: { tier: 'gold', replicas: 3 }, links: [{ title: 'Runbook', url: 'https://acme.test/r' }] }
    const answer = await call('POST', '/pipelines', { as: ada, body: body('My-App', more) })
    expect(answer).toMatchObject({
      status: 201,
      data: {
        created: true,
        warnings: [],
        complianceWarnings: [{ ruleName: 'has-owner' }],
        pipeline: {
          project: 'My-App',
          pipelineName: 'acme_corp-my_app-pipeline',
          accessModifier: 'private',
          isDefault: true,
          isActive: true,
          ownerId: ada.userId,
          ownerType: 'user',
          lifecycle: 'production',
          labels: { tier: 'gold', replicas: 3 },
          revision: 1,
          props: { project: 'My-App', organization: 'Acme Corp' },
        },
      },
    })
    expect(rules.asked.at(-1)).toMatchObject({ target: 'pipeline', action: 'create', entityId: null })
    expect(rules.asked.at(-1)?.attributes).toMatchObject({ project: 'My-App', ownerId: ada.userId, tags: ['Shop'] })
    const { id } = answer.data.pipeline
    const got = await call('GET', `/pipelines/${id}`, { as: bob })
    expect(got.data.pipeline).toMatchObject({ id, complianceStatus: { result: 'warned' }, lastDeployedAt: null })
    const listed = await call('GET', '/pipelines?project=my_app', { as: bob })
    expect(listed.data.pipelines).toHaveLength(1)
    expect(listed.data.pipelines[0]).not.toHaveProperty('props')
    expect((await evidence(app)).filter(({ targetId }) => targetId === id).map(({ action }) => action)).toEqual([
      'pipeline.create',
    ])
    const jobs = await store.system.read((db) => db.select().from(jobTables(db).jobs))
    expect(jobs.filter(({ kind }) => kind === 'compliance.recheck').at(-1)?.payload).toMatchObject({
      entityId: id,
      eventType: 'created',
    })
  })

  it('are checked again when the owner leaves and somebody else owns them', async () => {
    const leaver = await enrol(app, await signUp(app, 'leaver'), ada.orgId)
    const as = { as: leaver, headers: { 'x-org-id': ada.orgId } }
    const [kept, deleted] = [
      (await app.call('POST', '/pipelines', { ...as, body: body('theirs') })).data.pipeline.id,
      (await app.call('POST', '/pipelines', { ...as, body: body('deleted-before') })).data.pipeline.id,
    ]
    expect((await call('DELETE', `/pipelines/${deleted}`, { as: ada })).status).toBe(200)
    const path = `/organization/${ada.orgId}/members/${leaver.userId}?reassignTo=${ada.userId}`
    expect((await confirmed(app, 'DELETE', path, { as: ada })).status).toBe(204)
    expect((await call('GET', `/pipelines/${kept}`, { as: ada })).data.pipeline.ownerId).toBe(ada.userId)
    const jobs = await store.system.read((db) => db.select().from(jobTables(db).jobs))
    const last = (id: string) =>
      jobs
        .filter(({ kind }) => kind === 'compliance.recheck')
        .map(({ payload }) => payload as { entityId: string; eventType: string })
        .filter(({ entityId }) => entityId === id)
        .at(-1)?.eventType
    expect([last(kept), last(deleted)]).toEqual(['updated', 'deleted'])
  })

  it('have no owner and a new revision when the owner is erased, and are checked again unless they are deleted', async () => {
    const owner = await enrol(app, await signUp(app, 'erased'), ada.orgId)
    const as = { as: owner, headers: { 'x-org-id': ada.orgId } }
    const kept = (await app.call('POST', '/pipelines', { ...as, body: body('nobodys') })).data.pipeline
    const deleted = (await app.call('POST', '/pipelines', { ...as, body: body('deleted-too') })).data.pipeline
    await call('DELETE', `/pipelines/${deleted.id}`, { as: ada })
    const checked: unknown[] = []
    const recheck = async (orgId: string, record: object) => void checked.push({ orgId, ...record })
    await store.system.write((tx) => pipelineRegistration.erase(tx, owner.userId, { ...app.runtime, recheck }))
    expect(checked).toEqual([{ orgId: ada.orgId, target: 'pipeline', id: kept.id }])
    const { pipeline } = (await call('GET', `/pipelines/${kept.id}`, { as: ada })).data
    expect(pipeline).toMatchObject({ ownerId: null, revision: kept.revision + 1 })
    await call('DELETE', `/pipelines/${kept.id}`, { as: ada })
  })

  it('are created once a project and organization, and brought to what is sent after that', async () => {
    const first = await create('again')
    const second = await call('POST', '/pipelines', { as: bob, body: body('AGAIN', { description: 'other' }) })
    expect(second).toMatchObject({ status: 200, data: { created: false } })
    expect(second.data.pipeline).toMatchObject({
      id: first.id,
      createdBy: first.createdBy,
      ownerId: ada.userId,
      description: 'other',
      revision: 2,
    })
    const refused = await call('POST', '/pipelines', {
      as: ada,
      body: body('again'),
      headers: { 'if-none-match': '*' },
    })
    expect(refused).toMatchObject({ status: 409, code: 'DUPLICATE_ENTRY', body: { details: { field: 'project' } } })
    await call('DELETE', `/pipelines/${first.id}`, { as: ada })
    const revived = await call('POST', '/pipelines', { as: ada, body: body('again') })
    expect(revived).toMatchObject({
      status: 200,
      data: { created: false, pipeline: { id: first.id, deletedAt: null } },
    })
  })

  it('are refused whole by the rules, and when the rules cannot be asked', async () => {
    rules.answer = () => violating('error')
    const blocked = await call('POST', '/pipelines', { as: ada, body: body('blocked') })
    expect(blocked).toMatchObject({
      status: 403,
      code: 'COMPLIANCE_VIOLATION',
      body: { status: 403, statusCode: 403, details: { violations: [{ ruleName: 'has-owner' }] } },
    })
    rules.answer = () => Promise.reject(new Error('down'))
    const down = await call('POST', '/pipelines', { as: ada, body: body('blocked') })
    expect(down).toMatchObject({ status: 503, code: 'COMPLIANCE_SERVICE_UNAVAILABLE' })
    expect(await ids('project=blocked')).toEqual([])
  })

  it('change in place: what is evaluated is checked again, the rest is not', async () => {
    const made = await create('changing')
    const asked = rules.asked.length
    const off = await call('PUT', `/pipelines/${made.id}`, { as: ada, body: { ...made, isActive: false } })
    expect(off).toMatchObject({ status: 200, data: { pipeline: { isActive: false, revision: 2 } } })
    expect(rules.asked.length).toBe(asked)
    rules.answer = () => violating('error')
    const blocked = await call('PUT', `/pipelines/${made.id}`, { as: ada, body: { lifecycle: 'deprecated' } })
    expect(blocked).toMatchObject({ status: 403, code: 'COMPLIANCE_VIOLATION' })
    rules.answer = () => passed
    const moved = await call('PUT', `/pipelines/${made.id}`, { as: ada, body: { project: 'other', id: NOBODY } })
    expect(moved).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    expect(moved.body.details.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/body/id',
      '/body/project',
    ])
    const stale = await call('PUT', `/pipelines/${made.id}`, {
      as: ada,
      body: { description: 'x' },
      headers: { 'if-match': '"1"' },
    })
    expect(stale).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' })
    expect(await ids('project=changing')).toEqual([])
    expect(await ids('project=changing&isActive=all')).toEqual(['changing'])
  })

  it('are stored as they were judged: what changed meanwhile is a conflict', async () => {
    const made = await create('meanwhile')
    rules.answer = async () => {
      rules.answer = () => passed
      await call('PUT', `/pipelines/${made.id}`, { as: bob, body: { isActive: false } })
      return passed
    }
    const late = await call('PUT', `/pipelines/${made.id}`, { as: ada, body: { keywords: ['late'] } })
    expect(late).toMatchObject({ status: 409, code: 'CONFLICT' })
    rules.answer = async () => {
      rules.answer = () => passed
      await create('raced')
      return passed
    }
    const raced = await call('POST', '/pipelines', { as: ada, body: body('raced') })
    expect(raced).toMatchObject({ status: 409, code: 'CONFLICT' })
  })

  it('have one default a project, which moves', async () => {
    const one = await create('defaults', { organization: 'One' })
    const two = await create('defaults', { organization: 'Two' })
    const flags = async () =>
      Object.fromEntries(
        (await call('GET', '/pipelines?project=defaults', { as: ada })).data.pipelines.map(
          ({ organization, isDefault }: { organization: string; isDefault: boolean }) => [organization, isDefault],
        ),
      )
    expect(await flags()).toEqual({ One: false, Two: true })
    await call('PUT', `/pipelines/${one.id}`, { as: ada, body: { isDefault: true } })
    expect(await flags()).toEqual({ One: true, Two: false })
    await call('PUT', `/pipelines/${one.id}`, { as: ada, body: { isDefault: false } })
    expect(await flags()).toEqual({ One: false, Two: false })
    expect(await ids('project=defaults&isDefault=true')).toEqual([])
    const found = await call('GET', '/pipelines/find?project=defaults', { as: ada })
    expect(found).toMatchObject({ data: { matchedCount: 2, pipeline: { id: two.id } } })
  })

  it('of one project are sent again in bulk, whichever of them has the default', async () => {
    const body = (organization: string) => ({ project: 'again', organization, props: PROPS })
    const pipelines = ['dev', 'prod', 'test'].map(body)
    const send = () => call('POST', '/pipelines/bulk/create', { as: ada, body: { pipelines } })
    for (let round = 0; round < 3; round++) {
      const sent = await send()
      expect(sent.data, JSON.stringify(sent.body)).toMatchObject({ failed: 0 })
    }
    const { data } = await call('GET', '/pipelines?project=again', { as: ada })
    const all = data.pipelines as { id: string; isDefault: boolean; organization: string }[]
    expect(all.filter(({ isDefault }) => isDefault).map(({ organization }) => organization)).toEqual(['test'])
    const changed = await call('PUT', '/pipelines/bulk/update', {
      as: ada,
      body: { ids: all.map(({ id }) => id), data: { isDefault: true } },
    })
    expect(changed.data, JSON.stringify(changed.body)).toMatchObject({ failed: 0 })
  })

  it('of one project are created at once, and one is the default', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        call('POST', '/pipelines', { as: ada, body: { project: 'crowd', organization: `o${n}`, props: PROPS } }),
      ),
    )
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
    const { data } = await call('GET', '/pipelines?project=crowd&isDefault=true', { as: ada })
    expect(data.pipelines).toHaveLength(1)
  })

  it('are found by every filter, and by no part of another tenant', async () => {
    await create('filtered', {
      organization: 'Unique Org',
      pipelineName: 'Very Special Name',
      keywords: ['Seldom'],
      labels: { 'app/tier': 'gold', n: 7 },
      criticality: 'high',
      lifecycle: 'experimental',
      templateId: 'tpl-1',
      props: { ...PROPS, stages: [{ stageName: 'Build', steps: [{ plugin: { name: 'rare-plugin' } }] }] },
    })
    await create('elsewhere', { organization: 'Unique Org', keywords: ['Seldom'], pipelineName: 'Very Special' }, eve)
    for (const query of [
      'organization=unique-org',
      'pipelineName=very%20special%20NAME',
      'pipelineName=special~',
      'pipelineName=ry~',
      'keyword=SELDOM',
      'q=seldom',
      'q=UNIQUE'.replace('UNIQUE', 'filtered'),
      'label.app/tier=gold',
      'label.n=7',
      'label.n=7&label.app/tier=gold',
      'criticality=high',
      'lifecycle=experimental',
      'templateId=tpl-1',
      'plugin=rare-plugin',
      'ownerId=me&project=filtered',
      `ownerId=${ada.userId}&keyword=seldom`,
    ]) {
      expect(await ids(query), query).toEqual(['filtered'])
    }
    for (const query of [
      'label.n=8',
      'q=elsewhere',
      'pipelineName=special%20name',
      'ownerId=unowned',
      'keyword=seld',
    ]) {
      expect(await ids(query), query).toEqual([])
    }
    expect((await call('GET', '/pipelines?ownerId=somebody', { as: ada })).status).toBe(400)
    const some = await call('GET', '/pipelines?keyword=seldom&fields=project,props', { as: ada })
    expect(Object.keys(some.data.pipelines[0]).sort()).toEqual(['id', 'project', 'props'])
  })

  it('are in order by their names, capitals and small letters alike', async () => {
    const names = ['beta', 'Alpha', 'gamma', 'Delta', 'delta two', 'Beta_2']
    for (const each of names) {
      await create(`case ${each}`, { organization: each, pipelineName: each, keywords: ['cased'] })
    }
    const sorted = ['Alpha', 'beta', 'Beta_2', 'Delta', 'delta two', 'gamma'].map((each) => `case ${each}`)
    for (const field of ['project', 'organization', 'pipelineName']) {
      const asked = `keyword=cased&sortBy=${field}`
      expect(await ids(`${asked}&sortOrder=asc`), field).toEqual(sorted)
      expect(await ids(asked), field).toEqual([...sorted].reverse())
    }
  })

  it('are shared with teams when public, and with nobody else', async () => {
    await create('shared', { accessModifier: 'public', keywords: ['common'] })
    await create('hidden', { keywords: ['common'] })
    const inTeam = { 'x-org-id': team }
    expect(await ids('keyword=common', ada, inTeam)).toEqual(['shared'])
    expect(await ids('accessModifier=private', ada, inTeam)).toEqual([])
    expect(await ids('keyword=common', eve)).toEqual([])
    const found = await call('GET', '/pipelines/find?q=shared', { as: ada, headers: inTeam })
    expect(found.data.matchedCount).toBe(1)
    const { id } = found.data.pipeline
    expect((await call('GET', `/pipelines/${id}`, { as: eve })).status).toBe(404)
    expect((await call('PUT', `/pipelines/${id}`, { as: eve, body: { isActive: false } })).status).toBe(404)
    expect((await call('DELETE', `/pipelines/${id}`, { as: ada, headers: inTeam })).status).toBe(404)
  })

  it('of teams are listed with those of their root for anyone who may sum up over them, and for nobody else', async () => {
    const inTeam = { 'x-org-id': team }
    const made = (project: string, headers: Record<string, string>) =>
      call('POST', '/pipelines', { as: ada, body: body(project, { keywords: ['rolled'] }), headers })
    await made('of the root', {})
    const { id } = (await made('of the team', inTeam)).data.pipeline
    await made('gone from the team', inTeam)
    const gone = (await call('GET', '/pipelines?project=gone from the team', { as: ada, headers: inTeam })).data
    await call('DELETE', `/pipelines/${gone.pipelines[0].id}`, { as: ada, headers: inTeam })
    const asked = 'keyword=rolled&sortBy=project&sortOrder=asc'
    expect(await ids(asked)).toEqual(['of the root'])
    expect(await ids(`${asked}&includeDescendants=false`)).toEqual(['of the root'])
    expect(await ids(`${asked}&includeDescendants=true`)).toEqual(['of the root', 'of the team'])
    expect(await ids(`${asked}&includeDescendants=true&accessModifier=private&q=of the`)).toEqual([
      'of the root',
      'of the team',
    ])
    expect(await ids('includeDescendants=true&includeDeleted=true&project=gone from the team')).toEqual([])
    // Bob may read pipelines of the root but lacks the permission for roll-ups; a team has no teams below it.
    const refused = await call('GET', '/pipelines?includeDescendants=true', { as: bob })
    expect([refused.status, refused.body.details]).toEqual([
      403,
      { reason: 'permission', required: ['reports:rollup'], mode: 'all' },
    ])
    expect(await ids(`${asked}&includeDescendants=true`, ada, inTeam)).toEqual(['of the team'])
    expect(await ids(`${asked}&includeDescendants=true`, eve)).toEqual([])
    await call('DELETE', `/pipelines/${id}`, { as: ada, headers: inTeam })
  })

  it('are published with a permission of its own', async () => {
    const mine = await create('by-bob', {}, bob)
    const publish = await call('PUT', `/pipelines/${mine.id}`, { as: bob, body: { accessModifier: 'public' } })
    expect(publish).toMatchObject({ status: 403, body: { details: { reason: 'permission' } } })
    const shared = await create('public-one', { accessModifier: 'public' })
    for (const [method, more] of [
      ['PUT', { body: { isActive: false } }],
      ['DELETE', {}],
    ] as const) {
      expect((await call(method, `/pipelines/${shared.id}`, { as: bob, ...more })).status).toBe(403)
    }
    const again = await call('POST', '/pipelines', { as: bob, body: body('public-one') })
    expect(again).toMatchObject({ status: 403, body: { details: { required: ['pipelines:publish'] } } })
  })

  it('are given away by their owner or an administrator, to somebody who is there', async () => {
    const mine = await create('owned')
    const give = (as: SignedIn, more: object) => call('PUT', `/pipelines/${mine.id}`, { as, body: more })
    expect(await give(bob, { ownerId: bob.userId, ownerType: 'user' })).toMatchObject({
      status: 403,
      body: { details: { reason: 'owner' } },
    })
    expect((await give(ada, { ownerId: eve.userId, ownerType: 'user' })).status).toBe(400)
    expect((await give(ada, { ownerId: eve.orgId, ownerType: 'team' })).status).toBe(400)
    expect((await give(ada, { ownerId: bob.userId })).status).toBe(400)
    expect(await give(ada, { ownerId: team, ownerType: 'team' })).toMatchObject({
      status: 200,
      data: { pipeline: { ownerId: team, ownerType: 'team' } },
    })
  })

  it('leave softly, come back with the rules of today, or leave for good', async () => {
    const made = await create('leaving', { labels: { leaving: true } })
    const gone = await call('DELETE', `/pipelines/${made.id}`, { as: ada })
    expect(gone.data).toEqual({
      id: made.id,
      deletedAt: '2026-11-21T10:00:00.000Z',
      purgeAfter: '2026-12-21T10:00:00.000Z',
      message: 'the pipeline acme_corp-leaving-pipeline is deleted; it can be restored until 2026-12-21T10:00:00.000Z',
    })
    expect((await call('DELETE', `/pipelines/${made.id}`, { as: ada })).status).toBe(404)
    expect((await call('GET', `/pipelines/${made.id}`, { as: ada })).status).toBe(404)
    expect(await ids('label.leaving=true')).toEqual([])
    expect(await ids('q=leaving')).toEqual([])
    expect(await ids('project=leaving&includeDeleted=true')).toEqual(['leaving'])
    const deleted = await call('GET', '/pipelines/deleted', { as: ada })
    expect(deleted.data.pipelines.map(({ id }: { id: string }) => id)).toContain(made.id)
    expect((await call('POST', `/pipelines/${made.id}/restore`, { as: ada })).code).toBe('STEP_UP_REQUIRED')
    rules.answer = () => violating('error')
    const blocked = await confirmed(app, 'POST', `/pipelines/${made.id}/restore`, { as: ada })
    expect(blocked.code).toBe('COMPLIANCE_VIOLATION')
    rules.answer = () => passed
    const back = await confirmed(app, 'POST', `/pipelines/${made.id}/restore`, { as: ada })
    expect(back).toMatchObject({ status: 200, data: { pipeline: { isDefault: true, deletedAt: null } } })
    expect(await ids('label.leaving=true')).toEqual(['leaving'])
    expect((await confirmed(app, 'POST', `/pipelines/${made.id}/purge`, { as: ada })).status).toBe(404)
    await call('DELETE', `/pipelines/${made.id}`, { as: ada })
    const purged = await confirmed(app, 'POST', `/pipelines/${made.id}/purge`, { as: ada })
    expect(purged).toMatchObject({ status: 200, data: { id: made.id, purged: true } })
    expect((await confirmed(app, 'POST', `/pipelines/${made.id}/restore`, { as: ada })).status).toBe(404)
  })

  it('are swept when their time is over, and not before', async () => {
    const made = await create('swept')
    await call('DELETE', `/pipelines/${made.id}`, { as: ada })
    const swept = {
      kind: 'pipeline.sweep-pipelines',
      tables: (db: Parameters<typeof pipelineTables>[0]) => pipelineTables(db).pipelines,
      purge: purgePipelines,
    } as const
    const at = (ms: number) => store.system.write((tx) => sweepDue(tx, swept, ms, 500))
    const purgeAfter = Date.parse('2026-12-21T10:00:00.000Z')
    expect(await at(purgeAfter - 1)).toEqual([])
    expect((await at(purgeAfter)).map(({ id }) => id)).toContain(made.id)
    const left = await store.system.read(async (db) => {
      const { pipelines, pipelineSearch } = pipelineTables(db)
      const rows = await db.select({ project: pipelines.project }).from(pipelines)
      const text = await findText(db, pipelineSearch, { orgId: ada.orgId, text: 'swept', in: 'all' }, 10)
      return [rows.filter(({ project }) => project === 'swept'), text]
    })
    expect(left).toEqual([[], []])
  })

  // SQLite has one writer, so that a restore and a sweep cannot overlap there.
  if (database === 'PostgreSQL') {
    it('are not swept while somebody restores them', async () => {
      const made = await create('restored')
      await call('DELETE', `/pipelines/${made.id}`, { as: ada })
      const swept = {
        kind: 'pipeline.sweep-pipelines',
        tables: (db: Parameters<typeof pipelineTables>[0]) => pipelineTables(db).pipelines,
        purge: purgePipelines,
      } as const
      const longAfter = Date.parse('2027-12-21T10:00:00.000Z')
      const [restored, looked] = [gate(), gate()]
      const restoring = store.system.write(async (tx) => {
        const { pipelines: t } = pipelineTables(tx)
        await tx.update(t).set({ deletedAtMs: null, purgeAfterMs: null }).where(eq(t.id, made.id))
        restored.open()
        await looked.opened
      })
      await restored.opened
      const purged = await store.system.write((tx) => sweepDue(tx, swept, longAfter, 500))
      looked.open()
      await restoring
      expect(purged).toEqual([])
      expect((await call('GET', `/pipelines/${made.id}`, { as: ada })).status).toBe(200)
    })
  }

  it('keep what they were, and say what changed', async () => {
    const made = await create('history')
    await call('PUT', `/pipelines/${made.id}`, {
      as: bob,
      body: { description: 'other', props: { ...PROPS, vars: { region: 'eu' } } },
    })
    const list = await call('GET', `/pipelines/${made.id}/revisions`, { as: ada })
    expect(list.data.revisions).toMatchObject([
      { revision: 2, change: 'updated', changedBy: bob.userId },
      { revision: 1, change: 'created', changedBy: ada.userId },
    ])
    const first = await call('GET', `/pipelines/${made.id}/revisions/1`, { as: ada })
    expect(first.data.revision.pipeline.description).toBe('builds history')
    const diff = await call('GET', `/pipelines/${made.id}/revisions/2/diff`, { as: ada })
    expect(diff.data).toEqual({
      from: 1,
      to: 2,
      changes: [
        { op: 'replace', path: '/description', before: 'builds history', after: 'other' },
        { op: 'add', path: '/props/vars', after: { region: 'eu' } },
      ],
    })
    expect((await call('GET', `/pipelines/${made.id}/revisions/9`, { as: ada })).status).toBe(404)
    expect((await call('GET', `/pipelines/${made.id}/revisions`, { as: eve })).status).toBe(404)
  })

  it('say that they are deprecated, and what the last re-check found', async () => {
    const { id } = await create('old-one')
    const read = () => call('GET', `/pipelines/${id}`, { as: ada })
    expect((await read()).headers.get('deprecation')).toBeNull()
    await call('PUT', `/pipelines/${id}`, { as: ada, body: { lifecycle: 'deprecated' } })
    expect((await read()).headers.get('deprecation')).toBe('true')
    const found = await call('GET', '/pipelines/find?project=old-one', { as: ada })
    expect([found.status, found.headers.get('deprecation')]).toEqual([200, 'true'])
    const { complianceStatus: before } = (await read()).data.pipeline
    expect(before.result).toBe('passed')
    const asked: unknown[] = []
    const later = Date.parse(before.checkedAt) + 1000
    const recheck = (checkedAtMs: number) => {
      app.ports.set(lastRecheckPort, async (_, entity) => {
        asked.push(entity)
        return { result: 'block', checkedAtMs }
      })
    }
    recheck(later)
    const checkedAt = new Date(later).toISOString()
    expect((await read()).data.pipeline.complianceStatus).toEqual({ result: 'blocked', checkedAt })
    expect(asked).toEqual([{ orgId: ada.orgId, target: 'pipeline', entityId: id }])
    await call('PUT', `/pipelines/${id}`, { as: ada, body: { accessModifier: 'public' } })
    asked.length = 0
    expect((await call('GET', `/pipelines/${id}`, { as: ada, headers: { 'x-org-id': team } })).status).toBe(200)
    expect(asked).toEqual([])
    await call('PUT', `/pipelines/${id}`, { as: ada, body: { accessModifier: 'private' } })
    // A re-check from before the last change says nothing about the change.
    recheck(later - 5000)
    expect((await read()).data.pipeline.complianceStatus).toEqual(before)
    app.ports.set(lastRecheckPort, undefined)
  })

  it('in bulk are all refused while the rules cannot be asked, and the same request goes through afterwards', async () => {
    const pipelines = ['outage-1', 'outage-2', 'outage-3'].map((project) => body(project))
    const headers = { 'idempotency-key': 'outage' }
    rules.answer = (request) => {
      if (!JSON.stringify(request).includes('outage-2')) return passed
      throw new Refusal('COMPLIANCE_SERVICE_UNAVAILABLE', 'no verdict')
    }
    const refused = await call('POST', '/pipelines/bulk/create', { as: ada, body: { pipelines }, headers })
    expect(refused).toMatchObject({ status: 503, code: 'COMPLIANCE_SERVICE_UNAVAILABLE' })
    expect(await ids('q=outage')).toEqual([])
    rules.answer = () => passed
    const sent = await call('POST', '/pipelines/bulk/create', { as: ada, body: { pipelines }, headers })
    expect(sent).toMatchObject({ status: 200, data: { created: 3, failed: 0 } })
    const made = sent.data.items.map(({ id }: { id: string }) => id)
    rules.answer = () => {
      throw new Refusal('COMPLIANCE_SERVICE_UNAVAILABLE', 'no verdict')
    }
    const data = { keywords: ['changed'] }
    const update = await call('PUT', '/pipelines/bulk/update', { as: ada, body: { ids: made, data } })
    expect(update).toMatchObject({ status: 503, code: 'COMPLIANCE_SERVICE_UNAVAILABLE' })
    expect(await ids('keyword=changed')).toEqual([])
  })

  it('are written many at a time, each for itself', async () => {
    const pipelines = [
      body('bulk-1', { labels: { a: 1 } }),
      body('bulk-1'),
      body('bulk-2', { accessModifier: 'public' }),
    ]
    const answer = await call('POST', '/pipelines/bulk/create', { as: bob, body: { pipelines } })
    expect(answer.data).toMatchObject({
      created: 1,
      updated: 0,
      failed: 2,
      items: [
        { index: 0, status: 'created' },
        { index: 1, status: 'failed', code: 'DUPLICATE_ENTRY' },
        { index: 2, status: 'failed', code: 'INSUFFICIENT_PERMISSIONS' },
      ],
    })
    const { id } = answer.data.items[0]
    const data = { description: 'all alike' }
    const update = await call('PUT', '/pipelines/bulk/update', { as: ada, body: { ids: [id, NOBODY], data } })
    expect(update.data).toMatchObject({ updated: 1, failed: 1, items: [{ id }, { code: 'NOT_FOUND' }] })
    const gone = await call('POST', '/pipelines/bulk/delete', { as: ada, body: { ids: [id, NOBODY] } })
    expect(gone.data).toMatchObject({ deleted: 1, failed: 1 })
  })

  it('in bulk fail item by item where one does not validate, and warn as single requests do', async () => {
    const violation = { ruleName: 'a warning', severity: 'warning', field: 'description' }
    rules.answer = () => ({ ...passed, passed: false, violations: [violation], warnings: [violation] }) as never
    const pipelines = [body('warned-1'), { project: 7, unknown: true }, 'none', body('warned-1')]
    const made = await call('POST', '/pipelines/bulk/create', { as: ada, body: { pipelines } })
    expect(made).toMatchObject({ status: 200, data: { created: 1, failed: 3 } })
    const [first, second, third, fourth] = made.data.items
    expect(first).toMatchObject({ index: 0, status: 'created', complianceWarnings: [violation] })
    expect(first.warnings).toEqual([])
    expect(second).toMatchObject({ index: 1, status: 'failed', code: 'VALIDATION_ERROR' })
    const paths = second.details.issues.map(({ path }: { path: string }) => path)
    expect(paths).toEqual(expect.arrayContaining(['/body/pipelines/1/project', '/body/pipelines/1/unknown']))
    expect(third).toMatchObject({ index: 2, status: 'failed', code: 'VALIDATION_ERROR' })
    expect(fourth).toMatchObject({ index: 3, status: 'failed', code: 'DUPLICATE_ENTRY' })
    const listed = [first.id, 'no-id', first.id, null]
    const update = { ids: listed, data: { description: 'in bulk' } }
    const changed = await call('PUT', '/pipelines/bulk/update', { as: ada, body: update })
    expect(changed.data).toMatchObject({
      updated: 1,
      failed: 3,
      items: [
        { index: 0, status: 'updated', complianceWarnings: [violation] },
        { index: 1, code: 'VALIDATION_ERROR' },
        { index: 2, code: 'DUPLICATE_ENTRY' },
        { index: 3, code: 'VALIDATION_ERROR' },
      ],
    })
    rules.answer = () => passed
    const gone = await call('POST', '/pipelines/bulk/delete', { as: ada, body: { ids: listed } })
    expect(gone.data).toMatchObject({ deleted: 1, failed: 3 })
    for (const wrong of [{ pipelines: 'x' }, { pipelines: [] }, {}]) {
      expect((await call('POST', '/pipelines/bulk/create', { as: ada, body: wrong })).status).toBe(400)
    }
  })

  it('are tried without being stored', async () => {
    const tried = (sent: object) => call('POST', '/pipelines/validate', { as: ada, body: sent })
    expect((await tried(body('tried'))).data).toMatchObject({
      valid: true,
      action: 'create',
      issues: [],
      compliance: { blocked: false },
      quota: { available: true },
    })
    expect(rules.asked.at(-1)?.isDryRun).toBe(true)
    expect((await tried({ project: 'tried' })).code).toBe('VALIDATION_ERROR')
    const odd = { ...PROPS, schedule: 'sometimes' }
    expect((await tried(body('tried', { props: odd }))).data).toMatchObject({ valid: false, compliance: null })
    const props = { ...PROPS, vars: { a: '{{ vars.b }}' } }
    expect((await tried(body('tried', { props }))).data.templateIssues).toMatchObject([
      { path: '/body/props/vars/a', code: 'TEMPLATE_UNKNOWN_PATH' },
    ])
    expect(await ids('project=tried')).toEqual([])
  })

  it('warn of plugins that are not there or on their way out', async () => {
    const stages = [{ stageName: 'Build', steps: [{ plugin: { name: 'gone' } }, { plugin: { name: 'old' } }] }]
    const answer = await call('POST', '/pipelines', { as: ada, body: body('warned', { props: { ...PROPS, stages } }) })
    expect(answer.data.warnings).toMatchObject([
      { code: 'PLUGIN_NOT_FOUND', plugin: 'gone', path: '/body/props/stages/0/steps/0/plugin' },
      { code: 'PLUGIN_DEPRECATED', plugin: 'old' },
    ])
  })

  describe('where they are deployed', () => {
    const ARN = 'arn:aws:codepipeline:eu-west-1:123456789012:shop'
    const register = (sent: object, as = ada) => call('POST', '/pipelines/registry', { as, body: sent })

    it('is noted without the account, and found by what was sent', async () => {
      const made = await create('deployed')
      const first = await register({ pipelineId: made.id, resourceId: ARN, region: 'eu-west-1' })
      expect(first).toMatchObject({ status: 200, data: { created: true, registry: { region: 'eu-west-1' } } })
      expect(first.data.registry.resourceId).toMatch(/^arn:aws:codepipeline:eu-west-1:acct-[0-9a-f]{12}:shop$/)
      expect((await register({ pipelineId: made.id })).data.created).toBe(false)
      const other = await create('deployed-too')
      expect(await register({ pipelineId: other.id, resourceId: ARN })).toMatchObject({
        status: 409,
        code: 'DUPLICATE_ENTRY',
      })
      const found = await call('GET', `/pipelines/registry?resourceId=${ARN}`, { as: ada })
      expect(found.data.registry).toMatchObject([{ pipelineId: made.id }])
      expect((await call('GET', `/pipelines/registry?resourceId=${ARN}`, { as: eve })).data.registry).toEqual([])
      expect((await register({ pipelineId: made.id, resourceId: ARN }, eve)).status).toBe(404)
      const detail = await call('GET', `/pipelines/${made.id}`, { as: ada })
      expect(detail.data.pipeline.lastDeployedAt).toBe('2026-11-21T10:00:00.000Z')
      const entry = `/pipelines/registry/${first.data.registry.id}`
      expect((await call('DELETE', entry, { as: eve })).status).toBe(404)
      expect((await call('DELETE', entry, { as: ada })).status).toBe(204)
    })

    it('is noted once, and then again, by deployments that end together', async () => {
      const { id } = await create('deployed-twice')
      const answers = await Promise.all([
        register({ pipelineId: id }),
        register({ pipelineId: id, region: 'eu-west-1' }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(answers.map(({ data }) => data.created).sort()).toEqual([false, true])
    })
  })

  it('of members are their own where the organization says so', async () => {
    const mine = await create('scoped-bob', {}, bob)
    const theirs = await create('scoped-ada')
    const set = (memberWriteScope: 'own' | 'org') =>
      store.system.write(async (tx) => {
        const { organizations } = identityTables(tx)
        await tx
          .update(organizations)
          .set({ settings: { memberWriteScope, defaultRoleIds: [] } })
          .where(eq(organizations.id, ada.orgId))
      })
    await set('own')
    app.identity.directory.drop({ orgId: ada.orgId })
    const change = (id: string, as: SignedIn) => call('PUT', `/pipelines/${id}`, { as, body: { isActive: false } })
    expect(await change(theirs.id, bob)).toMatchObject({ status: 403, body: { details: { reason: 'owner' } } })
    const tried = ({ project, organization }: { project: string; organization: string }) =>
      call('POST', '/pipelines/validate', { as: bob, body: { project, organization, props: PROPS } })
    expect(await tried(theirs)).toMatchObject({ status: 403, body: { details: { reason: 'owner' } } })
    expect((await tried(mine)).status).toBe(200)
    expect((await change(mine.id, bob)).status).toBe(200)
    expect((await change(theirs.id, ada)).status).toBe(200)
    await set('org')
    app.identity.directory.drop({ orgId: ada.orgId })
  })

  it('that are deleted, or deployed, are listed in the order in which they were made', async () => {
    const made = [await create('Made First'), await create('Made Second')]
    const deployed = (one: { id: string }) =>
      call('POST', '/pipelines/registry', { as: ada, body: { pipelineId: one.id, resourceId: `order-${one.id}` } })
    for (const one of made) expect((await deployed(one)).status).toBeLessThan(300)
    // Deployed again, so that the first pipeline is the most recently deployed one.
    expect((await deployed(made[0])).status).toBeLessThan(300)
    const order = made.map(({ id }) => id)
    const listed = async (path: string, key: 'pipelines' | 'registry', name: 'id' | 'pipelineId') => {
      const { data } = await call('GET', `${path}?limit=100&sortBy=createdAt&sortOrder=asc`, { as: ada })
      return (data[key] as Record<string, string>[]).map((row) => row[name]).filter((id) => order.includes(id as never))
    }
    expect(await listed('/pipelines/registry', 'registry', 'pipelineId')).toEqual(order)
    for (const { id } of [...made].reverse()) {
      expect((await call('DELETE', `/pipelines/${id}`, { as: ada })).status).toBeLessThan(300)
    }
    expect(await listed('/pipelines/deleted', 'pipelines', 'id')).toEqual(order)
    const unknown = await call('GET', '/pipelines/deleted?sortBy=zzz', { as: ada })
    expect(unknown.status).toBe(400)
    expect(JSON.stringify(unknown.body)).toContain('must be one of updatedAt, createdAt')
  })
})
