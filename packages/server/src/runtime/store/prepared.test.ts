/** A prepared query answers what the same query of drizzle answers, on both databases and for every kind of column. */
import { and, eq, inArray, type Placeholder, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { identityApp, signUp } from '../../../test/support/sign-in.js'
import { identityTables } from '../../identity/tables.js'
import type { Store } from './db.js'
import { insertNew, insertRows, placeholders, prepared, updateRow } from './prepared.js'

const rolesOf = prepared((db, value: (name: 'orgId' | 'grantsLevel') => Placeholder) => {
  const { roles } = identityTables(db)
  return db
    .select()
    .from(roles)
    .where(and(eq(roles.orgId, value('orgId')), eq(roles.grantsLevel, value('grantsLevel'))))
    .orderBy(roles.id)
})

const counted = prepared((db, value: (name: 'orgId') => Placeholder) => {
  const { roles } = identityTables(db)
  return db
    .select({ name: roles.name, twice: sql<number>`${roles.revision} * 2`.mapWith(Number) })
    .from(roles)
    .where(eq(roles.orgId, value('orgId')))
    .orderBy(roles.id)
})

const joined = prepared((db, value: (name: 'orgId') => Placeholder) => {
  const { organizations, roles } = identityTables(db)
  return db
    .select()
    .from(roles)
    .innerJoin(organizations, eq(organizations.id, roles.orgId))
    .where(eq(roles.orgId, value('orgId')))
    .orderBy(roles.id)
})

const insertRole = prepared((db, value: (name: keyof typeof ROW) => Placeholder) => {
  const { roles } = identityTables(db)
  return db.insert(roles).values(placeholders(roles, value)).onConflictDoNothing().returning({ id: roles.id })
})

const ROW = {
  id: '11111111-1111-7111-8111-111111111111',
  orgId: '',
  name: 'Reader of “everything”',
  nameKey: 'reader',
  description: '',
  permissions: ['pipelines:read', "it's"],
  builtIn: false,
  grantsLevel: 'member',
  revision: 1,
  createdAtMs: 1_790_000_000_000,
  updatedAtMs: 1_790_000_000_001,
}

await describeStores('prepared queries', BOTH_DATABASES, (open) => {
  let store: Store
  let orgId: string
  beforeAll(async () => {
    store = await open()
    const app = await identityApp(store)
    orgId = (await signUp(app, 'ann')).orgId
    await app.identity.settle()
    await store.system.write(async (tx) => {
      for (const builtIn of [false, true]) {
        const id = builtIn ? '22222222-2222-7222-8222-222222222222' : ROW.id
        expect(await insertRole(tx, { ...ROW, orgId, id, nameKey: id, builtIn })).toEqual([{ id }])
        // Another of the same name: a row that was not written is not returned.
        expect(await insertRole(tx, { ...ROW, orgId, id: `${id.slice(0, -1)}9`, nameKey: id, builtIn })).toEqual([])
      }
    })
  })
  afterAll(() => store.close())

  it('reads booleans, JSON, numbers and texts as the builder does', async () => {
    const { found, expected } = await store.system.read(async (db) => {
      const { roles } = identityTables(db)
      const where = and(eq(roles.orgId, orgId), eq(roles.grantsLevel, 'member'))
      return {
        found: await rolesOf(db, { orgId, grantsLevel: 'member' }),
        expected: await db.select().from(roles).where(where).orderBy(roles.id),
      }
    })
    expect(found).toEqual(expected)
    expect(found.find(({ id }) => id === ROW.id)).toEqual({ ...ROW, orgId, nameKey: ROW.id })
  })

  it('reads computed columns and joins as the builder does', async () => {
    const { flat, both, builtFlat, builtBoth } = await store.system.read(async (db) => {
      const { organizations, roles } = identityTables(db)
      const ofOrg = eq(roles.orgId, orgId)
      return {
        flat: await counted(db, { orgId }),
        both: await joined(db, { orgId }),
        builtFlat: await db
          .select({ name: roles.name, twice: sql<number>`${roles.revision} * 2`.mapWith(Number) })
          .from(roles)
          .where(ofOrg)
          .orderBy(roles.id),
        builtBoth: await db
          .select()
          .from(roles)
          .innerJoin(organizations, eq(organizations.id, roles.orgId))
          .where(ofOrg)
          .orderBy(roles.id),
      }
    })
    expect(flat).toEqual(builtFlat)
    expect(both).toEqual(builtBoth)
    expect(both.length).toBeGreaterThan(0)
  })

  it('updates columns of every kind as the builder does, of one row, and leaves the others', async () => {
    const id = ROW.id.replaceAll('1', '7')
    const changes = [
      { builtIn: true, permissions: ['it’s', '"quoted"'], description: 'two\nlines' },
      { revision: 7, updatedAtMs: 1_790_000_000_009 },
      { builtIn: false, permissions: [], description: undefined },
      {},
    ]
    const { updated, built } = await store.system.write(async (tx) => {
      const { roles } = identityTables(tx)
      const read = async () => (await tx.select().from(roles).where(eq(roles.id, id)))[0]
      const start = { ...ROW, orgId, id, nameKey: id }
      await insertRows(tx, roles, [start])
      const updated: unknown[] = []
      for (const columns of [...changes, ...changes]) {
        await updateRow(tx, roles, id, columns as object)
        updated.push(await read())
      }
      await tx.delete(roles).where(eq(roles.id, id))
      await insertRows(tx, roles, [start])
      const built: unknown[] = []
      for (const columns of [...changes, ...changes]) {
        if (Object.keys(columns).length > 0) await tx.update(roles).set(columns).where(eq(roles.id, id))
        built.push(await read())
      }
      await tx.delete(roles).where(eq(roles.id, id))
      return { updated, built }
    })
    expect(updated).toEqual(built)
    const others = await store.system.read((db) => {
      const { roles } = identityTables(db)
      return db.select().from(roles).where(eq(roles.revision, 7))
    })
    expect(others).toEqual([])
  })

  it('insert rows as the builder does, in the order given, or none of them', async () => {
    const rows = ['3', '4'].map((n) => ({
      ...ROW,
      orgId,
      id: ROW.id.replaceAll('1', n),
      nameKey: n,
      description: `“${n}”`,
    }))
    const found = await store.system.write(async (tx) => {
      const { roles } = identityTables(tx)
      await insertRows(tx, roles, [])
      await insertRows(tx, roles, rows)
      return tx
        .select()
        .from(roles)
        .where(inArray(roles.nameKey, ['3', '4']))
        .orderBy(roles.id)
    })
    expect(found).toEqual(rows)
    const again = store.system.write((tx) =>
      insertRows(tx, identityTables(tx).roles, [{ ...ROW, orgId, id: 'new', nameKey: '5' }, rows[0] as never]),
    )
    await expect(again).rejects.toThrow()
    const left = await store.system.read((db) =>
      db.$count(identityTables(db).roles, eq(identityTables(db).roles.nameKey, '5')),
    )
    expect(left).toBe(0)
  })

  it('insert a new row as the builder does, and tell whether a key of it was taken', async () => {
    const row = { ...ROW, orgId, id: ROW.id.replaceAll('1', '6'), nameKey: '6', description: 'the first' }
    const other = { ...row, id: ROW.id.replaceAll('1', '7'), description: 'the second' }
    const { outcomes, found } = await store.system.write(async (tx) => {
      const { roles } = identityTables(tx)
      const outcomes = [
        await insertNew(tx, roles, row),
        // The same id, then another id under the same name.
        await insertNew(tx, roles, { ...row, nameKey: 'another' }),
        await insertNew(tx, roles, other),
        await insertNew(tx, roles, { ...other, nameKey: '7' }),
      ]
      const found = await tx
        .select()
        .from(roles)
        .where(inArray(roles.id, [row.id, other.id]))
        .orderBy(roles.id)
      return { outcomes, found }
    })
    expect(outcomes).toEqual([true, false, false, true])
    expect(found).toEqual([row, { ...other, nameKey: '7' }])
  })

  it('throws for a new row that breaks another rule than a key', async () => {
    const row = { ...ROW, orgId, id: ROW.id.replaceAll('1', '8'), nameKey: null as never }
    await expect(store.system.write((tx) => insertNew(tx, identityTables(tx).roles, row))).rejects.toThrow()
  })

  it('refuses a value that was left out', async () => {
    const lacking = { orgId } as { orgId: string; grantsLevel: string }
    await expect(store.system.read(async (db) => rolesOf(db, lacking))).rejects.toThrow('grantsLevel')
  })
})
