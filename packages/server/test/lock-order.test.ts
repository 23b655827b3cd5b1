/**
 * Changes of one account at the same time never wait for each other in a circle: PostgreSQL counts no deadlock. A
 * deadlock would be run again and look like success, only a second late, so it is the database's count that is read.
 */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type BuildQueue, createBuildQueue } from '../src/plugin/build/queue.js'
import { pluginTables } from '../src/plugin/tables.js'
import type { Store } from '../src/runtime/store/db.js'
import { openPostgresStore } from '../src/runtime/store/open-store.js'
import { confirmed, enrol, organizationApp, stepUp, superAdmin } from './support/organizations.js'
import { type PluginApp, pluginApp, pluginZip, uploadZip } from './support/plugins.js'
import { stepUp as confirmedBy, type IdentityApp, PASSWORD, type SignedIn, signIn, signUp } from './support/sign-in.js'
import { postgresMissing, postgresStore } from './support/stores.js'

const ROUNDS = 12
type Tokens = Pick<SignedIn, 'accessToken' | 'refreshToken'>
const missing = await postgresMissing()

/** How many transactions were ended because they waited in a circle. */
async function deadlocksOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ deadlocks: string }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    )
    return Number(rows[0]?.deadlocks)
  } finally {
    await client.end()
  }
}

describe.skipIf(missing !== null)(`locks on PostgreSQL${missing ? ` (${missing})` : ''}`, () => {
  let database: Awaited<ReturnType<typeof postgresStore>>
  let store: Store
  let app: IdentityApp
  let root: SignedIn
  beforeAll(async () => {
    database = await postgresStore()
    store = await openPostgresStore({ url: database.url, connectionsMax: 16 })
    app = await organizationApp(store, { settings: { BILLING_ENABLED: 'true' } })
    root = await superAdmin(app, 'root')
  })
  afterAll(() => database.close())

  const upgraded = async (name: string) => {
    const person = await signUp(app, name)
    await confirmed(app, 'PATCH', `/organization/${person.orgId}/tier`, { as: root, body: { tier: 'team' } })
    return person
  }
  /** Requests of the system administrator, who is touched by none of them, all at once. */
  const atOnce = async (...requests: readonly (readonly [method: string, path: string, body?: unknown])[]) => {
    const tokens: Record<string, string>[] = []
    for (const _ of requests) tokens.push(await stepUp(app, root))
    const answers = await Promise.all(
      requests.map(([method, path, body], n) => app.call(method, path, { as: root, body, headers: tokens[n] ?? {} })),
    )
    for (const { status, body } of answers) expect([401, 500, 503], JSON.stringify(body)).not.toContain(status)
    return answers.map(({ status }) => status)
  }

  it('has members activated while the team is deleted, restored and renamed', async () => {
    const owner = await upgraded('olga')
    const body = { name: 'Team', parentOrgId: owner.orgId }
    const team = (await app.call('POST', '/organization', { as: owner, body })).data.organization.id
    const member = await enrol(app, await signUp(app, 'mia'), team)
    const path = `/organization/${team}/members/${member.userId}`
    const activated: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await atOnce(['PATCH', `${path}/deactivate`])
      const answers = await atOnce(
        ['PATCH', `${path}/activate`],
        ['DELETE', `/organization/${team}`],
        ['PATCH', `/organization/${team}/identity`, { description: `round ${round}` }],
        ['PATCH', `${path}/activate`],
        ['POST', `/organization/${team}/restore`],
      )
      activated.push(answers[0] ?? 0)
      await atOnce(['POST', `/organization/${team}/restore`])
    }
    expect(activated).toContain(200)
  })

  it('passes organizations on while people are deactivated, removed and deleted', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [one, two] = [await upgraded(`nina${round}`), await upgraded(`otto${round}`)]
      const [heir, guest] = [await signUp(app, `heir${round}`), await signUp(app, `guest${round}`)]
      for (const { orgId } of [one, two]) for (const person of [heir, guest]) await enrol(app, person, orgId)
      await atOnce(['DELETE', `/organization/${guest.orgId}`])
      await atOnce(
        ['PATCH', `/organization/${one.orgId}/transfer-owner`, { newOwnerId: heir.userId }],
        ['PUT', `/admin/users/${heir.userId}`, { isActive: false }],
        ['DELETE', `/organization/${two.orgId}/members/${heir.userId}`],
        ['PATCH', `/organization/${two.orgId}/transfer-owner`, { newOwnerId: heir.userId }],
        ['DELETE', `/organization/${one.orgId}/members/${guest.userId}`],
        ['POST', `/organization/${guest.orgId}/restore`],
        ['DELETE', `/admin/users/${guest.userId}`],
        ['POST', `/organization/${guest.orgId}/restore`],
        ['DELETE', `/organization/${guest.orgId}`],
        ['POST', `/organization/${guest.orgId}/restore`],
        ['PUT', `/admin/users/${heir.userId}`, { isActive: true }],
      )
    }
  })

  it('changes a password while its sessions are refreshed and switch organizations', async () => {
    const person = await signUp(app, 'rita')
    let password = PASSWORD
    for (let round = 0; round < ROUNDS; round++) {
      const tabs: Tokens[] = []
      for (let tab = 0; tab < 4; tab++) tabs.push(await signIn(app, 'rita', password))
      const [changing, ...others] = tabs as [Tokens, ...Tokens[]]
      const next = `Correct-Horse-${round}-new`
      const body = { currentPassword: password, newPassword: next }
      const headers = await confirmedBy(app, changing, password)
      const answers = await Promise.all([
        app.call('POST', '/auth/password/change', { as: changing.accessToken, body, headers }),
        ...others.flatMap((each) => [
          app.call('POST', '/auth/refresh', { body: { refreshToken: each.refreshToken } }),
          app.call('POST', '/auth/switch-org', { as: each.accessToken, body: { organizationId: person.orgId } }),
        ]),
      ])
      const [changed, ...rest] = answers.map(({ status }) => status)
      expect(changed).toBe(204)
      // Before the change or after it: signed in, or signed out by it.
      for (const status of rest) expect([200, 401]).toContain(status)
      for (const each of others) {
        const { status } = await app.call('POST', '/auth/refresh', { body: { refreshToken: each.refreshToken } })
        expect(status, 'no other session outlives the password').toBe(401)
      }
      password = next
    }
  })

  it('was never held up by a circle', async () => {
    expect(app.errors.map(String)).toEqual([])
    // A connection hands in what it counted when it ends.
    await store.close()
    expect(await deadlocksOf(database.url)).toBe(0)
  })
})

