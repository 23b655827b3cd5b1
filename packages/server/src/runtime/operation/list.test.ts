/** Pages neither repeat nor skip rows, on both databases, by offset and by cursor. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { identityTables } from '../../identity/tables.js'
import { Refusal } from '../errors.js'
import type { Store } from '../store/db.js'
import { containsText, idMatches } from './filters.js'
import { countRows, listOf, type PageInfo, type PageQuery } from './list.js'
import { problems } from './schema.js'

const ORG = '11111111-1111-7111-8111-111111111111'
const idOf = (n: number) => `${String(n).padStart(8, '0')}-0000-7000-8000-000000000000`

const roleList = listOf({
  key: 'roles',
  item: Type.Object({ id: Type.String(), name: Type.String() }),
  sortBy: ['createdAt', 'name'],
  filters: { q: Type.Optional(Type.String({ description: 'Part of the name' })) },
})

await describeStores('a list', BOTH_DATABASES, (open) => {
  let store: Store
  beforeAll(async () => {
    store = await open()
    await store.system.write(async (tx) => {
      for (let n = 0; n < 25; n++) {
        await tx.insert(identityTables(tx).roles).values({
          id: idOf(n),
          orgId: ORG,
          name: n === 7 ? '100%_sure' : `Role ${String.fromCharCode(65 + ((n * 7) % 25))}`,
          nameKey: `role ${n}`,
          description: '',
          permissions: [],
          builtIn: false,
          grantsLevel: 'member',
          revision: 1,
          // Five rows share each instant: the id breaks the tie.
          createdAtMs: 1_000 + Math.floor(n / 5),
          updatedAtMs: 1_000,
        })
      }
    })
  })
  afterAll(() => store.close())

  const page = (query: PageQuery & { q?: string; id?: string }) =>
    store.tenant({ orgId: ORG, readableOrgIds: [] }).read((db) => {
      const { roles } = identityTables(db)
      return roleList.page(db, {
        table: roles,
        where: and(
          eq(roles.orgId, ORG),
          query.q === undefined ? undefined : containsText(roles.name, query.q),
          idMatches(roles.id, query.id),
        ),
        columns: { createdAt: roles.createdAtMs, name: roles.name },
        id: roles.id,
        query,
        present: ({ id, name }) => ({ id, name }),
      })
    })

  const walk = async (first: PageQuery, next: (info: PageInfo) => PageQuery) => {
    const seen: string[] = []
    for (let query = first; ; ) {
      const { roles, pagination } = await page(query)
      seen.push(...roles.map(({ id }) => id))
      expect(pagination.total).toBe(25)
      if (!pagination.hasMore) return seen
      query = next(pagination)
    }
  }
  const newestFirst = Array.from({ length: 25 }, (_, n) => idOf(24 - n))

  it('counts more than 10,000 rows once, and fewer again', async () => {
    const many = '22222222-2222-7222-8222-222222222222'
    const insert = (from: number, rows: number) =>
      store.system.write(async (tx) => {
        const { roles } = identityTables(tx)
        for (let at = from; at < from + rows; at += 500) {
          await tx.insert(roles).values(
            Array.from({ length: Math.min(500, from + rows - at) }, (_, n) => ({
              id: `9${idOf(at + n).slice(1)}`,
              orgId: many,
              name: 'many',
              nameKey: `many ${at + n}`,
              description: '',
              permissions: [],
              builtIn: false,
              grantsLevel: 'member' as const,
              revision: 1,
              createdAtMs: 1_000,
              updatedAtMs: 1_000,
            })),
          )
        }
      })
    const total = (atMost: number) =>
      store.tenant({ orgId: many, readableOrgIds: [] }).read((db) => {
        const { roles } = identityTables(db)
        return countRows(db, roles, eq(roles.orgId, many), atMost)
      })
    const all = Number.MAX_SAFE_INTEGER
    await insert(0, 9_999)
    expect(await total(all)).toBe(9_999)
    await insert(9_999, 2)
    expect(await total(all)).toBe(10_001)
    await insert(10_001, 5)
    expect(await total(all)).toBe(10_001)
    expect(await total(300)).toBe(300)
  })

  it('walks every row once by offset', async () => {
    expect(await walk({ limit: 4 }, ({ offset }) => ({ limit: 4, offset: offset + 4 }))).toEqual(newestFirst)
  })

  it.each(['asc', 'desc'] as const)('walks every row once by cursor, %s', async (sortOrder) => {
    const seen = await walk({ limit: 4, sortOrder }, ({ nextCursor }) => ({
      limit: 4,
      sortOrder,
      cursor: nextCursor as string,
    }))
    expect(seen).toEqual(sortOrder === 'desc' ? newestFirst : newestFirst.toReversed())
  })

  it('sorts by an allowed field, and gives no cursor for what is not a time', async () => {
    const { roles, pagination } = await page({ sortBy: 'name', sortOrder: 'asc', limit: 3 })
    expect(roles.map(({ name }) => name)).toEqual(['100%_sure', 'Role A', 'Role B'])
    expect(pagination).toEqual({ total: 25, limit: 3, offset: 0, hasMore: true })
  })

  it('counts beyond its own page, and knows an empty page behind the end', async () => {
    expect((await page({ limit: 5, offset: 20 })).pagination).toEqual({
      total: 25,
      limit: 5,
      offset: 20,
      hasMore: false,
    })
    expect((await page({ limit: 5, offset: 90 })).pagination).toEqual({
      total: 25,
      limit: 5,
      offset: 90,
      hasMore: false,
    })
  })

  it('refuses a cursor beside an offset, of another order, and one that nobody gave', async () => {
    const { nextCursor = '' } = (await page({ limit: 2 })).pagination
    const refused = [
      { cursor: nextCursor, offset: 2 },
      { cursor: nextCursor, sortOrder: 'asc' as const },
      { cursor: nextCursor, sortBy: 'name' },
      { cursor: 'bm9uc2Vuc2U' },
      { cursor: Buffer.from('["createdAt","desc",{"a":1},"x",0,0]').toString('base64url') },
      { cursor: Buffer.from('["createdAt","desc",1,"x",-1,0]').toString('base64url') },
      // PostgreSQL refuses both values.
      { cursor: Buffer.from('["createdAt","desc","abc","x",0,0]').toString('base64url') },
      { cursor: Buffer.from('["createdAt","desc",1,"\\u0000",0,0]').toString('base64url') },
    ]
    for (const query of refused) {
      const error = await page(query).catch((thrown: unknown) => thrown)
      expect(error, JSON.stringify(query)).toBeInstanceOf(Refusal)
      expect(error).toMatchObject({ status: 400, message: expect.stringContaining('/query/cursor') })
    }
  })

  it('finds text as it is written, wildcards included', async () => {
    expect((await page({ q: '%_S' })).roles.map(({ name }) => name)).toEqual(['100%_sure'])
    expect((await page({ q: 'role%b' })).roles).toEqual([])
  })

  it('finds ids whole, several, and by their beginning', async () => {
    const found = async (id: string) => (await page({ id })).roles.map((role) => role.id)
    expect(await found(idOf(3))).toEqual([idOf(3)])
    expect(await found(`${idOf(3)}, ${idOf(4)}`)).toEqual([idOf(4), idOf(3)])
    expect(await found('00000012')).toEqual([idOf(12)])
    await expect(found('0000')).rejects.toThrow(/first 8/)
  })
})

it('slices what is in memory', () => {
  const items = [1, 2, 3].map((n) => ({ id: String(n), name: '' }))
  expect(roleList.slice(items, { limit: 2, offset: 1 })).toEqual({
    roles: items.slice(1),
    pagination: { total: 3, limit: 2, offset: 1, hasMore: false },
  })
})

it('names the allowed fields of a wrong sort', () => {
  const [issue] = problems(roleList.query, { sortBy: 'password' }, '/query')
  expect(issue).toEqual({ path: '/query/sortBy', message: 'must be one of createdAt, name', code: 'enum' })
})
