/** Under 64 clients at once: the last administrator stays, seats are not passed, one invitation lives, one owner is. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identityTables } from '../src/identity/tables.js'
import type { Store } from '../src/runtime/store/db.js'
import { confirmed, enrol, organizationApp, signInAgain, stepUp, superAdmin } from './organizations.js'
import { type IdentityApp, type SignedIn, signUp } from './sign-in.js'
import { postgresMissing, postgresStore, sqliteStore } from './stores.js'

const CLIENTS = 64
const missing = await postgresMissing()
const together = <T>(run: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: CLIENTS }, (_, n) => run(n)))

describe.each([
  { name: 'SQLite', open: sqliteStore as () => Promise<Store>, skip: null },
  { name: `PostgreSQL${missing ? ` (${missing})` : ''}`, open: postgresStore as () => Promise<Store>, skip: missing },
])('races on $name', ({ open, skip }) => {
  if (skip !== null) {
    it.skip(skip, () => undefined)
    return
  }
  let store: Store
  let app: IdentityApp
  let root: SignedIn
  beforeAll(async () => {
    store = await open()
    app = await organizationApp(store, { settings: { BILLING_ENABLED: 'true', QUOTA_TIER_TEAM_SEATS: '5' } })
    root = await superAdmin(app, 'root')
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const upgraded = async (name: string) => {
    const person = await signUp(app, name)
    await confirmed(app, 'PATCH', `/organization/${person.orgId}/tier`, { as: root, body: { tier: 'team' } })
    return person
  }

  it('keeps one administrator when administrators remove one another', async () => {
    const owner = await upgraded('lone')
    const first = await enrol(app, await signUp(app, 'first'), owner.orgId, ['Admin'])
    const second = await enrol(app, await signUp(app, 'second'), owner.orgId, ['Admin'])
    // Nobody owns it, as the system organization: what stands is the rule of the last administrator alone.
    await store.system.write(async (tx) => {
      const { organizations, memberships } = identityTables(tx)
      await tx.update(organizations).set({ ownerId: null }).where(eq(organizations.id, owner.orgId))
      await tx.delete(memberships).where(eq(memberships.userId, owner.userId))
    })
    app.identity.directory.drop({ orgId: owner.orgId })
    const path = `/organization/${owner.orgId}/members`
    const answers = await together((n) => {
      const [as, whom] = n % 2 === 0 ? [first, second] : [second, first]
      return app.call('DELETE', `${path}/${whom.userId}`, { as })
    })
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    const left = await store.system.read((db) => {
      const { memberships } = identityTables(db)
      return db.select().from(memberships).where(eq(memberships.orgId, owner.orgId))
    })
    expect(left).toHaveLength(1)
  })

  it('gives out no seat twice, over the root and its team', async () => {
    const ada = await upgraded('ada')
    const team = await app.call('POST', '/organization', { as: ada, body: { name: 'T team', parentOrgId: ada.orgId } })
    const orgs = [ada.orgId, team.data.organization.id as string]
    const answers = await together((n) =>
      app.call('POST', '/invitation/send', {
        as: ada,
        body: { email: `guest${n}@plumbline.test` },
        headers: { 'x-org-id': orgs[n % 2] ?? '' },
      }),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4)
    expect(answers.filter(({ code }) => code === 'SEAT_LIMIT')).toHaveLength(CLIENTS - 4)
  })

  it('lets one invitation of an address live, and be accepted once', async () => {
    const ida = await upgraded('ida')
    const body = { email: 'guest@plumbline.test' }
    const sent = await together(() => app.call('POST', '/invitation/send', { as: ida, body }))
    expect(sent.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(sent.filter(({ code }) => code === 'DUPLICATE_ENTRY')).toHaveLength(CLIENTS - 1)
    const url = sent.find(({ status }) => status === 201)?.data.acceptUrl
    const token = new URL(url).searchParams.get('token')
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        app.call('POST', '/invitation/accept-new', {
          body: { token, username: `guest-${n}`, password: 'Correct-Horse-7' },
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  it('has one owner after transfers at the same time', async () => {
    const dora = await upgraded('dora')
    const heirs: SignedIn[] = []
    for (const name of ['eve', 'fay']) heirs.push(await enrol(app, await signUp(app, name), dora.orgId))
    const signedIn = await signInAgain(app, dora)
    const tokens = []
    for (let n = 0; n < 8; n++) tokens.push(await stepUp(app, signedIn))
    const answers = await Promise.all(
      tokens.map((headers, n) =>
        app.call('PATCH', `/organization/${dora.orgId}/transfer-owner`, {
          as: signedIn,
          body: { newOwnerId: heirs[n % 2]?.userId },
          headers,
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const [org] = await store.system.read((db) => {
      const { organizations } = identityTables(db)
      return db.select().from(organizations).where(eq(organizations.id, dora.orgId))
    })
    expect(heirs.map(({ userId }) => userId)).toContain(org?.ownerId)
  })
})
