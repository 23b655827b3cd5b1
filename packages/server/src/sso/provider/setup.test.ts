/** Providers and domains of an organization: who may set them up, what is refused, and what a DNS look-up means. */

import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { confirmed, enrol, evidenceOf, signInAgain, stepUp, superAdmin } from '../../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { provenDomain, runRecheck, type SsoApp, ssoApp } from '../../../test/support/sso.js'
import { HOUR_MS } from '../../runtime/clock.js'
import type { Store } from '../../runtime/store/db.js'
import type { TxtAnswer } from '../dns/resolve.js'
import { after, GRACE_MS, isProven } from '../domain/proof.js'
import { checkedDomain, domainOf } from '../domain-name.js'
import { ssoRegistration } from '../registration.js'
import { ssoOf } from '../services.js'
import { ssoTables } from '../tables.js'

const PROVIDER = { issuer: 'https://login.acme.test', clientId: 'plumbline', clientSecret: 'a-secret-of-the-client' }

await describeStores('setting up sign-on', WITH_POSTGRESQL, (open) => {
  let store: Store & { close(): Promise<void> }
  let app: SsoApp
  let ann: SignedIn
  let bob: SignedIn
  beforeAll(async () => {
    store = (await open()) as typeof store
    app = await ssoApp(store)
    ann = await signUp(app, 'ann')
    bob = await signUp(app, 'bob')
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await store.close()
  })

  const at = (rest: string, who: SignedIn = ann) => `/organization/${who.orgId}${rest}`

  it('keeps the first provider as the default one, and never shows its secret', async () => {
    const made = await confirmed(app, 'POST', at('/idps'), { as: ann, body: PROVIDER })
    expect(made.status).toBe(201)
    const { provider } = made.data
    expect(provider).toMatchObject({ isDefault: true, hasSecret: true, alg: 'RS256', revision: 1, test: null })
    expect(provider.redirectUri).toBe(`http://plumbline.test/auth/callback/sso/${provider.id}`)
    const shown = await app.call('GET', at('/idp'), { as: ann })
    expect(shown.data.provider).toEqual(provider)
    for (const answer of [made, shown, await app.call('GET', at('/idps'), { as: ann })]) {
      expect(JSON.stringify(answer.body)).not.toContain(PROVIDER.clientSecret)
    }
    const stored = await store.system.read((db) => db.select().from(ssoTables(db).identityProviders))
    expect(JSON.stringify(stored)).not.toContain(PROVIDER.clientSecret)
    expect(
      ssoOf(app.runtime)
        .box()
        .open(stored[0]?.sealedSecret ?? '', `idp ${provider.id}`),
    ).toBe(PROVIDER.clientSecret)
  })

  it('changes and replaces by revision; a secret that is left out stays', async () => {
    const { provider } = (await app.call('GET', at('/idp'), { as: ann })).data
    const stale = await confirmed(app, 'PATCH', at('/idp'), {
      as: ann,
      body: { jit: false },
      headers: { 'if-match': '"99"' },
    })
    expect(stale.code).toBe('PRECONDITION_FAILED')
    const changed = await confirmed(app, 'PATCH', at(`/idps/${provider.id}`), {
      as: ann,
      body: { jit: false, alg: 'ES256' },
      headers: { 'if-match': '"1"' },
    })
    expect(changed.data.provider).toMatchObject({ jit: false, alg: 'ES256', hasSecret: true, revision: 2 })
    const replaced = await confirmed(app, 'PUT', at(`/idps/${provider.id}`), {
      as: ann,
      body: { issuer: PROVIDER.issuer, clientId: 'other' },
    })
    expect(replaced.data.provider).toMatchObject({
      jit: true,
      alg: 'RS256',
      clientId: 'other',
      hasSecret: true,
      revision: 3,
    })
    const bare = await confirmed(app, 'PUT', at('/idp'), { as: ann, body: { ...PROVIDER, clientSecret: null } })
    expect(bare.data.provider).toMatchObject({ id: provider.id, hasSecret: false, revision: 4 })
  })

  it('keeps the revision and the test of a provider that a change leaves as it is', async () => {
    const { provider } = (await app.call('GET', at('/idp'), { as: ann })).data
    for (const [method, path, body] of [
      ['PATCH', '/idp', {}],
      ['PATCH', `/idps/${provider.id}`, { issuer: PROVIDER.issuer, jit: provider.jit }],
      ['PUT', `/idps/${provider.id}`, { issuer: PROVIDER.issuer, clientId: provider.clientId, clientSecret: null }],
    ] as const) {
      const same = await confirmed(app, method, at(path), { as: ann, body })
      expect([same.status, same.data.provider], path).toEqual([200, provider])
    }
    const secret = await confirmed(app, 'PATCH', at('/idp'), { as: ann, body: { clientSecret: 'a-new-secret-of-it' } })
    expect(secret.data.provider.revision).toBe(provider.revision + 1)
  })

  it('shows in the record of the organization whether it has an enabled provider, and nothing of others', async () => {
    const configured = async (who: SignedIn) =>
      (await app.call('GET', at('', who), { as: who })).data.organization.ssoConfigured
    const enable = (enabled: boolean) => confirmed(app, 'PATCH', at('/idp'), { as: ann, body: { enabled } })
    expect([await configured(ann), await configured(bob)]).toEqual([true, false])
    expect((await enable(false)).status).toBe(200)
    expect(await configured(ann)).toBe(false)
    expect((await enable(true)).status).toBe(200)
    const active = await app.call('GET', '/organization', { as: ann })
    expect(active.data.organization).toMatchObject({ id: ann.orgId, ssoConfigured: true })
  })

  it('has one provider of a name, and passes the default on', async () => {
    const again = await confirmed(app, 'POST', at('/idps'), { as: ann, body: { ...PROVIDER, name: 'DEFAULT' } })
    expect(again.code).toBe('DUPLICATE_ENTRY')
    const second = await confirmed(app, 'POST', at('/idps'), { as: ann, body: { ...PROVIDER, name: 'second' } })
    expect(second.data.provider.isDefault).toBe(false)
    const clash = await confirmed(app, 'PATCH', at(`/idps/${second.data.provider.id}`), {
      as: ann,
      body: { name: 'default' },
    })
    expect(clash.code).toBe('DUPLICATE_ENTRY')
    expect((await confirmed(app, 'DELETE', at('/idp'), { as: ann })).status).toBe(204)
    expect((await app.call('GET', at('/idp'), { as: ann })).data.provider.id).toBe(second.data.provider.id)
    expect((await confirmed(app, 'PATCH', at('/idp'), { as: ann, body: { enabled: false } })).status).toBe(200)
    expect((await confirmed(app, 'DELETE', at(`/idps/${second.data.provider.id}`), { as: ann })).status).toBe(204)
    expect((await app.call('GET', at('/idp'), { as: ann })).status).toBe(404)
    expect((await app.call('GET', at('/idps'), { as: ann })).data.providers).toEqual([])
  })

  it('has one default provider, whatever is set and removed in the same moment', async () => {
    const together = async (...calls: [method: string, path: string, body?: object][]) => {
      // Each call waits for its confirmation first.
      const headers = await Promise.all(calls.map(() => stepUp(app, ann)))
      const sent = calls.map(([method, path, body], n) =>
        app.call(method, at(path), { as: ann, headers: headers[n] ?? {}, ...(body === undefined ? {} : { body }) }),
      )
      return (await Promise.all(sent)).map(({ status }) => status)
    }
    const defaults = async (): Promise<boolean[]> =>
      (await app.call('GET', at('/idps'), { as: ann })).data.providers.map(
        ({ isDefault }: { isDefault: boolean }) => isDefault,
      )
    for (let round = 0; round < 4; round++) {
      const both = ['a', 'b'].map((name): [string, string, object] => ['PUT', '/idp', { ...PROVIDER, name }])
      expect(await together(...both)).toEqual([200, 200])
      expect(await defaults()).toEqual([true])
      for (const name of ['next', 'last']) {
        await confirmed(app, 'POST', at('/idps'), { as: ann, body: { ...PROVIDER, name } })
      }
      const { providers } = (await app.call('GET', at('/idps'), { as: ann })).data
      const gone = await together(
        ...providers.slice(0, 2).map(({ id }: { id: string }): [string, string] => ['DELETE', `/idps/${id}`]),
      )
      expect([gone, await defaults()]).toEqual([[204, 204], [true]])
      await confirmed(app, 'DELETE', at('/idp'), { as: ann })
    }
  })

  it('is for those who may, with a confirmation, and for the own organization', async () => {
    expect((await app.call('POST', at('/idps'), { as: ann, body: PROVIDER })).code).toBe('STEP_UP_REQUIRED')
    const mine = await confirmed(app, 'POST', at('/idps'), { as: ann, body: PROVIDER })
    const { id } = mine.data.provider
    expect((await app.call('GET', at('/idps'), { as: bob })).status).toBe(404)
    expect((await app.call('GET', at(`/idps/${id}`, bob), { as: bob })).status).toBe(404)
    const foreign = await confirmed(app, 'PATCH', at(`/idps/${id}`, bob), { as: bob, body: { enabled: false } })
    expect(foreign.status).toBe(404)
    const carl = await enrol(app, await signUp(app, 'carl'), ann.orgId)
    expect((await app.call('GET', at('/idps'), { as: carl })).status).toBe(403)
    expect((await app.call('GET', at('/domains'), { as: carl })).status).toBe(403)
  })

  it('is not for the system organization, nor for a team', async () => {
    const root = await superAdmin(app, 'root')
    const system = '/organization/00000000-0000-7000-8000-000000000001'
    expect((await confirmed(app, 'POST', `${system}/idps`, { as: root, body: PROVIDER })).status).toBe(403)
    const team = await app.call('POST', '/organization', { as: ann, body: { name: 'Team', parentOrgId: ann.orgId } })
    const made = await confirmed(app, 'POST', `/organization/${team.data.organization.id}/idps`, {
      as: ann,
      body: PROVIDER,
    })
    expect(made.code).toBe('CONFLICT')
  })

  it.each([
    ['http://login.acme.test', 'must begin with https://'],
    ['https://127.0.0.1', 'not public'],
    ['https://0x7f000001/', 'not public'],
    ['https://[::1]', 'not public'],
    ['https://user:secret@login.acme.test', 'credentials'],
    ['https://login.acme.test?x=1', 'query'],
    ['https://169.254.169.254', 'not public'],
  ])('does not take %s as an issuer', async (issuer, why) => {
    const answer = await confirmed(app, 'POST', at('/idps'), { as: ann, body: { ...PROVIDER, name: 'odd', issuer } })
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain(why)
    expect(JSON.stringify(answer.body)).toContain('/body/issuer')
  })

  it('gives by a provider only Roles of the organization that the author holds', async () => {
    const answer = await confirmed(app, 'PATCH', at('/idp'), {
      as: ann,
      body: { defaultRoleIds: ['99999999-9999-7999-8999-999999999999'] },
    })
    expect(answer.code).toBe('VALIDATION_ERROR')
  })

  it('proves a domain by its record, and holds it alone', async () => {
    const id = await provenDomain(app, ann, 'acme.test')
    expect((await app.call('GET', at('/domains'), { as: ann })).data.domains).toMatchObject([
      { id, domain: 'acme.test', status: 'verified' },
    ])
    const again = await confirmed(app, 'POST', at('/domains'), { as: ann, body: { domain: 'ACME.test' } })
    expect(again.code).toBe('DUPLICATE_ENTRY')
    // Another organization proves it too while the first record still exists.
    const theirs = await confirmed(app, 'POST', at('/domains', bob), { as: bob, body: { domain: 'acme.test' } })
    const { record, id: theirId } = theirs.data.domain
    const [name] = [...app.dns.keys()]
    const mine = app.dns.get(name ?? '') as TxtAnswer & { texts: string[] }
    app.dns.set(record.name, { kind: 'answered', texts: [...mine.texts, record.value] })
    const verify = (who: SignedIn, which: string) => app.call('POST', at(`/domains/${which}/verify`, who), { as: who })
    expect((await verify(bob, theirId)).code).toBe('CONFLICT')
    // The first record is removed: the newer proof wins after 72 hours.
    app.dns.set(record.name, { kind: 'answered', texts: [record.value] })
    expect((await verify(ann, id)).data.domain.status).toBe('missing')
    expect((await verify(bob, theirId)).code).toBe('CONFLICT')
    app.clock.set(app.clock.now() + GRACE_MS)
    const later = await signUp(app, 'dora')
    expect(later.userId).not.toBe('')
    const { accessToken } = (
      await app.call('POST', '/auth/login', { body: { identifier: 'bob', password: 'Correct-Horse-7' } })
    ).data
    const won = await app.call('POST', at(`/domains/${theirId}/verify`, bob), { as: accessToken })
    expect(won.data.domain.status).toBe('verified')
    expect(await evidenceOf(app, ann.orgId)).toEqual(
      expect.arrayContaining(['org.idp.domain.verify', 'org.idp.domain.fail']),
    )
    const rows = await store.system.read((db) => db.select().from(ssoTables(db).idpDomains))
    expect(rows.filter(({ heldDomain }) => heldDomain === 'acme.test').map(({ orgId }) => orgId)).toEqual([bob.orgId])
    bob = { ...bob, accessToken }
  })

  it('gives a domain to one of two organizations that prove it in the same moment', async () => {
    const people = await Promise.all([ann, bob].map((person) => signInAgain(app, person)))
    for (let round = 0; round < 4; round++) {
      const domain = `both-${round}.test`
      const added = await Promise.all(
        people.map((as) => confirmed(app, 'POST', at('/domains', as), { as, body: { domain } })),
      )
      const [records, ids] = [added.map(({ data }) => data.domain.record), added.map(({ data }) => data.domain.id)]
      app.dns.set(records[0].name, { kind: 'answered', texts: records.map(({ value }) => value) })
      const answers = await Promise.all(
        people.map((as, n) => app.call('POST', at(`/domains/${ids[n]}/verify`, as), { as })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })

  it('does not take the silence of name servers for a removed record', async () => {
    const id = await provenDomain(app, bob, 'quiet.test')
    app.dns.set('_plumbline-challenge.quiet.test', { kind: 'unanswered', reason: 'ETIMEOUT' })
    const silent = await app.call('POST', at(`/domains/${id}/verify`, bob), { as: bob })
    expect(silent.code).toBe('UPSTREAM_TIMEOUT')
    app.clock.set(app.clock.now() + 25 * HOUR_MS)
    await runRecheck(app)
    const rows = await store.system.read((db) => db.select().from(ssoTables(db).idpDomains))
    expect(rows.find((row) => row.id === id)?.missingSinceMs).toBeNull()
    app.dns.set('_plumbline-challenge.quiet.test', { kind: 'answered', texts: [] })
    await runRecheck(app)
    const gone = await store.system.read((db) => db.select().from(ssoTables(db).idpDomains))
    expect(gone.find((row) => row.id === id)?.missingSinceMs).toBe(app.clock.now())
  })

  it('looks again at a domain that was looked at while the clock was ahead', async () => {
    const cleo = await signUp(app, 'cleo')
    const rightMs = app.clock.now()
    const id = await provenDomain(app, cleo, 'ahead.test')
    const status = async () => {
      const as = await signInAgain(app, cleo)
      const { data } = await app.call('GET', at('/domains', cleo), { as })
      return data.domains.find((each: { id: string }) => each.id === id).status
    }
    app.clock.set(rightMs + 400 * 24 * HOUR_MS)
    await runRecheck(app)
    app.dns.set('_plumbline-challenge.ahead.test', { kind: 'answered', texts: [] })
    app.clock.set(rightMs)
    expect(await status()).toBe('verified')
    expect(await runRecheck(app)).toContain('ahead.test')
    expect(await status()).toBe('missing')
    app.clock.set(rightMs + GRACE_MS)
    expect(await status()).toBe('lost')
    app.clock.set(rightMs)
  })

  it('looks at each domain, however many name servers are silent', async () => {
    const id = await provenDomain(app, await signUp(app, 'cara'), 'lost.test')
    app.dns.set('_plumbline-challenge.lost.test', { kind: 'answered', texts: [] })
    const of = (rowId: string) =>
      store.system.read(async (db) => {
        const { idpDomains: t } = ssoTables(db)
        return (await db.select().from(t).where(eq(t.id, rowId)))[0]
      })
    const lost = await of(id)
    if (lost === undefined) throw new Error('the domain is not there')
    // More than one batch, all sorted before it.
    const silent = Array.from({ length: 120 }, (_, n) => `silent-${n}.test`)
    for (const domain of silent)
      app.dns.set(`_plumbline-challenge.${domain}`, { kind: 'unanswered', reason: 'ETIMEOUT' })
    await store.system.write(async (tx) => {
      const rows = silent.map((domain, n) => ({
        ...lost,
        ...{ id: `0${String(n).padStart(4, '0')}`, domain, heldDomain: domain },
      }))
      await tx.insert(ssoTables(tx).idpDomains).values(rows)
    })
    app.clock.set(app.clock.now() + 25 * HOUR_MS)
    await runRecheck(app)
    expect((await of(id))?.missingSinceMs).toBe(app.clock.now())
    expect(await of('00119')).toMatchObject({ missingSinceMs: null, checkedAtMs: lost.checkedAtMs })
  })

  it('exports providers and domains without secrets, seals them again, purges them', async () => {
    const sections = new Set(['sso.providers', 'sso.domains'])
    const rows: unknown[] = []
    for await (const row of ssoRegistration.exportRows((run) => store.system.read(run), ann.orgId, sections))
      rows.push(row)
    expect(rows.length).toBeGreaterThan(1)
    expect(JSON.stringify(rows)).not.toContain('sealed')
    expect(
      await store.system.write((tx) => ssoRegistration.reseal?.(tx, ssoOf(app.runtime).box()) ?? Promise.resolve(0)),
    ).toBe(1)
    await store.system.write(async (tx) => {
      for (let gone = 1; gone > 0; )
        gone = await ssoRegistration.purge(tx, ann.orgId, 10, app.clock.now(), async () => undefined)
    })
    const left = await store.system.read((db) => db.select().from(ssoTables(db).identityProviders))
    expect(left.filter(({ orgId }) => orgId === ann.orgId)).toEqual([])
  })
})

describe('names of domains', () => {
  it.each([
    'com',
    'co.uk',
    'github.io',
    'gmail.com',
    'localhost',
    '127.0.0.1',
    'a..b',
    '-a.test',
    'bücher.de',
    'a_b.test',
  ])('%s is not one that an organization owns', (name) => {
    expect(() => checkedDomain(name)).toThrow(/body\/domain/)
  })
  it.each(['acme.test', 'ACME.co.uk', 'sub.acme.com', 'xn--bcher-kva.de'])('%s is', (name) => {
    expect(checkedDomain(name)).toBe(name.toLowerCase())
  })
  it('are the end of one address', () => {
    expect(domainOf("o'neil+a@Acme.TEST")).toBe('acme.test')
    const none = [
      'acme.test',
      '@acme.test',
      'a@',
      'a@acme .test',
      'a@äcme.test',
      'a@b@acme.test',
      'a@b.test,c@acme.test',
    ]
    for (const text of none) expect(domainOf(text)).toBeNull()
  })
})

it('holds a domain until 72 hours of answers lack its record, whatever happens between', () => {
  const wanted = 'plumbline-verify=t'
  const look = fc.record({
    // Clocks are set back, too.
    afterMs: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 30 * HOUR_MS }) },
      { weight: 1, arbitrary: fc.integer({ min: -200 * HOUR_MS, max: 0 }) },
    ),
    says: fc.constantFrom('there', 'gone', 'silent'),
  })
  fc.assert(
    fc.property(fc.array(look, { maxLength: 30 }), (looks) => {
      let atMs = 1
      let row = {
        verifiedAtMs: 1 as number | null,
        checkedAtMs: 1 as number | null,
        missingSinceMs: null as number | null,
      }
      // Computed in another way: the earliest of all answers without the record since the last one with it.
      let goneSince: number | null = null
      for (const { afterMs, says } of looks) {
        atMs += afterMs
        const answer: TxtAnswer =
          says === 'silent'
            ? { kind: 'unanswered', reason: 'ETIMEOUT' }
            : { kind: 'answered', texts: says === 'there' ? ['x', wanted] : [`${wanted}x`] }
        row = { ...after(row, { atMs, answer, wanted }) }
        if (says === 'there') goneSince = null
        if (says === 'gone') goneSince = Math.min(goneSince ?? atMs, atMs)
        const held = { ...row, id: '', orgId: '', domain: 'd', heldDomain: 'd', token: 't', createdAtMs: 1 }
        expect(isProven(held, atMs)).toBe(goneSince === null || Math.abs(atMs - goneSince) < GRACE_MS)
      }
    }),
    { numRuns: 300 },
  )
})
