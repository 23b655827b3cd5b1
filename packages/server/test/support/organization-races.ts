/**
 * What must hold if 64 clients do the same at once, for an app in this process or for several processes behind a load
 * balancer. Called inside a `describe`.
 */
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { identityTables } from '../../src/identity/tables.js'
import { confirmed, enrol, signInAgain, stepUp } from './organizations.js'
import { type IdentityApp, type SignedIn, signUp, verifyAddress } from './sign-in.js'

const CLIENTS = 64
const together = <T>(run: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: CLIENTS }, (_, n) => run(n)))

/** Settings of the app under test. */
export const RACE_SETTINGS = { BILLING_ENABLED: 'true', QUOTA_TIER_TEAM_SEATS: '5' }

/** @param place called in each test; returns the app and one of its system administrators. */
export function organizationRaces(place: () => { readonly app: IdentityApp; readonly root: SignedIn }): void {
  const upgraded = async (name: string) => {
    const { app, root } = place()
    const person = await signUp(app, name)
    await confirmed(app, 'PATCH', `/organization/${person.orgId}/tier`, { as: root, body: { tier: 'team' } })
    return person
  }

  it('keeps one administrator when administrators remove one another', async () => {
    const { app } = place()
    const owner = await upgraded('lone')
    const first = await enrol(app, await signUp(app, 'first'), owner.orgId, ['Admin'])
    const second = await enrol(app, await signUp(app, 'second'), owner.orgId, ['Admin'])
    // Removes the owner, as in the system organization, so that only the rule about the last administrator applies.
    await app.runtime.store.system.write(async (tx) => {
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
    const left = await app.runtime.store.system.read((db) => {
      const { memberships } = identityTables(db)
      return db.select().from(memberships).where(eq(memberships.orgId, owner.orgId))
    })
    expect(left).toHaveLength(1)
  })

  it('gives out no seat twice, over the root and its team', async () => {
    const { app } = place()
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
    const counts: Record<string, number> = {}
    for (const { status, code } of answers) {
      const what = `${status} ${code ?? ''}`.trim()
      counts[what] = (counts[what] ?? 0) + 1
    }
    expect(counts).toEqual({ 201: 4, '403 SEAT_LIMIT': CLIENTS - 4 })
  })

  it('lets one invitation of an address live, and be accepted once', async () => {
    const { app } = place()
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
    const { app } = place()
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
    const [org] = await app.runtime.store.system.read((db) => {
      const { organizations } = identityTables(db)
      return db.select().from(organizations).where(eq(organizations.id, dora.orgId))
    })
    expect(heirs.map(({ userId }) => userId)).toContain(org?.ownerId)
  })

  it('leaves no team to somebody who is removed while they make it', async () => {
    const { app } = place()
    const olga = await upgraded('olga')
    const mate = await enrol(app, await signUp(app, 'mate'), olga.orgId, ['Member', 'Admin'])
    const body = (n: number) => ({ name: `Made ${n}`, parentOrgId: olga.orgId })
    await Promise.all([
      ...Array.from({ length: 6 }, (_, n) => app.call('POST', '/organization', { as: mate, body: body(n) })),
      app.call('DELETE', `/organization/${olga.orgId}/members/${mate.userId}`, { as: olga }),
      ...Array.from({ length: 6 }, (_, n) => app.call('POST', '/organization', { as: mate, body: body(n + 6) })),
    ])
    const left = await app.runtime.store.system.read(async (db) => {
      const { organizations, memberships } = identityTables(db)
      const teams = await db.select().from(organizations).where(eq(organizations.parentOrgId, olga.orgId))
      const kept = await db.select().from(memberships).where(eq(memberships.userId, mate.userId))
      return { owners: teams.map(({ ownerId }) => ownerId), places: kept.map(({ orgId }) => orgId) }
    })
    expect(left.owners).not.toContain(mate.userId)
    expect(left.places).toEqual([mate.orgId])
  })

  it('deletes a secret and a service principal once, no matter how many people ask at once', async () => {
    const { app } = place()
    const owner = await upgraded('deleter')
    const base = `/organization/${owner.orgId}`
    const name = 'worker'
    for (let round = 0; round < 5; round++) {
      await confirmed(app, 'PUT', `${base}/secrets/TOKEN`, { as: owner, body: { value: `value ${round}` } })
      const body = { name, scopes: ['reporting:ingest'] }
      const made = await confirmed(app, 'POST', `${base}/service-principals`, { as: owner, body })
      for (const path of ['secrets/TOKEN', `service-principals/${made.data.servicePrincipal.id}`]) {
        const answers = await Promise.all([1, 2, 3, 4].map(() => app.call('DELETE', `${base}/${path}`, { as: owner })))
        expect(answers.map(({ status }) => status).sort(), path).toEqual([204, 404, 404, 404])
      }
    }
  })

  it('lets no invitation and no addition outlive a removal', async () => {
    const { app } = place()
    const paul = await upgraded('paul')
    for (let round = 0; round < 6; round++) {
      const name = `Side ${round}`
      const made = await app.call('POST', '/organization', { as: paul, body: { name, parentOrgId: paul.orgId } })
      const team = made.data.organization.id as string
      const guest = await enrol(app, await signUp(app, `goer${round}`), paul.orgId)
      await verifyAddress(app, guest.userId)
      const sent = await app.call('POST', '/invitation/send', {
        as: paul,
        body: { email: guest.email },
        headers: { 'x-org-id': team },
      })
      const token = new URL(sent.data.acceptUrl).searchParams.get('token')
      const [accepted] = await Promise.all([
        app.call('POST', '/invitation/accept', { as: guest, body: { token } }),
        app.call('DELETE', `/organization/${paul.orgId}/members/${guest.userId}`, { as: paul }),
        app.call('POST', `/organization/${team}/members`, { as: paul, body: { userId: guest.userId } }),
      ])
      expect([200, 401, 409, 410]).toContain(accepted.status)
      const kept = await app.runtime.store.system.read((db) => {
        const { memberships } = identityTables(db)
        return db.select().from(memberships).where(eq(memberships.userId, guest.userId))
      })
      expect(kept.map(({ orgId }) => orgId)).toEqual([guest.orgId])
    }
  })
}
