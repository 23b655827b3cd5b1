/** The floor under every operation: the order of its steps, and what each refusal looks like. */
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Floor, floor, ORG_A, ORG_B } from '../../../test/support/http.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { anyone, member, permission, signedIn, withStepUp } from '../operation/access.js'
import { changed, tenantId } from '../operation/context.js'
import { command, fromHeader, fromPath, none, noTenant, type Operation, query } from '../operation/operation.js'
import { strictObject, Uuid } from '../operation/schema.js'
import type { Store } from '../store/db.js'
import { routesOf } from './mount.js'
import { entityOf } from './read-input.js'

const Thing = strictObject({ id: Type.String(), orgId: Type.String(), revision: Type.Integer() })
const AN_ID = '33333333-3333-7333-8333-333333333333'

const operations: Operation[] = [
  query({
    name: 'test.thing.get',
    summary: 'Get a thing',
    http: { method: 'get', path: '/things/:id', aliases: ['/stuff/:id'] },
    access: permission('pipelines:read'),
    tenant: fromHeader,
    input: { path: Type.Object({ id: Uuid }) },
    output: Thing,
    errors: ['NOT_FOUND'],
    run: async (context, { path }) => ({ id: path.id, orgId: tenantId(context), revision: 3 }),
  }),
  query({
    name: 'test.thing.literal',
    summary: 'A literal beside a parameter',
    http: { method: 'get', path: '/things/all' },
    access: member(),
    tenant: fromHeader,
    input: {},
    output: Type.Object({ all: Type.Boolean() }),
    errors: [],
    run: async () => ({ all: true }),
  }),
  query({
    name: 'test.thing.find',
    summary: 'Show what a query is read as',
    http: { method: 'get', path: '/find' },
    access: signedIn(),
    tenant: noTenant,
    input: {
      query: Type.Object({
        count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
        flag: Type.Optional(Type.Boolean()),
        either: Type.Optional(Type.Union([Type.Boolean(), Type.Literal('all')])),
        many: Type.Optional(Type.Array(Type.Integer())),
      }),
    },
    output: Type.Record(Type.String(), Type.Unknown()),
    errors: [],
    run: async (_context, input) => ({ ...input.query }),
  }),
  command({
    name: 'test.thing.create',
    summary: 'Create a thing',
    http: { method: 'post', path: '/things', status: 201 },
    access: permission('pipelines:write'),
    tenant: fromHeader,
    input: { body: strictObject({ name: Type.String({ minLength: 2 }), size: Type.Optional(Type.Integer()) }) },
    output: Type.Object({ name: Type.String() }),
    errors: [],
    audit: none('a test'),
    run: async (_context, { body }) => changed({ name: body.name }),
  }),
  command({
    name: 'test.org.touch',
    summary: 'Do something to an organization',
    http: { method: 'post', path: '/orgs/:orgId/touch', status: 204 },
    access: withStepUp(member()),
    tenant: fromPath('orgId'),
    input: { path: Type.Object({ orgId: Uuid }) },
    output: null,
    errors: [],
    audit: none('a test'),
    run: async () => changed(null),
  }),
  query({
    name: 'test.thing.broken',
    summary: 'Answer something else than declared',
    http: { method: 'get', path: '/broken' },
    access: anyone(),
    tenant: noTenant,
    input: { query: Type.Object({ how: Type.Optional(Type.String()) }) },
    output: Type.Object({ ok: Type.Boolean() }),
    errors: [],
    run: async (_context, { query: { how } }) => {
      if (how === 'throw') throw new Error('SELECT secret FROM users')
      return { ok: 'yes' as unknown as boolean }
    },
  }),
]

let store: Store
let http: Floor
beforeAll(async () => {
  store = await sqliteStore()
  http = floor(store, operations)
})
afterAll(() => store.close())

const bodyOf = async (response: Response) => (await response.json()) as Record<string, never>

