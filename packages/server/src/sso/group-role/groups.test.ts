/**
 * Groups of a provider give Roles: by the claims of a sign-in, without touching manually given Roles, and under the
 * ceiling of the mapping's author.
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores } from '../../../test/support/describe-stores.js'
import { began, came, type HostileProvider, hostileProvider, withProvider } from '../../../test/support/oidc.js'
import { confirmed, enrol, evidenceOf, giveCustomRole } from '../../../test/support/organizations.js'
import { queuedMails, type SignedIn, signUp, verifyAddress } from '../../../test/support/sign-in.js'
import { provenDomain, type SsoApp, ssoApp } from '../../../test/support/sso.js'
import { identityTables } from '../../identity/tables.js'
import type { Store } from '../../runtime/store/db.js'

await describeStores('groups of a provider', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store & { close(): Promise<void> }
  let app: SsoApp
  let provider: HostileProvider
  let ann: SignedIn
  let idpId: string
  let builders: string
  let readers: string
  beforeAll(async () => {
    store = (await open()) as typeof store
    provider = await hostileProvider()
    app = await ssoApp(store, { startMs: Date.now(), settings: { IDP_ALLOWED_ORIGINS: provider.issuer } })
    ann = await signUp(app, 'ann')
    await verifyAddress(app, ann.userId)
    await provenDomain(app, ann, 'acme.test')
    idpId = await withProvider(app, ann, provider.issuer, { groupsClaim: 'groups' })
    builders = await role(ann, 'Builders', ['pipelines:write'])
    readers = await role(ann, 'Readers', ['pipelines:read'])
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await provider.close()
    await store.close()
  })

  const groupsPath = (of = idpId) => `/organization/${ann.orgId}/idps/${of}/groups`
  const role = async (as: SignedIn, name: string, permissions: string[]): Promise<string> => {
    const made = await confirmed(app, 'POST', `/organization/${ann.orgId}/roles`, { as, body: { name, permissions } })
    expect(made.status).toBe(201)
    return made.data.role.id
  }
  const maps = (groups: Record<string, string[]>, as = ann) =>
    confirmed(app, 'PUT', groupsPath(), {
      as,
      body: { groups: Object.entries(groups).map(([name, roleIds]) => ({ name, roleIds })) },
    })

  /** Signs in at the provider, which sends these claims. */
  async function comes(sub: string, claims: object) {
    const { url, cookie, state } = await began(app, ann.orgSlug)
    provider.nonce = url.searchParams.get('nonce') ?? ''
    provider.say = ({ sign }) => sign({ sub, email: `${sub}@acme.test`, ...claims })
    return came(app, idpId, cookie, { state, code: 'x', iss: provider.issuer })
  }

  async function rolesOf(userId: string): Promise<string[]> {
    const { data } = await app.call('GET', `/organization/${ann.orgId}/members?limit=100`, { as: ann })
    const found = data.members.find(({ id }: { id: string }) => id === userId)
    return found.roles.map(({ name }: { name: string }) => name).sort()
  }

  it('gives Roles by the groups of a sign-in, and takes them with the group', async () => {
    expect((await maps({ devs: [builders], all: [readers] })).data.groups).toMatchObject([
      { name: 'all', from: 'claim', members: 0, roles: [{ name: 'Readers', inForce: true }] },
      { name: 'devs', roles: [{ name: 'Builders' }] },
    ])
    const came = await comes('nina', { groups: ['devs', 'all', 'others'] })
    expect(came.status).toBe(200)
    const nina = came.data.tokens.user.id
    expect(await rolesOf(nina)).toEqual(['Builders', 'Member', 'Readers'])
    expect((await comes('nina', { groups: ['all'] })).status).toBe(200)
    expect(await rolesOf(nina)).toEqual(['Member', 'Readers'])
    // An absent or referenced claim changes nothing; an empty list means no groups.
    await comes('nina', {})
    await comes('nina', { groups: [], _claim_names: { groups: 'src1' } })
    expect(await rolesOf(nina)).toEqual(['Member', 'Readers'])
    await comes('nina', { groups: [] })
    expect(await rolesOf(nina)).toEqual(['Member'])
    // Names that differ only in case are two groups.
    await comes('nina', { groups: ['DEVS'] })
    expect(await rolesOf(nina)).toEqual(['Member'])
  })

  it('leaves what was given by hand, and shows a Role once', async () => {
    const { data } = await comes('otto', { groups: ['devs'] })
    const otto = data.tokens.user.id
    const path = `/organization/${ann.orgId}/roles/${builders}/members`
    expect((await app.call('DELETE', `${path}/${otto}`, { as: ann })).code).toBe('CONFLICT')
    expect((await confirmed(app, 'POST', path, { as: ann, body: { userId: otto } })).status).toBe(200)
    expect(await rolesOf(otto)).toEqual(['Builders', 'Member'])
    const listed = await app.call('GET', `/organization/${ann.orgId}/roles`, { as: ann })
    expect(listed.data.roles.find(({ id }: { id: string }) => id === builders)).toMatchObject({
      memberCount: 1,
      members: [{ id: otto }],
    })
    await comes('otto', { groups: [] })
    expect(await rolesOf(otto)).toEqual(['Builders', 'Member'])
    await comes('otto', { groups: ['devs'] })
    expect((await app.call('DELETE', `${path}/${otto}`, { as: ann })).status).toBe(204)
    expect(await rolesOf(otto)).toEqual(['Builders', 'Member'])
    await comes('otto', { groups: [] })
    expect(await rolesOf(otto)).toEqual(['Member'])
  })

  it('is replaced only by who read its last revision', async () => {
    const read = async () => (await app.call('GET', groupsPath(), { as: ann })).data.revision as number
    const put = async (revision: number, name: string) => {
      const headers = { 'if-match': `"${revision}"` }
      return confirmed(app, 'PUT', groupsPath(), {
        as: ann,
        headers,
        body: { groups: [{ name, roleIds: [builders] }] },
      })
    }
    const revision = await read()
    const both = await Promise.all([put(revision, 'devs'), put(revision, 'ops')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
    const [kept] = both.filter(({ status }) => status === 200)
    expect(kept?.data.revision).toBe(revision + 1)
    const same = kept?.data.groups[0].name
    expect((await put(revision + 1, same)).data.revision).toBe(revision + 1)
    expect((await put(revision, 'late')).body).toMatchObject({
      code: 'PRECONDITION_FAILED',
      details: { revision: revision + 1 },
    })
    expect((await put(revision + 1, 'devs')).status).toBe(200)
  })

  it('knows a person again whose provider names them otherwise for another client', async () => {
    const path = `/organization/${ann.orgId}/idps/${idpId}`
    const client = async (clientId: string) => {
      const answer = await confirmed(app, 'PATCH', path, { as: ann, body: { clientId } })
      expect(answer.status).toBe(200)
    }
    const email = { email: 'quinn@acme.test' }
    const first = await comes('quinn-of-one', email)
    const quinn = first.data.tokens.user.id
    expect((await comes('quinn-of-two', email)).code).toBe('SSO_REFUSED')
    const { clientId } = (await app.call('GET', path, { as: ann })).data.provider
    await client('two')
    const again = await comes('quinn-of-two', { ...email, aud: 'two' })
    expect([again.status, again.data?.tokens.user.id]).toEqual([200, quinn])
    // A change of anything else forgets nobody.
    expect((await confirmed(app, 'PATCH', path, { as: ann, body: { sessionHours: 9 } })).status).toBe(200)
    expect((await comes('quinn-of-one', { ...email, aud: 'two' })).code).toBe('SSO_REFUSED')
    await client(clientId)
  })

  it('follows a mapping that changes at once, and one that ends', async () => {
    const { data } = await comes('pia', { groups: ['devs'] })
    const pia = data.tokens.user.id
    await maps({ devs: [builders, readers] })
    expect(await rolesOf(pia)).toEqual(['Builders', 'Member', 'Readers'])
    await maps({ devs: [readers] })
    expect(await rolesOf(pia)).toEqual(['Member', 'Readers'])
    expect(await evidenceOf(app, ann.orgId)).toEqual(expect.arrayContaining(['org.group-role.update']))
    await maps({})
    expect(await rolesOf(pia)).toEqual(['Member'])
    expect((await app.call('GET', groupsPath(), { as: ann })).data).toEqual({
      groups: [],
      unmapped: [],
      revision: expect.any(Number),
    })
    // Group memberships end with the membership.
    await maps({ devs: [builders] })
    await comes('pia', { groups: ['devs'] })
    expect((await app.call('GET', groupsPath(), { as: ann })).data.groups[0].members).toBe(1)
    expect((await app.call('DELETE', `/organization/${ann.orgId}/members/${pia}`, { as: ann })).status).toBe(204)
    expect((await app.call('GET', groupsPath(), { as: ann })).data.groups[0].members).toBe(0)
    // A deleted Role is not given any more.
    const passing = await role(ann, 'Passing', ['pipelines:read'])
    await maps({ devs: [passing] })
    expect((await confirmed(app, 'DELETE', `/organization/${ann.orgId}/roles/${passing}`, { as: ann })).status).toBe(
      204,
    )
    expect((await app.call('GET', groupsPath(), { as: ann })).data.groups).toEqual([])
    expect((await comes('quin', { groups: ['devs'] })).status).toBe(200)
  })

  it('gives nobody by a group what the author lacks, then and later', async () => {
    const bob = await enrol(app, await signUp(app, 'bob'), ann.orgId)
    await giveCustomRole(app, ann.orgId, bob.userId, ['org:idp', 'pipelines:write'])
    const admin = (await app.call('GET', `/organization/${ann.orgId}/roles`, { as: ann })).data.roles.find(
      ({ name }: { name: string }) => name === 'Admin',
    ).id
    expect((await maps({ devs: [admin] }, bob)).body).toMatchObject({
      code: 'INSUFFICIENT_PERMISSIONS',
      details: { reason: 'ceiling' },
    })
    expect((await maps({ devs: [builders] }, bob)).status).toBe(200)
    // An actor cannot remove a mapping of a Role that exceeds their own permissions.
    await maps({ devs: [builders], chiefs: [admin] })
    expect((await maps({ devs: [builders] }, bob)).code).toBe('INSUFFICIENT_PERMISSIONS')
    await maps({})
    expect((await maps({ devs: [builders] }, bob)).status).toBe(200)
    const rita = (await comes('rita', { groups: ['devs'] })).data.tokens.user.id
    expect(await rolesOf(rita)).toEqual(['Builders', 'Member'])
    expect((await app.call('DELETE', `/organization/${ann.orgId}/members/${bob.userId}`, { as: ann })).status).toBe(204)
    expect((await app.call('GET', groupsPath(), { as: ann })).data.groups[0].roles[0].inForce).toBe(false)
    const sven = (await comes('sven', { groups: ['devs'] })).data.tokens.user.id
    expect(await rolesOf(sven)).toEqual(['Member'])
    await comes('rita', { groups: ['devs'] })
    expect(await rolesOf(rita)).toEqual(['Builders', 'Member'])
    await maps({ devs: [builders] })
    expect(await rolesOf(sven)).toEqual(['Builders', 'Member'])
  })

  it('keeps the last administrator, and tells the others', async () => {
    const roles = (await app.call('GET', `/organization/${ann.orgId}/roles`, { as: ann })).data.roles
    const admin = roles.find(({ name }: { name: string }) => name === 'Admin').id
    await maps({ chiefs: [admin] })
    const tess = (await comes('tess', { groups: ['chiefs'] })).data.tokens.user.id
    expect(await rolesOf(tess)).toEqual(['Admin', 'Member'])
    // No other holder of Admin is active.
    const setActive = (isActive: boolean) =>
      store.system.write(async (tx) => {
        const { users } = identityTables(tx)
        await tx.update(users).set({ isActive }).where(eq(users.id, ann.userId))
        tx.afterCommit(() => app.identity.directory.drop({ userId: ann.userId }))
      })
    await setActive(false)
    await comes('tess', { groups: [] })
    await setActive(true)
    expect(await rolesOf(tess)).toEqual(['Admin', 'Member'])
    const mails = (await queuedMails(app)).filter(({ template }) => template === 'identity.last-administrator')
    expect(mails.map(({ to }) => to)).toEqual(['tess@acme.test'])
    await comes('tess', { groups: [] })
    expect(await rolesOf(tess)).toEqual(['Member'])
  })

  it('ends with its provider, but for the last administrator', async () => {
    await maps({ devs: [builders] })
    const uma = (await comes('uma', { groups: ['devs'] })).data.tokens.user.id
    expect(await rolesOf(uma)).toEqual(['Builders', 'Member'])
    const gone = await confirmed(app, 'DELETE', `/organization/${ann.orgId}/idps/${idpId}`, { as: ann })
    expect(gone.status).toBe(204)
    expect(await rolesOf(uma)).toEqual(['Member'])
    expect((await app.call('GET', groupsPath(), { as: ann })).status).toBe(404)
  })
})
