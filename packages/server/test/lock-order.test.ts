/**
 * Changes of one account at the same time never wait for each other in a circle: PostgreSQL counts no deadlock. A
 * deadlock would be run again and look like success, only a second late, so it is the database's count that is read.
 */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../src/runtime/store/db.js'
import { openPostgresStore } from '../src/runtime/store/open-store.js'
import { confirmed, enrol, organizationApp, stepUp, superAdmin } from './support/organizations.js'
import { stepUp as confirmedBy, type IdentityApp, PASSWORD, type SignedIn, signIn, signUp } from './support/sign-in.js'
import { postgresMissing, postgresStore } from './support/stores.js'

const ROUNDS = 12
type Tokens = Pick<SignedIn, 'accessToken' | 'refreshToken'>
const missing = await postgresMissing()

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
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      const { rows } = await client.query<{ deadlocks: string }>(
        'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
      )
      expect(rows).toEqual([{ deadlocks: '0' }])
    } finally {
      await client.end()
    }
  })
})