describe('an answer', () => {
  it('is an envelope with the headers of every answer', async () => {
    const response = await http.call('GET', `/things/${AN_ID}`, { headers: { 'x-request-id': 'mine-1' } })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      success: true,
      statusCode: 200,
      data: { id: AN_ID, orgId: ORG_A, revision: 3 },
    })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'x-api-version': '1',
      'x-request-id': 'mine-1',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    expect(response.headers.get('strict-transport-security')).toBeNull()
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('mints a request id in place of one that is not an id', async () => {
    const response = await http.call('GET', '/nowhere', { headers: { 'x-request-id': 'a b' } })
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await bodyOf(response)).toMatchObject({ success: false, statusCode: 404, code: 'NOT_FOUND' })
  })

  it('is the same with a trailing slash, under an alias, and without its body for HEAD', async () => {
    const plain = await (await http.call('GET', `/things/${AN_ID}`)).text()
    expect(await (await http.call('GET', `/things/${AN_ID}/`)).text()).toBe(plain)
    expect(await (await http.call('GET', `/stuff/${AN_ID}`)).text()).toBe(plain)
    const head = await http.call('HEAD', `/things/${AN_ID}`)
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
  })

  it('hides what went wrong inside', async () => {
    const response = await http.call('GET', '/broken?how=throw')
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('SELECT')
    expect(String(http.errors.at(-1))).toContain('SELECT')
  })

  it('is held to the declared output', async () => {
    const response = await http.call('GET', '/broken')
    expect(await bodyOf(response)).toMatchObject({ statusCode: 500, code: 'INTERNAL_ERROR' })
    expect(String(http.errors.at(-1))).toMatch(/\/data\/ok must be boolean/)
  })
})

