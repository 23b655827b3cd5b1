/** Bad input for setup, sign-in and directories, row by row: each answer has a code, the field and a way out. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../test/support/describe-stores.js'
import { began, came, type HostileProvider, hostileProvider, withProvider } from '../../test/support/oidc.js'
import { confirmed, enrol, giveCustomRole } from '../../test/support/organizations.js'
import { type Directory, directoryOf } from '../../test/support/scim.js'
import { type Answer, type SignedIn, signUp, verifyAddress } from '../../test/support/sign-in.js'
import { provenDomain, type SsoApp, ssoApp } from '../../test/support/sso.js'
import type { Store } from '../runtime/store/db.js'

const NOBODY = '99999999-9999-7999-8999-999999999999'

interface Row {
  readonly call: readonly [method: string, path: string, body?: object]
  readonly as?: SignedIn
  readonly status?: number
  readonly code?: string
  readonly field?: string
  readonly says: RegExp
}

await describeStores('bad input of sign-on', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: SsoApp
  let idp: HostileProvider
  let ann: SignedIn
  let kim: SignedIn
  let eva: SignedIn
  let dan: SignedIn
  let directory: Directory
  let [idpId, theirs, admins, taken] = ['', '', '', '']
  beforeAll(async () => {
    store = await open()
    idp = await hostileProvider()
    app = await ssoApp(store, { startMs: Date.now(), settings: { IDP_ALLOWED_ORIGINS: idp.issuer } })
    ann = await signUp(app, 'ann')
    eva = await signUp(app, 'eva')
    dan = await signUp(app, 'dan')
    for (const { userId } of [ann, eva]) await verifyAddress(app, userId)
    await provenDomain(app, ann, 'acme.test')
    idpId = await withProvider(app, ann, idp.issuer, { groupsClaim: 'groups' })
    theirs = await withProvider(app, eva, idp.issuer)
    const added = await confirmed(app, 'POST', `/organization/${eva.orgId}/domains`, {
      as: eva,
      body: { domain: 'acme.test' },
    })
    const { id, record } = added.data.domain
    taken = id
    const known = app.dns.get(record.name)
    const texts = known?.kind === 'answered' ? known.texts : []
    app.dns.set(record.name, { kind: 'answered', texts: [...texts, record.value] })
    directory = await directoryOf(app, 'dora', 'beta.test')
    kim = await enrol(app, await signUp(app, 'kim'), ann.orgId, [])
    await giveCustomRole(app, ann.orgId, kim.userId, ['org:idp', 'org:settings'])
    const roles = await app.call('GET', `/organization/${ann.orgId}/roles`, { as: ann })
    admins = roles.data.roles.find(({ name }: { name: string }) => name === 'Admin').id
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await idp.close()
    await store.close()
  })

  const domain = (name: string, says: RegExp): Row => ({
    call: ['POST', `/organization/${ann.orgId}/domains`, { domain: name }],
    field: '/body/domain',
    says,
  })
  const issuer = (address: string, says: RegExp): Row => ({
    call: ['PATCH', `/organization/${ann.orgId}/idp`, { issuer: address }],
    field: '/body/issuer',
    says,
  })

  const rows = (): Readonly<Record<string, Row>> => ({
    'an issuer without TLS': issuer('http://login.acme.test', /https:\/\/; .*IDP_ALLOWED_ORIGINS/),
    'an issuer at a private address': issuer('https://10.0.0.1', /not public; .*IDP_ALLOWED_ORIGINS/),
    'an issuer that is the metadata of a cloud': issuer('https://169.254.169.254', /not public/),
    'a secret with the line break that was copied with it': {
      call: ['PATCH', `/organization/${ann.orgId}/idp`, { clientSecret: 'of-acme\n' }],
      field: '/body/clientSecret',
      says: /without a line break .*: remove the line break that was copied with it/,
    },
    'a secret with a control character': {
      call: [
        'POST',
        `/organization/${eva.orgId}/idps`,
        { issuer: idp.issuer, clientId: 'c', clientSecret: 'of\u0007eva' },
      ],
      as: eva,
      field: '/body/clientSecret',
      says: /control character/,
    },
    'a public suffix': domain('co.uk', /public suffix, .*: send the domain that is yours/),
    'a domain of free mailboxes': domain('gmail.com', /free mailboxes, .*: invite their people/),
    'no domain': domain('localhost', /such as `example.com`/),
    'an IP address for a domain': domain('127.0.0.1', /must be a domain .*such as `example.com`/),
    'a domain that the organization has': {
      call: ['POST', `/organization/${ann.orgId}/domains`, { domain: 'acme.test' }],
      status: 409,
      code: 'DUPLICATE_ENTRY',
      says: /has this domain: verify it, or delete it/,
    },
    'a domain that another proved': {
      call: ['POST', `/organization/${eva.orgId}/domains/${taken}/verify`],
      as: eva,
      status: 409,
      code: 'CONFLICT',
      says: /its record must be removed first/,
    },
    'a test without a provider': {
      call: ['POST', `/organization/${dan.orgId}/idp/test`],
      as: dan,
      status: 404,
      code: 'NOT_FOUND',
      says: /has no identity provider: set one up \(`PUT \/organization\/:id\/idp`\)/,
    },
    'the domain of another organization': {
      call: ['POST', `/organization/${ann.orgId}/domains/${taken}/verify`],
      status: 404,
      code: 'NOT_FOUND',
      says: /Domain/,
    },
    'a group for a Role beyond the ceiling': {
      call: ['PUT', `/organization/${ann.orgId}/idps/${idpId}/groups`, { groups: [{ name: 'a', roleIds: [admins] }] }],
      as: kim,
      status: 403,
      code: 'INSUFFICIENT_PERMISSIONS',
      says: /ceiling/,
    },
    'a group for a Role that is not there': {
      call: ['PUT', `/organization/${ann.orgId}/idps/${idpId}/groups`, { groups: [{ name: 'a', roleIds: [NOBODY] }] }],
      field: '/body/groups',
      says: /./,
    },
    'enforcing what was not tried': {
      call: ['PUT', `/organization/${ann.orgId}/idp/enforcement`, { enforced: true }],
      status: 409,
      code: 'CONFLICT',
      says: /"missing":\["test"/,
    },
  })

  it('is answered with a code, the field and a way out while it is set up', async () => {
    const wrong: object[] = []
    for (const [name, row] of Object.entries(rows())) {
      const { call, as = ann, status = 400, code = 'VALIDATION_ERROR', field, says } = row
      const [method, path, body] = call
      const answer = await confirmed(app, method, path, { as, ...(body === undefined ? {} : { body }) })
      const named = field === undefined || String(answer.body.details?.issues?.[0]?.path).startsWith(field)
      const isRight = answer.status === status && answer.code === code && says.test(JSON.stringify(answer.body))
      if (!isRight || !named) wrong.push({ [name]: answer.body })
    }
    expect(wrong).toEqual([])
  })

  it.each([
    ['no issuer', { issuer: undefined }, 'issuer', /names no `issuer`: the provider must publish it/],
    ['another issuer', { issuer: 'https://other.test' }, 'issuer', /another issuer: set `issuer` to the value/],
    ['no endpoint', { token_endpoint: undefined }, 'token_endpoint', /names no `token_endpoint`/],
    ['a private endpoint', { token_endpoint: 'https://10.0.0.1/t' }, 'token_endpoint', /not public; .*IDP_ALLOWED_OR/],
    ['a private page', { authorization_endpoint: 'http://a.test/' }, 'authorization_endpoint', /https:\/\/; .*IDP_ALL/],
    ['keys of a private place', { jwks_uri: 'https://127.0.0.2/jwks' }, 'jwks_uri', /not public; .*IDP_ALLOWED_/],
    ['keys that are none', { jwks_uri: 'ISSUER/.well-known/x' }, 'jwks_uri', /leads to no keys/],
    ['keys of no port', { jwks_uri: 'ISSUER/refuses' }, 'jwks_uri', /status 500/],
  ])('says before a test which metadata are wrong, and the way out: %s', async (_, metadata, field, says) => {
    idp.metadata = JSON.parse(JSON.stringify(metadata).replace('ISSUER', idp.issuer))
    for (const [name, value] of Object.entries(metadata)) if (value === undefined) idp.metadata[name] = undefined
    idp.say = async () => new Response('no', { status: 500 })
    const test = () => app.call('POST', `/organization/${ann.orgId}/idp/test`, { as: ann })
    const answer = await test()
    expect([answer.status, answer.code, answer.body.details]).toEqual([503, 'PROVIDER_UNAVAILABLE', { field }])
    expect(answer.body.message).toMatch(says)
    expect(answer.body.message).not.toContain('other.test')
    idp.metadata = {}
    idp.say = async ({ sign }) => sign({})
    expect((await test()).status).toBe(200)
  })

  it('refuses a state that is missing, unknown, used, old, of another browser, address or revision', async () => {
    const good = async () => {
      const { cookie, state, url } = await began(app, ann.orgId)
      idp.nonce = url.searchParams.get('nonce') ?? ''
      return { cookie, state, body: { state, code: 'c', iss: idp.issuer } }
    }
    const missing = await came(app, idpId, (await good()).cookie, { code: 'c' })
    expect([missing.status, missing.body.details.issues[0].path]).toEqual([400, '/body/state'])
    const refused = (answer: Answer) => expect([answer.status, answer.code]).toEqual([403, 'SSO_REFUSED'])
    const one = await good()
    const other = await good()
    refused(await came(app, idpId, one.cookie, { ...one.body, state: 'u'.repeat(43) }))
    refused(await came(app, idpId, other.cookie, one.body))
    refused(await came(app, idpId, null, one.body))
    refused(await came(app, theirs, one.cookie, one.body))
    const late = await good()
    app.clock.set(app.clock.now() + 600_001)
    refused(await came(app, idpId, late.cookie, late.body))
    app.clock.set(Date.now())
    const changed = await good()
    await confirmed(app, 'PATCH', `/organization/${ann.orgId}/idp`, { as: ann, body: { sessionHours: 9 } })
    refused(await came(app, idpId, changed.cookie, changed.body))
    idp.metadata = { issuer: undefined }
    refused(await came(app, idpId, (await good().catch(() => one)).cookie, one.body))
    idp.metadata = {}
  })

  it('of a directory is answered in its own errors, and nothing happens', async () => {
    const { call, patch, user } = directory
    const { id } = (await user('wim')).body
    const query = (filter: string) => call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    const answers = {
      'an unknown attribute': await call('POST', '/Users', { userName: 'x@beta.test', favouriteColour: 'red' }),
      'a foreign domain': await call('POST', '/Users', { userName: 'x@acme.test' }),
      'a filter of 2,000 characters': await query(`userName eq "${'x'.repeat(2000)}"`),
      'a path into a prototype': await patch(`/Users/${id}`, { op: 'replace', path: '__proto__.a', value: 1 }),
      'an id that is replaced': await patch(`/Users/${id}`, { op: 'replace', path: 'id', value: 'x' }),
      'a foreign id': await call('GET', `/Users/${NOBODY}`),
    }
    expect(Object.entries(answers).map(([name, { status, body }]) => [name, status, body.scimType])).toEqual([
      ['an unknown attribute', 400, 'invalidPath'],
      ['a foreign domain', 400, 'invalidValue'],
      ['a filter of 2,000 characters', 400, 'invalidFilter'],
      ['a path into a prototype', 400, 'invalidPath'],
      ['an id that is replaced', 400, 'mutability'],
      ['a foreign id', 404, undefined],
    ])
    for (const [name, { body }] of Object.entries(answers)) expect(body.detail, name).toMatch(/[a-z]/)
    expect(answers['an unknown attribute'].body.detail).toContain('leave it out of the mapping of the directory')
  })
})
