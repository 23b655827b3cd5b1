/**
 * `GET /compliance/inventory`: the records that a scan reads, of the own organization, page by page, for callers who
 * may read them.
 */
import { beforeAll, expect, it } from 'vitest'
import { memberOf, recordKey, signUp } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { type SignedIn, stepUp } from '../../../test/support/sign-in.js'

await describeCompliance('inventory', { stores: WITH_POSTGRESQL }, (kit) => {
  let ann: SignedIn
  let bob: SignedIn
  const put = ({ orgId }: SignedIn, at: number, attributes: object) => {
    const id = `01a16d23-b8a0-77a1-8c31-${String(at).padStart(12, '0')}`
    const entity = { id, name: `plugin-${at}`, revision: 1, attributes: { name: `plugin-${at}`, ...attributes } }
    kit.inventory.set(recordKey(orgId, 'plugin', id), entity)
    return id
  }
  beforeAll(async () => {
    ann = await signUp(kit.app, 'ann')
    bob = await signUp(kit.app, 'bob')
    for (let at = 1; at <= 7; at++) put(ann, at, { version: `${at}.0.0` })
    put(bob, 90, { version: '1.0.0' })
  })
  const read = (as: SignedIn, query = '?target=plugin') => kit.call(as, 'GET', `/inventory${query}`)
  const names = ({ data }: Awaited<ReturnType<typeof read>>): string[] =>
    data.entities.map(({ name }: { name: string }) => name)

  it('answers the attributes that a rule reads, of the own records alone', async () => {
    const answer = await read(ann)
    expect(answer.status).toBe(200)
    expect(answer.data.entities[0]).toMatchObject({ target: 'plugin', attributes: { version: '1.0.0' } })
    expect(answer.data.pagination).toEqual({ total: 7, limit: 10, offset: 0, hasMore: false })
    expect(names(await read(bob))).toEqual(['plugin-90'])
    expect((await read(ann, '?target=pipeline')).data.pagination.total).toBe(0)
  })

  it('is paged in either order, and filtered by name', async () => {
    const pages: string[] = []
    for (const offset of [0, 3, 6]) pages.push(...names(await read(ann, `?target=plugin&limit=3&offset=${offset}`)))
    expect(pages).toEqual([1, 2, 3, 4, 5, 6, 7].map((at) => `plugin-${at}`))
    expect(names(await read(ann, '?target=plugin&limit=2&sortOrder=desc'))).toEqual(['plugin-7', 'plugin-6'])
    expect(names(await read(ann, '?target=plugin&name=IN-3'))).toEqual(['plugin-3'])
    expect((await read(ann, '')).status).toBe(400)
  })

  it('is not sent again while it is the same', async () => {
    const etag = (await read(ann)).headers.get('etag') ?? ''
    const again = () =>
      kit.call(ann, 'GET', '/inventory?target=plugin', undefined, { headers: { 'if-none-match': etag } })
    expect((await again()).status).toBe(304)
    put(ann, 3, { version: '3.0.1' })
    expect((await again()).status).toBe(200)
  })

  it('is for those who may read rules, plugins and pipelines', async () => {
    const cay = await memberOf(kit, ann, 'cay', ['Member'])
    expect((await read(cay)).status).toBe(200)
    const token = await kit.app.call('POST', '/auth/pats', {
      as: cay,
      headers: await stepUp(kit.app, cay),
      body: { name: 'narrow', permissions: ['compliance:read', 'plugins:read'], organizationId: ann.orgId },
    })
    expect((await kit.call(token.data.token, 'GET', '/inventory?target=plugin')).code).toBe('INSUFFICIENT_PERMISSIONS')
  })

  it('ends a page whose attributes are long, and goes on behind it', async () => {
    const dot = await signUp(kit.app, 'dot')
    for (let at = 1; at <= 4; at++) put(dot, at, { notes: 'x'.repeat(3 * 1024 ** 2) })
    const first = await read(dot)
    expect([names(first).length, first.data.pagination.hasMore]).toEqual([2, true])
    expect(names(await read(dot, '?target=plugin&offset=2'))).toEqual(['plugin-3', 'plugin-4'])
  })

  it('says what an edit of a rule moves, and refuses another target', async () => {
    const rule = { name: 'early', target: 'plugin', field: 'version', operator: 'in', value: ['1.0.0', '2.0.0'] }
    const made = await kit.call(ann, 'POST', '/rules', rule)
    const before = made.data.rule.id
    const impact = (body: object) => kit.call(ann, 'POST', '/subscriptions/preview/impact', body)
    const edit = await impact({ rule: { ...rule, value: ['2.0.0', '4.0.0'] }, before })
    expect(edit.data).toMatchObject({
      total: 7,
      wouldFail: 5,
      newlyFailing: { total: 1, samples: [{ entityName: 'plugin-1' }] },
      newlyPassing: { total: 1, samples: [{ entityName: 'plugin-4' }] },
    })
    expect((await impact({ rule })).data).not.toHaveProperty('newlyFailing')
    expect((await impact({ rule: { ...rule, target: 'pipeline' }, before })).code).toBe('VALIDATION_ERROR')
    expect((await impact({ ruleId: before, before })).code).toBe('VALIDATION_ERROR')
    const hidden = await kit.call(bob, 'POST', '/subscriptions/preview/impact', { rule, before })
    expect(hidden.status).toBe(404)
  })
})
