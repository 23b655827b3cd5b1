/** Entity tags, conditions on them, and the server's own fields sent back. */
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Floor, floor, ORG_A } from '../../../test/support/http.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { member } from '../operation/access.js'
import { changed, unchanged } from '../operation/context.js'
import { command, fromHeader, none, type Operation, query } from '../operation/operation.js'
import { Pagination, strictObject } from '../operation/schema.js'
import type { Store } from '../store/db.js'

const Thing = Type.Object({
  id: Type.String(),
  name: Type.String(),
  revision: Type.Integer(),
  token: Type.Optional(Type.String()),
})
let thing = { id: 't', name: 'first', revision: 1 }

const shared = { access: member(), tenant: fromHeader, errors: [] as const }
const update = (more: object): Operation =>
  ({
    ...command({
      ...shared,
      name: 'test.thing.update',
      summary: 'Update the thing',
      http: { method: 'put', path: '/thing' },
      input: { body: strictObject({ name: Type.String() }) },
      output: Thing,
      audit: none('a test'),
      serverOwned: ['id', 'revision', 'createdBy'],
      run: async (context, { body }) => {
        context.checkRevision(thing.revision)
        context.checkServerOwned(thing)
        if (body.name === thing.name) return unchanged(thing)
        thing = { ...thing, ...body, revision: thing.revision + 1 }
        return changed(thing)
      },
    }),
    ...more,
  }) as Operation

const operations: Operation[] = [
  query({
    ...shared,
    name: 'test.thing.get',
    summary: 'Get the thing',
    http: { method: 'get', path: '/thing' },
    input: {},
    output: Thing,
    run: async () => thing,
  }),
  query({
    ...shared,
    name: 'test.thing.list',
    summary: 'List things',
    http: { method: 'get', path: '/things' },
    input: {},
    output: Type.Object({ things: Type.Array(Thing), pagination: Pagination }),
    run: async () => ({ things: [thing], pagination: { total: 1, limit: 10, offset: 0, hasMore: false } }),
  }),
  query({
    ...shared,
    name: 'test.thing.wrapped',
    summary: 'Get the thing under its name',
    http: { method: 'get', path: '/wrapped' },
    input: {},
    output: Type.Object({ thing: Thing, count: Type.Integer() }),
    run: async () => ({ thing, count: 1 }),
  }),
  query({
    ...shared,
    name: 'test.thing.pair',
    summary: 'Get two things',
    http: { method: 'get', path: '/pair' },
    input: {},
    output: Type.Object({ first: Thing, second: Thing }),
    run: async () => ({ first: thing, second: thing }),
  }),
  query({
    ...shared,
    name: 'test.secret.get',
    summary: 'Get a secret',
    http: { method: 'get', path: '/secret' },
    input: {},
    output: Thing,
    secretOutput: true,
    run: async () => ({ ...thing, token: 'x' }),
  }),
  update({}),
  update({
    name: 'test.thing.careless',
    http: { method: 'put', path: '/careless' },
    run: async () => changed(thing),
  }),
]

let store: Store
let http: Floor
beforeAll(async () => {
  store = await sqliteStore()
  http = floor(store, operations)
})
afterAll(() => store.close())
beforeEach(() => {
  thing = { id: 't', name: 'first', revision: 1 }
})

const get = (path: string, headers = {}) => http.call('GET', path, { headers })
const put = (body: object, headers = {}, path = '/thing') => http.call('PUT', path, { body, headers })

describe('an ETag', () => {
  it('of a record is strong and holds the revision; of a list it is weak; a secret has none', async () => {
    expect((await get('/thing')).headers.get('etag')).toMatch(/^"1\.[\w-]{12}"$/)
    expect((await get('/things')).headers.get('etag')).toMatch(/^W\/"[\w-]{12}"$/)
    const secret = await get('/secret')
    expect(secret.headers.get('etag')).toBeNull()
    expect(secret.headers.get('cache-control')).toBe('no-store')
  })

  it('holds the revision of a record that stands under its name, unless there are two', async () => {
    const etag = (await get('/wrapped')).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"1\.[\w-]{12}"$/)
    expect((await put({ name: 'second' }, { 'if-match': etag })).status).toBe(200)
    expect((await put({ name: 'third' }, { 'if-match': etag })).status).toBe(412)
    expect((await get('/pair')).headers.get('etag')).toMatch(/^W\//)
  })

  it('of the answer to a change is that of the next read', async () => {
    const changedTag = (await put({ name: 'second' })).headers.get('etag')
    expect(changedTag).toMatch(/^"2\./)
    expect((await get('/thing')).headers.get('etag')).toBe(changedTag)
  })

  it.each(['/thing', '/things'])('sent back for %s gives 304 without a body until something changes', async (path) => {
    const etag = (await get(path)).headers.get('etag') ?? ''
    for (const tag of [etag, `"other", ${etag}`, '*', `W/${etag.replace('W/', '')}`]) {
      const same = await get(path, { 'if-none-match': tag })
      expect([tag, same.status, await same.text()]).toEqual([tag, 304, ''])
      expect(same.headers.get('etag')).toBe(etag)
    }
    thing = { ...thing, name: 'other content, same revision' }
    expect((await get(path, { 'if-none-match': etag })).status).toBe(200)
  })
})

describe('If-Match', () => {
  it.each(['1', '"1"', '"1.abcdefabcdef"', '*'])('%s lets the change through', async (tag) => {
    expect((await put({ name: 'second' }, { 'if-match': tag })).status).toBe(200)
  })

  it.each(['2', '"0.abcdefabcdef"'])('%s is 412 and changes nothing', async (tag) => {
    const response = await put({ name: 'second' }, { 'if-match': tag })
    expect(await response.json()).toMatchObject({
      statusCode: 412,
      code: 'PRECONDITION_FAILED',
      details: { revision: 1 },
    })
    expect(thing.name).toBe('first')
  })

  it.each(['W/"1.a"', 'one', '"1", "2"', ''])('%j is not a strong tag of a record: 400', async (tag) => {
    expect((await put({ name: 'second' }, { 'if-match': tag })).status).toBe(400)
  })

  it('on what compares no revision is refused instead of ignored', async () => {
    expect((await put({ name: 'x' }, { 'if-match': '1' }, '/careless')).status).toBe(412)
    expect((await put({ name: 'x' }, {}, '/careless')).status).toBe(200)
  })
})

describe('fields of the server', () => {
  it('may come back as they are stored', async () => {
    expect((await put({ id: 't', revision: 1, name: 'second' })).status).toBe(200)
  })

  it('with other values are refused by name, all of them', async () => {
    const response = await put({ id: 'u', revision: 9, name: 'second', createdBy: 'me' })
    const { details } = (await response.json()) as { details: { issues: { path: string }[] } }
    expect(response.status).toBe(400)
    expect(details.issues.map(({ path }) => path)).toEqual(['/body/id', '/body/revision', '/body/createdBy'])
    expect(thing.name).toBe('first')
  })

  it('that are not of this record are unknown fields', async () => {
    expect((await put({ name: 'second', orgId: ORG_A })).status).toBe(400)
  })

  it('must be compared by the operation that takes them', async () => {
    expect((await put({ name: 'x', id: 'anything' }, {}, '/careless')).status).toBe(500)
    expect(String(http.errors.at(-1))).toContain('did not call checkServerOwned')
  })
})