describe.skipIf(missing !== null)(`locks of plugins on PostgreSQL${missing ? ` (${missing})` : ''}`, () => {
  const IMAGE = { imageRef: 'org-1/web:1.0.0', imageDigest: 'sha256:abc', imageSizeBytes: 1000 }
  let database: Awaited<ReturnType<typeof postgresStore>>
  let store: Store
  let app: PluginApp
  let queue: BuildQueue
  let ann: SignedIn
  beforeAll(async () => {
    database = await postgresStore()
    store = await openPostgresStore({ url: database.url, connectionsMax: 16 })
    app = await pluginApp(store, { settings: { PLUGIN_MAX_BUILDS_PER_ORG: '10' } })
    queue = createBuildQueue(app.runtime)
    ann = await signUp(app, 'ann')
  })
  afterAll(() => database.close())

  const upload = (name: string, version: string) =>
    uploadZip(app, ann, pluginZip({ name, version, buildType: 'build_image' }))
  const noBuilds = () => store.system.write(async (tx) => void (await tx.delete(pluginTables(tx).buildJobs)))
  const claimed = async () => {
    const held = await queue.claim('a builder')
    if (held === null) throw new Error('nothing is due')
    return held
  }
  /** Runs while another transaction holds the row of the plugin; `waits` ends when so many wait for a lock. */
  const withRow = async (pluginId: string, run: (waits: (count: number) => Promise<unknown>) => Promise<void>) => {
    const [holding, looking] = [1, 2].map(() => new pg.Client({ connectionString: database.url })) as [
      pg.Client,
      pg.Client,
    ]
    await Promise.all([holding.connect(), looking.connect()])
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    const waits = (count: number) =>
      vi.waitUntil(async () => (await looking.query(waiting)).rowCount === count, { timeout: 60_000, interval: 10 })
    try {
      await holding.query('BEGIN')
      await holding.query('SELECT 1 FROM plugins WHERE id = $1 FOR UPDATE', [pluginId])
      await run(waits)
    } finally {
      await holding.query('COMMIT')
      await Promise.all([holding.end(), looking.end()])
    }
  }

  const changes: readonly [string, (name: string, pluginId: string) => Promise<{ readonly status: number }>][] = [
    ['uploaded again', (name) => upload(name, '1.0.0')],
    ['deleted', (_, pluginId) => app.call('DELETE', `/plugins/${pluginId}`, { as: ann })],
    [
      'deleted with others',
      (_, pluginId) => app.call('POST', '/plugins/bulk/delete', { as: ann, body: { ids: [pluginId] } }),
    ],
  ]
  it.each(changes)('completes the build of a version that is %s at that moment', async (what, change) => {
    await noBuilds()
    const name = what.replaceAll(' ', '-')
    const { pluginId } = (await upload(name, '1.0.0')).data
    const held = await claimed()
    let changing: Promise<{ readonly status: number }> | undefined
    let completing: Promise<unknown> | undefined
    await withRow(pluginId, async (waits) => {
      changing = change(name, pluginId)
      await waits(1)
      completing = queue.complete(held, IMAGE)
      await waits(2)
    })
    expect([(await changing)?.status, await completing]).toEqual([what === 'uploaded again' ? 202 : 200, false])
  })

  it('completes the build of the default version while another version becomes the default', async () => {
    await noBuilds()
    const older = (await upload('default', '1.0.0')).data.pluginId
    await queue.complete(await claimed(), IMAGE)
    await upload('default', '2.0.0')
    await queue.complete(await claimed(), IMAGE)
    // The version is built again: meanwhile it is the default, and the older one is the latest.
    await upload('default', '2.0.0')
    const held = await claimed()
    let changing: Promise<{ readonly status: number }> | undefined
    let completing: Promise<unknown> | undefined
    await withRow(older, async (waits) => {
      changing = app.call('PUT', `/plugins/${older}`, { as: ann, body: { isDefault: true } })
      await waits(1)
      completing = queue.complete(held, IMAGE)
      await waits(2)
    })
    expect([(await changing)?.status, await completing]).toEqual([200, true])
  })

  it('completes the builds of some versions while others of the name are uploaded, changed and deleted', async () => {
    const versions = ['1.0.0', '2.0.0', '3.0.0', '4.0.0']
    for (let round = 0; round < ROUNDS; round++) {
      await noBuilds()
      const name = `many-${round}`
      const ids: string[] = []
      for (const version of versions) ids.push((await upload(name, version)).data.pluginId)
      const builds = [await claimed(), await claimed(), await claimed(), await claimed()]
      const [first = '', , third = ''] = ids
      const [, second] = builds
      await queue.complete(second as (typeof builds)[number], IMAGE)
      const answers = await Promise.all([
        ...builds.map((held) => queue.complete(held, IMAGE)),
        upload(name, '1.0.0'),
        app.call('PUT', `/plugins/${first}`, { as: ann, body: { isDefault: true } }),
        app.call('DELETE', `/plugins/${third}`, { as: ann }),
        upload(name, '2.0.0'),
      ])
      for (const answer of answers)
        if (typeof answer === 'object')
          expect([200, 202, 404, 409], JSON.stringify(answer.body)).toContain(answer.status)
      const { plugins } = (await app.call('GET', `/plugins?name=${name}&isActive=all&scope=own`, { as: ann })).data
      expect(plugins.filter(({ isDefault }: { isDefault: boolean }) => isDefault).length).toBeLessThanOrEqual(1)
    }
  })

  it('was never held up by a circle', async () => {
    expect(app.errors.map(String)).toEqual([])
    await app.identity.settle()
    // A connection hands in what it counted when it ends.
    await store.close()
    expect(await deadlocksOf(database.url)).toBe(0)
  })
})
