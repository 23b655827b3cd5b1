/** The demo is created once, in an empty store, completely, and with credentials that work. */
import { eq, ne } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { evidence, type IdentityApp, identityApp, signIn, signUp } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Store } from '../../runtime/store/db.js'
import { prepareFirstStart } from '../auth/first-start.js'
import { identityTables } from '../tables.js'
import { TENANT_OPERATIONS } from '../tenant-operations.js'
import { createDemo, DEMO_USERNAMES, type Demo } from './create.js'
import { type DemoKeys, openDemo } from './open.js'

const ADMIN = { ADMIN_IDENTIFIER: 'admin@plumbline.test', ADMIN_PASSWORD: 'Tall-Giraffe-Walks-4' }

await describeStores('the demo', WITH_POSTGRESQL, (open) => {
  let store: Store
  afterEach(() => store.close())

  const start = async (settings: Record<string, string> = {}): Promise<IdentityApp> => {
    store = await open()
    return identityApp(store, { operations: TENANT_OPERATIONS, settings })
  }
  const made = async (app: IdentityApp): Promise<Demo & DemoKeys> => {
    const demo = await createDemo(app.runtime)
    if (demo === null) throw new Error('no demo was made')
    return { ...demo, ...(await openDemo(app.runtime, demo)) }
  }
  const names = () =>
    store.system.read(async (db) => {
      const { organizations } = identityTables(db)
      const rows = await db.select().from(organizations).where(ne(organizations.id, SYSTEM_ORG_ID))
      return rows.map(({ slug }) => slug).sort()
    })

  it('has somebody in each role, who can sign in', async () => {
    const app = await start()
    const { password, organization, team } = await made(app)
    const standings: Record<string, unknown> = {}
    for (const name of DEMO_USERNAMES) {
      const me = (await app.call('GET', '/auth/me', { as: await signIn(app, name, password) })).data
      standings[name] = [me.organization.id, me.organization.role]
    }
    expect(standings).toEqual({
      'demo-owner': [organization.id, 'owner'],
      'demo-admin': [organization.id, 'admin'],
      'demo-member': [organization.id, 'member'],
      'demo-team-member': [team.id, 'member'],
    })
    expect(app.errors).toEqual([])
  })

  it('gives the owner a token that works and ends', async () => {
    const app = await start()
    const { token, tokenDays, organization } = await made(app)
    const answer = await app.call('GET', `/organization/${organization.id}`, { as: token })
    expect(answer.data).toMatchObject({ organization: { slug: 'demo', tier: 'team' } })
    expect(
      (await app.call('GET', `/organization/${organization.id}/members`, { as: token })).data.members,
    ).toHaveLength(3)
    app.clock.advance(tokenDays * 86_400_000 + 1)
    expect((await app.call('GET', `/organization/${organization.id}`, { as: token })).status).toBe(401)
  })

  it('leaves evidence of everything that it made, by the system', async () => {
    const app = await start()
    await made(app)
    const events = await evidence(app)
    const counts: Record<string, number> = {}
    for (const { action } of events) counts[action] = (counts[action] ?? 0) + 1
    expect(counts).toEqual({ 'admin.user.create': 4, 'org.create': 2, 'org.member.add': 3, 'user.token.create': 1 })
    expect(new Set(events.map(({ actorId }) => actorId))).toEqual(new Set(['system']))
  })

  it('is made once, however often and however many replicas start', async () => {
    const app = await start()
    const demos = await Promise.all(Array.from({ length: 4 }, () => createDemo(app.runtime)))
    expect(demos.filter((demo) => demo !== null)).toHaveLength(1)
    expect(await createDemo(app.runtime)).toBeNull()
    expect(await names()).toEqual(['demo', 'demo-team'])
  })

  it('is not made beside the account of somebody, even one without an organization', async () => {
    const app = await start()
    const { userId, orgId } = await signUp(app, 'ann')
    expect(await createDemo(app.runtime)).toBeNull()
    await store.system.write(async (tx) => {
      const { organizations } = identityTables(tx)
      await tx.delete(organizations).where(eq(organizations.id, orgId))
    })
    expect(await createDemo(app.runtime)).toBeNull()
    expect(await names()).toEqual([])
    expect(userId).not.toBe('')
  })

  it('is made beside the administrator of the settings', async () => {
    const app = await start(ADMIN)
    await prepareFirstStart(app.runtime)
    await made(app)
    await signIn(app, ADMIN.ADMIN_IDENTIFIER, ADMIN.ADMIN_PASSWORD)
    expect(await names()).toEqual(['demo', 'demo-team'])
  })

  it('is made where tiers are enforced too', async () => {
    const app = await start({ BILLING_ENABLED: 'true' })
    const { token, organization } = await made(app)
    const answer = await app.call('GET', `/organization/${organization.id}/teams`, { as: token })
    expect(answer.data.teams).toMatchObject([{ slug: 'demo-team', memberCount: 2 }])
  })
})