describe('a method that the path does not have', () => {
  it('is 405 with Allow, and a literal path never falls to a parameter', async () => {
    const response = await http.call('DELETE', '/things/all')
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(await bodyOf(response)).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
    expect(await bodyOf(await http.call('GET', '/things/all'))).toMatchObject({ data: { all: true } })
  })

  it('tells OPTIONS the methods, and browsers nothing unless origins are named', async () => {
    const response = await http.call('OPTIONS', '/things', { as: null, headers: { origin: 'https://evil.example' } })
    expect(response.status).toBe(204)
    expect(response.headers.get('allow')).toBe('POST, OPTIONS')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('lets the named origins in, and any other only without credentials', async () => {
    const open = floor(store, operations, { corsOrigins: ['https://app.example', '*'] })
    const ask = async (origin: string) =>
      (await open.call('OPTIONS', '/things', { as: null, headers: { origin } })).headers
    expect((await ask('https://app.example')).get('access-control-allow-credentials')).toBe('true')
    expect((await ask('https://evil.example')).get('access-control-allow-origin')).toBe('*')
    expect((await ask('https://evil.example')).get('access-control-allow-credentials')).toBeNull()
    const answer = await open.call('GET', '/things/all', { headers: { origin: 'https://app.example' } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(answer.headers.get('vary')).toBe('Origin')
  })
})

describe('the caller', () => {
  it.each([
    [null, 'TOKEN_MISSING', 'Bearer'],
    ['nobody', 'TOKEN_INVALID', 'Bearer error="invalid_token"'],
  ])('as %s gets 401 %s', async (as, code, challenge) => {
    const response = await http.call('GET', `/things/${AN_ID}`, { as })
    expect(await bodyOf(response)).toMatchObject({ statusCode: 401, code })
    expect(response.headers.get('www-authenticate')).toBe(challenge)
  })

  it('without the permission learns that, and nothing about the body', async () => {
    const response = await http.call('POST', '/things', { as: 'bob', body: { wrong: 1 } })
    expect(await bodyOf(response)).toMatchObject({
      code: 'INSUFFICIENT_PERMISSIONS',
      details: { reason: 'permission', required: ['pipelines:write'], mode: 'all' },
    })
  })

  it('is not who headers of a gateway say', async () => {
    const headers = { 'x-user-id': 'ann', 'x-user-role': 'owner', 'x-internal-service': 'true' }
    expect((await http.call('GET', `/things/${AN_ID}`, { as: null, headers })).status).toBe(401)
    expect((await http.call('GET', `/things/${AN_ID}`, { as: 'bob', headers })).status).toBe(403)
  })

  it('names a tenant by id or slug, and only one of their own', async () => {
    const orgOf = async (header: string) =>
      (await bodyOf(await http.call('GET', `/things/${AN_ID}`, { headers: { 'x-org-id': header } }))) as unknown
    expect(await orgOf(' A ')).toMatchObject({ data: { orgId: ORG_A } })
    expect(await orgOf(ORG_B)).toMatchObject({ statusCode: 403, code: 'ORG_MISMATCH' })
    expect(await orgOf(`${ORG_A}, ${ORG_A}`)).toMatchObject({ statusCode: 403, code: 'ORG_MISMATCH' })
  })

  it('names a tenant in the address of a read, which has no header; the header goes first, and a change has none', async () => {
    const get = async (query: string, headers: Record<string, string> = {}) =>
      (await bodyOf(await http.call('GET', `/things/${AN_ID}?${query}`, { headers }))) as unknown
    expect(await get('org=a')).toMatchObject({ data: { orgId: ORG_A } })
    expect(await get(`org=${ORG_B}`)).toMatchObject({ statusCode: 403, code: 'ORG_MISMATCH' })
    expect(await get(`org=${ORG_B}`, { 'x-org-id': ORG_A })).toMatchObject({ data: { orgId: ORG_A } })
    expect(await get('org=a', { 'x-org-id': ORG_B })).toMatchObject({ code: 'ORG_MISMATCH' })
    const made = (query: string) => http.call('POST', `/things${query}`, { body: { name: 'x' } })
    expect((await made(`?org=${ORG_B}`)).status).toBe((await made('')).status)
  })

  it('gets the same 404 for a foreign organization in the path and for none', async () => {
    const ask = async (id: string) =>
      (await http.call('POST', `/orgs/${id}/touch`, { headers: { 'x-request-id': 'r' } })).text()
    expect(await ask(ORG_B)).toBe(await ask('99999999-9999-7999-8999-999999999999'))
  })

  it('confirms who they are where the operation asks for it, once a token', async () => {
    const touch = (token?: string) =>
      http.call('POST', `/orgs/${ORG_A}/touch`, token === undefined ? {} : { headers: { 'x-step-up-token': token } })
    const missing = await touch()
    expect(await bodyOf(missing)).toMatchObject({ statusCode: 401, code: 'STEP_UP_REQUIRED' })
    expect(missing.headers.get('www-authenticate')).toContain('insufficient_user_authentication')
    expect((await touch('once')).status).toBe(204)
    expect(await bodyOf(await touch('once'))).toMatchObject({ code: 'STEP_UP_REPLAY' })
  })

  it('who may read only cannot change anything', async () => {
    const response = await http.call('POST', `/orgs/${ORG_A}/touch`, { as: 'reader' })
    expect(await bodyOf(response)).toMatchObject({ statusCode: 403, code: 'READ_ONLY_SESSION' })
  })
})

describe('the input', () => {
  it('is refused with every problem at once', async () => {
    const response = await http.call('POST', '/things', { body: { name: 'x', size: '1', role: 'owner' } })
    expect(response.status).toBe(400)
    const { details } = (await bodyOf(response)) as unknown as { details: { issues: { path: string; code: string }[] } }
    expect(details.issues.map(({ path, code }) => `${path} ${code}`).sort()).toEqual([
      '/body/name minLength',
      '/body/role unknown_field',
      '/body/size type',
    ])
  })

  it.each([
    ['no JSON', '{', 'application/json', 400],
    ['another type', 'name=x', 'application/x-www-form-urlencoded', 415],
    ['no type', '{"name":"xy"}', '', 415],
    ['too much', JSON.stringify({ name: 'x'.repeat(1_048_577) }), 'application/json', 413],
    ['JSON with parameters', '{"name":"xy"}', 'application/json; charset=utf-8', 201],
  ])('of %s answers with its status', async (_what, body, type, status) => {
    const headers = { authorization: 'Bearer ann', 'content-type': type }
    expect((await http.app.request('/api/things', { method: 'POST', headers, body })).status).toBe(status)
  })

  it.each(['__proto__', '\\u005f_proto__'])(
    'with the key %s is refused before any schema, however deep it is',
    async (key) => {
      for (const body of [`{"name":"xy","${key}":{"a":1}}`, `{"name":"xy","other":[{"${key}":null}]}`]) {
        const headers = { authorization: 'Bearer ann', 'content-type': 'application/json' }
        const answer = await http.app.request('/api/things', { method: 'POST', headers, body })
        const { details } = (await answer.json()) as { details: unknown }
        expect([answer.status, details]).toEqual([
          400,
          { issues: [{ path: '/body', message: 'contains the key `__proto__`', code: 'unsafe_key' }] },
        ])
      }
    },
  )

  it('that announces too much is refused unread', async () => {
    let isRead = false
    const body = new ReadableStream(
      {
        pull() {
          isRead = true
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { authorization: 'Bearer ann', 'content-type': 'application/json', 'content-length': '9999999' }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    expect((await http.app.request('/api/things', init)).status).toBe(413)
    expect(isRead).toBe(false)
  })

  it('may lack a body when nothing in it is required, not otherwise', async () => {
    expect(await bodyOf(await http.call('POST', '/things'))).toMatchObject({
      statusCode: 400,
      details: { issues: [{ path: '/body', code: 'required' }] },
    })
  })

  it('of a query is turned into its types, and unknown names are ignored', async () => {
    const response = await http.call('GET', '/find?count=3&flag=false&either=all&many=1,2&many=3&toString=1&other=1')
    expect(await bodyOf(response)).toMatchObject({ data: { count: 3, flag: false, either: 'all', many: [1, 2, 3] } })
    expect(Object.keys((await bodyOf(await http.call('GET', '/find?x=1')))['data'] as unknown as object)).toEqual([])
  })

  it.each(['count=x', 'count=1.5', 'count=', 'count=0', 'flag=1', 'flag=TRUE', 'count=1&count=2', 'either=no'])(
    'of the query %s is 400',
    async (text) => {
      expect((await http.call('GET', `/find?${text}`)).status).toBe(400)
    },
  )

  it('with an id that no record can have is 404 for a look-up', async () => {
    expect(await bodyOf(await http.call('GET', '/things/nope'))).toMatchObject({
      code: 'NOT_FOUND',
      message: 'Thing not found: the id in the path is not a UUID',
    })
  })

  it('names the kind of record that the id is of', () => {
    const at = (path: `/${string}`, name: `${string}.${string}.${string}`, parameter = 'id') =>
      entityOf({ name, http: { method: 'get', path } }, parameter)
    expect(at('/pipelines/:id', 'pipeline.pipeline.get')).toBe('Pipeline')
    expect(at('/pipelines/:id/scorecard', 'reporting.scorecard.get')).toBe('Pipeline')
    expect(at('/compliance/policies/:id/diff', 'compliance.policy.diff')).toBe('Policy')
    expect(at('/a/:id/discounts/:discountId', 'billing.discount.remove', 'discountId')).toBe('Discount')
  })
})

it('two operations on one method and path do not start', () => {
  const twice = [operations[0] as Operation, { ...(operations[0] as Operation), name: 'test.thing.other' } as Operation]
  expect(() => routesOf(twice)).toThrow(/test.thing.other and test.thing.get both answer get/)
})
