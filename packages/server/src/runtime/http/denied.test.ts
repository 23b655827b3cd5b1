/** A refused change leaves evidence, once in ten seconds, and a refused read leaves none. */
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { type Floor, floor, ORG_A, ORG_B } from '../../../test/support/http.js'
import { jobTables } from '../jobs/tables.js'
import { permission } from '../operation/access.js'
import { changed } from '../operation/context.js'
import { command, fromHeader, none, type Operation, query } from '../operation/operation.js'
import { Uuid } from '../operation/schema.js'
import type { Store } from '../store/db.js'

const shared = {
  access: permission('pipelines:write'),
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }) },
  output: Type.Object({}),
  errors: [],
}
const operations: Operation[] = [
  query({
    ...shared,
    name: 'test.thing.get',
    summary: 'Get',
    http: { method: 'get', path: '/things/:id' },
    run: async () => ({}),
  }),
  command({
    ...shared,
    name: 'test.thing.delete',
    summary: 'Delete',
    http: { method: 'delete', path: '/things/:id' },
    audit: none('a test'),
    run: async () => changed({}),
  }),
]
const PATH = '/things/33333333-3333-7333-8333-333333333333'

await describeStores('a denial', BOTH_DATABASES, (open) => {
  let store: Store
  let http: Floor
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())
  beforeEach(async () => {
    await store.system.write(async (tx) => void (await tx.delete(jobTables(tx).auditOutbox)))
    http = floor(store, operations)
  })
  const evidence = () =>
    store.system.read(async (db) => {
      const rows = await db.select().from(jobTables(db).auditOutbox)
      return rows.map(({ event, details, orgId }) => ({
        ...event,
        orgId,
        details: JSON.parse(details ?? '{}') as unknown,
      }))
    })

  it('of a change is recorded with the template of its path and what was missing', async () => {
    expect((await http.call('DELETE', PATH, { as: 'bob', headers: { 'x-request-id': 'r1' } })).status).toBe(403)
    expect(await evidence()).toMatchObject([
      {
        action: 'authz.denied',
        actorId: 'bob',
        orgId: ORG_A,
        requestId: 'r1',
        details: { method: 'DELETE', path: '/things/:id', required: ['pipelines:write'] },
      },
    ])
  })

  it('for a foreign organization is recorded without one', async () => {
    expect((await http.call('DELETE', PATH, { as: 'bob', headers: { 'x-org-id': ORG_B } })).status).toBe(403)
    expect(await evidence()).toMatchObject([{ actorId: 'bob', orgId: null, details: { required: 'ORG_MISMATCH' } }])
  })

  it('of a read, and of somebody without a credential, is not', async () => {
    expect((await http.call('GET', PATH, { as: 'bob' })).status).toBe(403)
    expect((await http.call('DELETE', PATH, { as: null })).status).toBe(401)
    expect(await evidence()).toEqual([])
  })

  it('is recorded once in ten seconds a caller and path, with the number of those left out', async () => {
    for (let n = 0; n < 4; n++) await http.call('DELETE', PATH, { as: 'bob' })
    await http.call('DELETE', PATH, { as: 'reader' })
    expect((await evidence()).length).toBe(2)
    http.clock.advance(10_000)
    await http.call('DELETE', PATH, { as: 'bob' })
    const rows = await evidence()
    expect(rows.length).toBe(3)
    expect(rows.at(-1)).toMatchObject({ details: { suppressed: 3 } })
  })
})
