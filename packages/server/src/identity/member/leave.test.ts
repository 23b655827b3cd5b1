/**
 * Leaving a root organization also leaves its teams, owned teams pass on, and nobody can end the membership of a person
 * with more permissions.
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import {
  confirmed,
  enrol,
  giveCustomRole,
  organizationApp,
  signInAgain,
  superAdmin,
} from '../../../test/support/organizations.js'
import { type IdentityApp, type SignedIn, signUp, verifyAddress } from '../../../test/support/sign-in.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import { MAIL_JOB } from '../../runtime/mail/send.js'
import type { Store } from '../../runtime/store/db.js'
import { identityTables } from '../tables.js'

const MEMBER_AND_MANAGER = ['members:manage'] as const

await describeStores('leaving', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  beforeAll(async () => {
    store = await open()
    app = await organizationApp(store)
    ada = await signUp(app, 'ada')
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const join = async (name: string, roles: readonly ('Admin' | 'Member')[] = ['Member'], orgId = ada.orgId) =>
    enrol(app, await signUp(app, name), orgId, roles)
  const teamOf = async (as: SignedIn, name: string): Promise<string> => {
    const made = await app.call('POST', '/organization', { as, body: { name, parentOrgId: ada.orgId } })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.data.organization.id
  }
  const member = (orgId: string, { userId }: SignedIn, more = '') => `/organization/${orgId}/members/${userId}${more}`
  const organization = (id: string) =>
    store.system.read(async (db) => {
      const { organizations } = identityTables(db)
      const [row] = await db.select().from(organizations).where(eq(organizations.id, id))
      return row
    })
  const membershipsOf = ({ userId }: SignedIn) =>
    store.system.read(async (db) => {
      const { memberships } = identityTables(db)
      const rows = await db.select().from(memberships).where(eq(memberships.userId, userId))
      return Object.fromEntries(rows.map(({ orgId, isActive }) => [orgId, isActive]))
    })
  const eventsAbout = (orgId: string) =>
    store.system.read(async (db) => {
      const { auditOutbox } = jobTables(db)
      const rows = await db.select().from(auditOutbox).where(eq(auditOutbox.affectedOrgId, orgId))
      return rows.sort((a, b) => a.position - b.position).map(({ event, orgId: by }) => [event['action'], by])
    })
  const mails = () =>
    store.system.read(async (db) => {
      const { jobs } = jobTables(db)
      const rows = await db.select().from(jobs).where(eq(jobs.kind, MAIL_JOB))
      return rows.map(({ payload }) => (payload as { template: string }).template)
    })

  it('takes somebody out of every team at once, and their teams pass to the owner of the root', async () => {
    const xena = await join('xena', ['Member', 'Admin'])
    await verifyAddress(app, xena.userId)
    await verifyAddress(app, ada.userId)
    const own = await teamOf(xena, 'Team of Xena')
    const other = await teamOf(ada, 'Team of Ada')
    await enrol(app, xena, other)
    const token = (await confirmed(app, 'POST', '/auth/pats', { as: xena, body: { name: 'ci', organizationId: own } }))
      .data.token
    const before = (await mails()).length
    expect((await app.call('DELETE', member(ada.orgId, xena), { as: ada })).status).toBe(204)
    expect(Object.keys(await membershipsOf(xena))).toEqual([xena.orgId])
    expect(await organization(own)).toMatchObject({ ownerId: ada.userId })
    const again = await signInAgain(app, xena)
    for (const as of [again, token]) {
      expect([401, 404]).toContain((await app.call('GET', `/organization/${own}`, { as })).status)
    }
    const inTeam = await app.call('GET', `/organization/${own}/members`, { as: ada })
    expect(inTeam.data).toMatchObject({ ownerId: ada.userId, members: [{ id: ada.userId, role: 'owner' }] })
    // The events belong to the root and are about the team.
    expect((await eventsAbout(own)).slice(-2)).toEqual([
      ['org.ownership.transfer', ada.orgId],
      ['org.member.remove', ada.orgId],
    ])
    expect((await eventsAbout(other)).slice(-1)).toEqual([['org.member.remove', ada.orgId]])
    // The removed person is notified. The owner acted, and needs no mail about the team.
    expect((await mails()).slice(before)).toEqual(['identity.membership-ended'])
  })

  it('ends the tokens of who is removed at once, also for when the person comes back', async () => {
    const wanda = await join('wanda')
    const body = { name: 'ci', organizationId: ada.orgId }
    const { token } = (await confirmed(app, 'POST', '/auth/pats', { as: wanda, body })).data
    expect((await app.call('GET', '/auth/me', { as: token })).status).toBe(200)
    expect((await app.call('DELETE', member(ada.orgId, wanda), { as: ada })).status).toBe(204)
    await enrol(app, wanda, ada.orgId)
    expect((await app.call('GET', '/auth/me', { as: token })).code).toBe('TOKEN_REVOKED')
  })

  it('ends the tokens of an administrator for teams that the person never joined', async () => {
    const wilma = await join('wilma', ['Admin'])
    const organizationId = await teamOf(ada, 'Team without Wilma')
    const make = { as: wilma, body: { name: 'ci', organizationId } }
    const { token } = (await confirmed(app, 'POST', '/auth/pats', make)).data
    expect((await app.call('GET', '/auth/me', { as: token })).status).toBe(200)
    expect((await app.call('DELETE', member(ada.orgId, wilma), { as: ada })).status).toBe(204)
    await enrol(app, wilma, ada.orgId, ['Admin'])
    expect((await app.call('GET', '/auth/me', { as: token })).code).toBe('TOKEN_REVOKED')
  })

  it('takes somebody out of deleted teams too, so that none brings them back when it is restored', async () => {
    const zoe = await join('zoe', ['Member', 'Admin'])
    const [own, other] = [await teamOf(zoe, 'Gone team of Zoe'), await teamOf(ada, 'Gone team of Ada')]
    await enrol(app, zoe, other)
    for (const [id, as] of [[own, zoe] as const, [other, ada] as const]) {
      expect((await confirmed(app, 'DELETE', `/organization/${id}`, { as })).status).toBe(202)
    }
    expect((await app.call('DELETE', member(ada.orgId, zoe), { as: ada })).status).toBe(204)
    expect(Object.keys(await membershipsOf(zoe))).toEqual([zoe.orgId])
    const again = await signInAgain(app, zoe)
    expect((await confirmed(app, 'POST', `/organization/${own}/restore`, { as: again })).code).toBe('NOT_FOUND')
    for (const id of [own, other]) {
      expect((await confirmed(app, 'POST', `/organization/${id}/restore`, { as: ada })).status).toBe(200)
      expect((await app.call('GET', `/organization/${id}`, { as: again })).status).toBe(404)
    }
    expect(await organization(own)).toMatchObject({ ownerId: ada.userId })
  })

  it('gives the teams to a named member, who is told, and to nobody by who holds less than Admin', async () => {
    const yuri = await join('yuri', ['Member', 'Admin'])
    const heir = await join('heir')
    await verifyAddress(app, heir.userId)
    const team = await teamOf(yuri, 'Team of Yuri')
    const clerk = await join('clerk', ['Member'])
    await giveCustomRole(app, ada.orgId, clerk.userId, MEMBER_AND_MANAGER)
    const zack = await join('zack')
    const byClerk = await confirmed(app, 'DELETE', member(ada.orgId, zack, `?teamsTo=${heir.userId}`), { as: clerk })
    expect(byClerk).toMatchObject({ status: 403, body: { details: { reason: 'ceiling' } } })
    const toSelf = await confirmed(app, 'DELETE', member(ada.orgId, yuri, `?teamsTo=${yuri.userId}`), { as: ada })
    expect(toSelf.status).toBe(400)
    const stranger = await signUp(app, 'stranger')
    const toStranger = await confirmed(app, 'DELETE', member(ada.orgId, yuri, `?teamsTo=${stranger.userId}`), {
      as: ada,
    })
    expect(toStranger.status).toBe(404)
    const before = (await mails()).length
    // The heir's rights outlive a stolen session, and an idempotency key does not replace a step-up.
    const deactivation = member(ada.orgId, yuri, `/deactivate?teamsTo=${heir.userId}`)
    for (const [method, path] of [
      ['PATCH', deactivation],
      ['DELETE', member(ada.orgId, yuri, `?teamsTo=${heir.userId}`)],
    ] as const) {
      const headers = { 'idempotency-key': 'pass-the-teams' }
      expect((await app.call(method, path, { as: ada, headers })).code).toBe('STEP_UP_REQUIRED')
    }
    const paused = await confirmed(app, 'PATCH', deactivation, {
      as: ada,
      headers: { 'idempotency-key': 'pass-the-teams' },
    })
    expect(paused.data.member).toMatchObject({ id: yuri.userId, isActive: false })
    expect(await organization(team)).toMatchObject({ ownerId: heir.userId })
    expect(await membershipsOf(yuri)).toMatchObject({ [ada.orgId]: false, [team]: false })
    expect((await app.call('GET', `/organization/${team}/roles`, { as: await signInAgain(app, heir) })).status).toBe(
      200,
    )
    expect((await mails()).slice(before)).toEqual(['identity.team-passed'])
    const again = await app.call('PATCH', deactivation, {
      as: ada,
      headers: { 'idempotency-key': 'pass-the-teams' },
    })
    expect(again.code).toBe('STEP_UP_REQUIRED')
  })

  it('keeps somebody who is deactivated in the root out of its teams, by whichever door', async () => {
    const team = await teamOf(ada, 'Door')
    const chief = await join('chief', ['Member', 'Admin'], team)
    const nina = await join('nina')
    await enrol(app, nina, team)
    await verifyAddress(app, nina.userId)
    expect((await app.call('PATCH', member(ada.orgId, nina, '/deactivate'), { as: ada })).status).toBe(200)
    expect((await app.call('PATCH', member(team, nina, '/activate'), { as: chief })).code).toBe('CONFLICT')
    expect((await app.call('DELETE', member(team, nina), { as: ada })).status).toBe(204)
    const added = await app.call('POST', `/organization/${team}/members`, { as: ada, body: { userId: nina.userId } })
    expect(added.code).toBe('CONFLICT')
    const sent = await app.call('POST', '/invitation/send', {
      as: chief,
      body: { email: nina.email },
      headers: { 'x-org-id': team },
    })
    const token = new URL(sent.data.acceptUrl).searchParams.get('token')
    const accept = async () =>
      app.call('POST', '/invitation/accept', { as: await signInAgain(app, nina), body: { token } })
    expect((await accept()).code).toBe('CONFLICT')
    // A removal revokes the invitation too.
    expect((await app.call('DELETE', member(ada.orgId, nina), { as: ada })).status).toBe(204)
    expect((await accept()).code).toBe('INVITATION_REVOKED')
    expect((await eventsAbout(team)).map(([action]) => action)).toContain('invitation.revoke')
  })

  it('lets a manager of the root remove anybody from a team, its owner and administrators too', async () => {
    const lead = await join('lead', ['Member', 'Admin'])
    const team = await teamOf(lead, 'Reach')
    await app.call('PATCH', member(ada.orgId, lead), { as: ada, body: { role: 'member' } })
    const deputy = await join('deputy', ['Member', 'Admin'], team)
    const keeper = await join('keeper')
    await giveCustomRole(app, ada.orgId, keeper.userId, MEMBER_AND_MANAGER)
    expect((await app.call('DELETE', member(team, deputy), { as: keeper })).status).toBe(204)
    expect((await app.call('DELETE', member(team, lead), { as: keeper })).status).toBe(204)
    expect(await organization(team)).toMatchObject({ ownerId: ada.userId })
    expect(await membershipsOf(lead)).toMatchObject({ [ada.orgId]: true })
    // Not the owner of the account, and not from a team of another account.
    expect((await app.call('DELETE', member(team, ada), { as: keeper })).status).toBe(403)
    expect(await organization(team)).toMatchObject({ ownerId: ada.userId })
    const bob = await signUp(app, 'bob')
    const foreign = await app.call('POST', '/organization', {
      as: bob,
      body: { name: 'Bob T', parentOrgId: bob.orgId },
    })
    const path = member(foreign.data.organization.id, bob)
    expect((await app.call('DELETE', path, { as: keeper })).status).toBe(404)
  })

  it('has nobody remove, deactivate or take over the records of who holds more', async () => {
    const admin = await join('admin', ['Member', 'Admin'])
    const auditor = await join('auditor')
    await giveCustomRole(app, ada.orgId, auditor.userId, ['audit:read'])
    const warden = await join('warden')
    await giveCustomRole(app, ada.orgId, warden.userId, MEMBER_AND_MANAGER)
    for (const whom of [admin, auditor]) {
      const tries = [
        await app.call('DELETE', member(ada.orgId, whom), { as: warden }),
        await app.call('DELETE', member(ada.orgId, whom, `?reassignTo=${warden.userId}`), { as: warden }),
        await app.call('PATCH', member(ada.orgId, whom, '/deactivate'), { as: warden }),
      ]
      for (const answer of tries) {
        expect(answer).toMatchObject({ status: 403, body: { details: { reason: 'ceiling' } } })
      }
    }
    // An Admin of a team cannot remove an administrator of the root.
    const team = await teamOf(ada, 'Below')
    await enrol(app, admin, team)
    const chief = await join('chief2', ['Member', 'Admin'], team)
    expect((await app.call('DELETE', member(team, admin), { as: chief })).status).toBe(403)
    expect((await app.call('PATCH', member(team, admin, '/deactivate'), { as: chief })).status).toBe(403)
    // A person with the same permissions or fewer can be removed.
    const plain = await join('plain')
    expect(
      (await app.call('DELETE', member(ada.orgId, plain, `?reassignTo=${warden.userId}`), { as: warden })).status,
    ).toBe(204)
    // Leaving needs no permission.
    expect((await app.call('DELETE', member(ada.orgId, auditor), { as: auditor })).status).toBe(204)
  })

  it('leaves the deletion of an organization to system administrators unless the operator says otherwise', async () => {
    const strict = await organizationApp(store, { settings: { ORG_SELF_DELETE: 'false' } })
    const owner = await signUp(strict, 'strict-owner')
    const path = `/organization/${owner.orgId}`
    expect(await confirmed(strict, 'DELETE', path, { as: owner })).toMatchObject({
      status: 403,
      body: { details: { reason: 'system-admin' } },
    })
    const root = await superAdmin(strict, 'strict-root')
    expect((await confirmed(strict, 'DELETE', path, { as: root })).status).toBe(202)
  })
})
