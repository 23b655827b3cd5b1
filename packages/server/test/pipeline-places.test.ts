/** Places of an account, raced for through `POST /pipelines` itself: in one process on each database, and over three processes. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { pipelineTables } from '../src/pipeline/tables.js'
import type { Store } from '../src/runtime/store/db.js'
import { describeStores, WITH_POSTGRESQL } from './support/describe-stores.js'
import { confirmed, superAdmin } from './support/organizations.js'
import { body, pipelineApp } from './support/pipelines.js'
import { type Replicas, startReplicas } from './support/replica-processes.js'
import { type IdentityApp, type SignedIn, signUp } from './support/sign-in.js'
import { postgresMissing, redisMissing } from './support/stores.js'

/** What is waited for happens; a slow machine only takes its time. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 })

const LIMIT = 5
const AT_ONCE = 50
const SETTINGS = { BILLING_ENABLED: 'true', QUOTA_TIER_TEAM_PIPELINES: String(LIMIT) }

/** @param place asked in each test: the app that is called, and the store behind it. */
function races(place: () => { readonly app: IdentityApp; readonly store: Store }): void {
  let ada: SignedIn
  let team: string
  let made = 0
  beforeAll(async () => {
    const { app } = place()
    const root = await superAdmin(app, 'root')
    ada = await signUp(app, 'ada')
    const raised = await confirmed(app, 'PATCH', `/organization/${ada.orgId}/tier`, {
      as: root,
      body: { tier: 'team' },
    })
    expect(raised.status).toBe(200)
    const created = await app.call('POST', '/organization', { as: ada, body: { name: 'Team', parentOrgId: ada.orgId } })
    team = created.data.organization.id
  })

  const create = (orgId: string) => {
    made += 1
    return place().app.call('POST', '/pipelines', {
      as: ada,
      body: body(`race-${made}`),
      headers: { 'x-org-id': orgId },
    })
  }
  const live = () =>
    place().store.system.read(async (db) => {
      const { pipelines } = pipelineTables(db)
      const rows = await db.select().from(pipelines)
      return rows.filter(({ orgId, deletedAtMs }) => [ada.orgId, team].includes(orgId) && deletedAtMs === null)
    })
  const remove = async (count: number) => {
    for (const { id, orgId } of (await live()).slice(0, count)) {
      const gone = await place().app.call('DELETE', `/pipelines/${id}`, { as: ada, headers: { 'x-org-id': orgId } })
      expect(gone.status).toBe(200)
    }
  }

  it('lets exactly one of fifty through at one below the limit, and one more when a place is free', async () => {
    for (let n = 1; n < LIMIT; n++) expect((await create(ada.orgId)).status).toBe(201)
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => create(ada.orgId)))
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(answers.filter(({ code }) => code === 'QUOTA_EXCEEDED')).toHaveLength(AT_ONCE - 1)
      expect(await live()).toHaveLength(LIMIT)
      await remove(1)
    }
  })

  it('lets one of two teams through that race for the last place of their root', async () => {
    await remove(LIMIT)
    for (let n = 1; n < LIMIT; n++) expect((await create(n % 2 === 0 ? ada.orgId : team)).status).toBe(201)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => create(n % 2 === 0 ? ada.orgId : team)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 'QUOTA_EXCEEDED')).toHaveLength(19)
    expect(await live()).toHaveLength(LIMIT)
  })

  it('lets one of two through that restore into the last place', async () => {
    await remove(LIMIT)
    const [one, two] = [await create(ada.orgId), await create(ada.orgId)]
    await remove(LIMIT)
    for (let n = 1; n < LIMIT; n++) expect((await create(team)).status).toBe(201)
    const paths = [one, two].map(({ data }) => `/pipelines/${data.pipeline.id}/restore`)
    const answers = await Promise.all(paths.map((path) => confirmed(place().app, 'POST', path, { as: ada })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429])
    expect(await live()).toHaveLength(LIMIT)
  })
}

await describeStores('places of pipelines', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: IdentityApp
  beforeAll(async () => {
    store = await open()
    ;({ app } = await pipelineApp(store, { settings: SETTINGS }))
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })
  races(() => ({ app, store }))
})

const missing = (await postgresMissing()) ?? (await redisMissing())
describe.skipIf(missing !== null)(`places of pipelines over three processes${missing ? ` (${missing})` : ''}`, () => {
  let replicas: Replicas
  beforeAll(async () => {
    replicas = await startReplicas(3, SETTINGS)
  })
  afterAll(() => replicas?.stop())
  races(() => ({ app: replicas.app, store: replicas.store }))
})
