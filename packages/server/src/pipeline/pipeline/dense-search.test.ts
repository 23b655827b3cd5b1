/**
 * Goal: a text that some thousands of records hold is counted from its matches, and says the same total as a walk through the
 * list. Method: as many records as are too many to be taken by id, some of them another organization's, inactive or deleted;
 * each answer beside one that is counted on paper; and the plan of the count.
 */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { body, pipelineApp } from '../../../test/pipelines.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/sign-in.js'
import { sqliteStore } from '../../../test/stores.js'
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
          createdAtMs: like.createdAtMs + n,
        }
      })
      await tx.insert(t).values(rows)
      await tx.insert(pipelineSearch).values(
        rows.map(({ id, orgId, nameKey }) => ({
          orgId,
          entityId: id,
          scope: scopeOf(orgId),
          isShared: false,
          title: nameKey,
          body: 'dense',
        })),
      )
    }
  })
})
afterAll(() => store.close())

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
    : expected.reverse().map((n) => `dense-${n}`)
  expect(pipelines.map(({ pipelineName }: { pipelineName: string }) => pipelineName)).toEqual(newest.slice(0, 20))
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
  expect(steps.some((step) => /SEARCH pipelines USING INDEX sqlite_autoindex_pipelines_1 \(id=\?\)/.test(step))).toBe(
    true,
  )
  expect(steps.filter((step) => /SCAN pipelines\b/.test(step))).toEqual([])
})
