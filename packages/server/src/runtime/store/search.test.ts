/** Search finds exactly what holds the text, for its tenant alone, and never by reading other tenants' rows. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { asc, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { baseline } from '../../../scripts/baseline.js'
import type { Db, Store } from './db.js'
import { narrowed } from './index-table-filters.js'
import { storeOver } from './postgres.js'
import type { PgPool } from './postgres-transaction.js'
import {
  dropSearchText,
  findStatement,
  findText,
  matchText,
  putSearchText,
  scopeOf,
  searchGuards,
  searchTable,
} from './search.js'
import { openSqlite } from './sqlite.js'
import { tableSet, tenant } from './table-set.js'

const things = tableSet(
  'things',
  (k) => ({
    things: k.table('things', { id: k.text('id').primaryKey(), orgId: k.text('org_id').notNull() }, (t) => [
      k.index('things_org').on(t.orgId, t.id),
    ]),
    thingSearch: searchTable(k, 'thing_search'),
  }),
  { things: tenant(), thingSearch: tenant() },
  searchGuards('thing_search'),
)

const SHOWN = { isShared: false, isActive: true, createdAtMs: 0 }
const A = '11111111-1111-7111-8111-111111111111'
const B = '22222222-2222-7222-8222-222222222222'
const PARENT = '33333333-3333-7333-8333-333333333333'

async function sqlite(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const store = openSqlite(join(folder, 'things.db'))
  for (const text of (await baseline('sqlite', [things])).split('--> statement-breakpoint')) store.writer.exec(text)
  const { close } = store
  return Object.assign(store, {
    close: async () => {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  })
}

async function pglite(): Promise<Store> {
  const database = new PGlite({ extensions: { pg_trgm } })
  for (const text of (await baseline('pg', [things])).split('--> statement-breakpoint')) await database.exec(text)
  let turn: Promise<unknown> = Promise.resolve()
  const session = { builders: drizzle(database), exec: async (text: string) => void (await database.exec(text)) }
  const pool: PgPool = {
    use(run) {
      const next = turn.then(() => run(session))
      turn = next.catch(() => undefined)
      return next
    },
    ping: async () => undefined,
    close: () => database.close(),
  }
  return storeOver(pool)
}

describe.each([
  ['SQLite', sqlite],
  ['PGlite', pglite],
] as const)('search on %s', (_, open) => {
  let store: Store
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())

  const of = (orgId: string) => store.tenant({ orgId, readableOrgIds: [PARENT] })
  const put = (orgId: string, entityId: string, title: string, body = '') =>
    of(orgId).write(async (tx) => {
      const tables = things(tx)
      await tx.insert(tables.things).values({ id: entityId, orgId }).onConflictDoNothing()
      await putSearchText(tx, tables.thingSearch, { orgId, entityId, ...SHOWN, title, body })
    })
  const find = (orgId: string, text: string, where: 'title' | 'all' = 'all', asked = orgId) =>
    of(orgId).read(async (db) =>
      (await findText(db, things(db).thingSearch, { orgId: asked, text, in: where }, 10_000)).sort(),
    )

  it('finds a part of a text, of either case, in the title or in both', async () => {
    await put(A, 'a1', 'Payments-Service', 'deploys 100% of the_work\\now "quoted"')
    await put(A, 'a2', 'ledger', 'reads payments')
    await put(B, 'b1', 'payments of another')
    expect(await find(A, 'PAYMENTS')).toEqual(['a1', 'a2'])
    expect(await find(A, 'payments', 'title')).toEqual(['a1'])
    for (const text of ['0% o', 'the_w', 'k\\n', '"quo', '-Serv']) expect(await find(A, text), text).toEqual(['a1'])
    for (const text of ['1%0', 'the_k', 'thexwork', '" OR "', 'title:pay', '*', 'NOT pay', 'a\0b']) {
      expect(await find(A, text), text).toEqual([])
    }
  })

  it('reads short texts too, and letters outside of ASCII', async () => {
    await put(A, 'a3', 'Öl-Prüfung 東京 build')
    expect(await find(A, 'ÖL')).toEqual(['a3'])
    expect(await find(A, '京')).toEqual(['a3'])
    expect(await find(A, 'prüf')).toEqual(['a3'])
    expect(await find(A, '東京 b')).toEqual(['a3'])
  })

  it('forgets what a text was before, and what is dropped', async () => {
    await put(A, 'a4', 'before the change')
    await put(A, 'a4', 'after it')
    expect(await find(A, 'before the')).toEqual([])
    expect(await find(A, 'after it')).toEqual(['a4'])
    await of(A).write((tx) => dropSearchText(tx, things(tx).thingSearch, A, ['a4']))
    expect(await find(A, 'after it')).toEqual([])
  })

  it('shows a tenant nothing of another, not even to a query that names it', async () => {
    await put(B, 'b2', 'only of b')
    expect(await find(B, 'only of b')).toEqual(['b2'])
    expect(await find(A, 'only of b')).toEqual([])
    if (store.database === 'pg') expect(await find(A, 'only of b', 'all', B)).toEqual([])
  })

  it('narrows a list to few by their ids, and to many by a look at each', async () => {
    const many = Array.from({ length: 4100 }, (_, n) => `m${String(n).padStart(5, '0')}`)
    await of(B).write(async (tx) => {
      const tables = things(tx)
      for (let at = 0; at < many.length; at += 500) {
        const some = many.slice(at, at + 500)
        await tx.insert(tables.things).values(some.map((id) => ({ id, orgId: B })))
        const rows = some.map((entityId) => ({
          orgId: B,
          entityId,
          ...SHOWN,
          scope: scopeOf(B),
          title: 'dense',
          body: '',
        }))
        await tx.insert(tables.thingSearch).values(rows)
      }
    })
    const list = (text: string) =>
      of(B).read(async (db) => {
        const { things: table, thingSearch } = things(db)
        const narrowing = await matchText(db, thingSearch, table.id, { orgId: B, text, in: 'all' })
        const where = narrowed(db, eq(table.orgId, B), [narrowing])
        const rows = await db.select({ id: table.id }).from(table).where(where).orderBy(asc(table.id))
        return { isFew: narrowing.isFew, ids: rows.map(({ id }) => id) }
      })
    expect(await list('dense')).toEqual({ isFew: false, ids: many })
    expect(await list('payments')).toEqual({ isFew: true, ids: ['b1'] })
    expect(await list('nothing at all')).toEqual({ isFew: true, ids: [] })
  })

  it('finds what a naive search finds', async () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', 'B', 'b', 'c', '%', '_', '"', "'", '\\', ' ', 'é', '字'),
      maxLength: 12,
    })
    const naive = (all: readonly string[], text: string) =>
      all.flatMap((each, n) => (each.toLowerCase().includes(text.toLowerCase()) ? [`l${n}`] : []))
    await fc.assert(
      fc.asyncProperty(
        fc.array(texts, { minLength: 1, maxLength: 6 }),
        texts.filter((text) => text !== ''),
        async (all, text) => {
          await of(PARENT).write(async (tx) => {
            await tx.delete(things(tx).thingSearch).where(eq(things(tx).thingSearch.orgId, PARENT))
            for (const [n, title] of all.entries()) {
              await putSearchText(tx, things(tx).thingSearch, {
                orgId: PARENT,
                entityId: `l${n}`,
                ...SHOWN,
                title,
                body: '',
              })
            }
          })
          expect(await find(PARENT, text)).toEqual(naive(all, text))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('enters its index by the organization', async () => {
    const plan = (text: string, db: Db) => {
      const statement = findStatement(db, things(db).thingSearch, { orgId: A, text, in: 'all' }, 10)
      return db.rows<Record<string, unknown>>(
        db.database === 'sqlite' ? sql`EXPLAIN QUERY PLAN ${statement}` : sql`EXPLAIN ${statement}`,
      )
    }
    const lines = async (text: string) =>
      (await of(A).read((db) => plan(text, db))).map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n')
    if (store.database === 'sqlite') {
      // The virtual table is entered by the trigram of the organization, its rows by their number.
      expect(await lines('pay')).toMatch(
        /SCAN thing_search_fts VIRTUAL TABLE INDEX 0:M\d\nSEARCH t USING INTEGER PRIMARY KEY/,
      )
      expect(await lines('pa')).toMatch(/SEARCH thing_search USING INDEX thing_search_newest \(org_id=\?\)/)
    } else {
      expect(await lines('pay')).toMatch(/Function Scan on plumbline_find_thing_search/)
      expect(await lines('pa')).toMatch(/org_id/)
    }
  })
})
