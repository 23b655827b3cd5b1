/**
 * Goal: when a text matches some thousands of records, the total is counted from the matches and equals that of a scan
 * of the list. Method: more records than are fetched by id, some of them inactive, deleted or of another organization;
 * each answer is compared with one that the test counts; and the query plan of the count.
 */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { body, pipelineApp } from '../../../test/support/pipelines.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { besideOf } from '../../runtime/records/index-tables.js'
import { scopeOf } from '../../runtime/store/search.js'
import type { SqliteStore } from '../../runtime/store/sqlite.js'
import { pipelineTables } from '../tables.js'

const MATCHING = 5000

let store: SqliteStore
let app: IdentityApp
let ada: SignedIn
beforeAll(async () => {
  store = await sqliteStore()
  ;({ app } = await pipelineApp(store))
  ada = await signUp(app, 'ada')
  const eve = await signUp(app, 'eve')
  const made = await app.call('POST', '/pipelines', { as: ada, body: body('first') })
  await store.system.write(async (tx) => {
    const { pipelines: t, pipelineSearch } = pipelineTables(tx)
    const [like] = await tx.select().from(t).where(sql`${t.id} = ${made.data.pipeline.id}`)
    if (like === undefined) throw new Error('no pipeline')
    for (let first = 0; first < MATCHING; first += 100) {
      const rows = Array.from({ length: 100 }, (_, at) => {
        const n = first + at
        const id = app.runtime.ids.next()
        return {
          ...like,
          id,
          orgId: n % 50 === 0 ? eve.orgId : ada.orgId,
          projectKey: `p${n}`,
          defaultKey: null,
          pipelineName: `dense-${n}`,
          nameKey: `dense-${n}`,
          isActive: n % 10 !== 3,
          lifecycle: n % 5 === 2 ? 'deprecated' : 'production',
          accessModifier: n % 7 === 0 ? 'public' : 'private',
          // In another order than the texts were stored, and with ties.
          createdAtMs: like.createdAtMs + createdAt(n),
        }
      })
      await tx.insert(t).values(rows)
      await tx.insert(pipelineSearch).values(
        rows.map((row) => ({
          entityId: row.id,
          ...besideOf(row),
          // Eve's texts too, as if the digests of the two organizations were equal.
          scope: scopeOf(ada.orgId),
          title: row.nameKey,
          body: 'dense',
        })),
      )
    }
  })
})
afterAll(() => store.close())

const createdAt = (n: number): number => Math.floor(((n * 7919) % MATCHING) / 2)

const own = (is: (n: number) => boolean) =>
  Array.from({ length: MATCHING }, (_, n) => n).filter((n) => n % 50 !== 0 && is(n))

it.each([
  ['q=dense', (n: number) => n % 10 !== 3],
  ['pipelineName=dense~', (n: number) => n % 10 !== 3],
  ['q=dense&isActive=all', () => true],
  ['q=dense&isActive=false', (n: number) => n % 10 === 3],
  ['q=dense&lifecycle=deprecated', (n: number) => n % 5 === 2 && n % 10 !== 3],
  ['q=dense&pipelineName=dense-1~', (n: number) => n % 10 !== 3 && String(n).startsWith('1')],
  ['q=dense&sortBy=pipelineName', (n: number) => n % 10 !== 3],
  ['q=dense&isDefault=true', () => false],
] as const)('%s', async (query, is) => {
  const { pipelines, pagination } = (await app.call('GET', `/pipelines?limit=20&${query}`, { as: ada })).data
  const expected = own(is)
  expect(pagination.total).toBe(expected.length)
  const newest = query.includes('sortBy')
    ? expected
        .map((n) => `dense-${n}`)
        .sort()
        .reverse()
    : expected.sort(newestFirst).map((n) => `dense-${n}`)
  expect(namesOf(pipelines)).toEqual(newest.slice(0, 20))
})

/** Ids increase with the number, so of two records of one instant the one with the higher number is newer. */
const newestFirst = (a: number, b: number): number => createdAt(b) - createdAt(a) || b - a
const namesOf = (pipelines: readonly { readonly pipelineName: string }[]) =>
  pipelines.map(({ pipelineName }) => pipelineName)

it.each([
  ['q=dense', 1000, (n: number) => n % 10 !== 3],
  ['q=dense', 390, (n: number) => n % 10 !== 3],
  ['q=dense&sortOrder=asc', 1000, (n: number) => n % 10 !== 3],
  ['q=dense&isActive=all', 4890, () => true],
  ['q=dense&isActive=false', 450, (n: number) => n % 10 === 3],
  ['pipelineName=dense~', 1000, (n: number) => n % 10 !== 3],
  ['q=dense&lifecycle=deprecated', 450, (n: number) => n % 5 === 2 && n % 10 !== 3],
  ['q=dense&sortBy=pipelineName', 1000, (n: number) => n % 10 !== 3],
] as const)('%s, from row %i on', async (query, offset, is) => {
  const { pipelines } = (await app.call('GET', `/pipelines?limit=50&offset=${offset}&${query}`, { as: ada })).data
  const byName = (a: number, b: number) => (`dense-${b}` < `dense-${a}` ? -1 : 1)
  const order = query.includes('sortBy') ? byName : newestFirst
  const expected = own(is)
    .sort(query.includes('asc') ? (a, b) => order(b, a) : order)
    .slice(offset, offset + 50)
    .map((n) => `dense-${n}`)
  expect(expected.length).toBeGreaterThan(0)
  expect(namesOf(pipelines)).toEqual(expected)
})

it('shows a team what its parent shares, deep in the list too', async () => {
  const body = { name: 'Team', parentOrgId: ada.orgId }
  const made = await app.call('POST', '/organization', { as: ada, headers: { 'x-org-id': ada.orgId }, body })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const headers = { 'x-org-id': made.data.organization.id }
  const path = '/pipelines?limit=50&offset=450&q=dense'
  const { pipelines, pagination } = (await app.call('GET', path, { as: ada, headers })).data
  const expected = own((n) => n % 7 === 0 && n % 10 !== 3).sort(newestFirst)
  expect(pagination.total).toBe(expected.length)
  expect(namesOf(pipelines)).toEqual(expected.slice(450, 500).map((n) => `dense-${n}`))
})

it('is counted from the index of texts, and each match by its id', async () => {
  const asked: string[] = []
  const { prepare } = store.writer.constructor.prototype as { prepare(text: string): unknown }
  const prototype = store.writer.constructor.prototype as { prepare(text: string): unknown }
  prototype.prepare = function (text: string) {
    asked.push(text)
    return prepare.call(this, text)
  }
  try {
    await app.call('GET', '/pipelines?limit=30&q=dense&criticality=high', { as: ada })
    await app.call('GET', '/pipelines?limit=30&q=dense&organization=Acme Corp', { as: ada })
  } finally {
    prototype.prepare = prepare
  }
  const count = asked.find((text) => text.includes('matched'))
  if (count === undefined) throw new Error('nothing was counted among matches')
  const parameters = Array.from({ length: count.split('?').length - 1 }, () => null)
  const plan = store.writer.prepare(`EXPLAIN QUERY PLAN ${count}`).all(...parameters) as { detail: string }[]
  const steps = plan.map(({ detail }) => detail)
  expect(steps.some((step) => /SCAN pipeline_search_fts VIRTUAL TABLE INDEX/.test(step))).toBe(true)
  expect(
    steps.filter((step) => /SEARCH pipelines USING .*\bid=\?\)/.test(step)),
    String(steps),
  ).toHaveLength(1)
  expect(steps.filter((step) => /SCAN pipelines\b/.test(step))).toEqual([])
})
