/** Row-level security holds without the help of any query: what a tenant may not see is not there for it. */
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../proof/world/random.js'
import { identityTables } from '../src/identity/tables.js'
import type { Store } from '../src/runtime/store/db.js'
import { describeStores } from './support/describe-stores.js'
import { postgresMissing, postgresStore } from './support/stores.js'

const TENANTS = 50
const orgOf = (index: number) => `00000000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`
async function fill(store: Store): Promise<void> {
  for (let index = 0; index < TENANTS; index++) {
    await store.tenant({ orgId: orgOf(index), readableOrgIds: [] }).write(async (tx) => {
      await tx.insert(identityTables(tx).roles).values(roleOf(index, `canary-${index}`))
    })
  }
}

const roleOf = (index: number, name: string) => ({
  id: `role-${index}-${name}`,
  orgId: orgOf(index),
  name,
  nameKey: name,
  description: '',
  permissions: [],
  builtIn: false,
  grantsLevel: 'member',
  revision: 1,
  createdAtMs: 1,
  updatedAtMs: 1,
})

/** Every organization whose rows the query shows, without a word about organizations in it. */
const shown = async (store: Store, index: number, kind: 'read' | 'snapshot' | 'write') => {
  const scope = store.tenant({ orgId: orgOf(index), readableOrgIds: [] })
  const select = (db: Parameters<Parameters<typeof scope.read>[0]>[0]) =>
    db.rows<{ org_id: string; name: string }>(sql`SELECT org_id, name FROM roles`)
  return kind === 'write' ? scope.write(select) : scope[kind](select)
}

const missing = await postgresMissing()

await describeStores('tenants', ['PGlite', 'PostgreSQL'], (open, database) => {
  const rounds = database === 'PGlite' ? 500 : 10_000
  let store: Store
  beforeAll(async () => {
    store = await open()
    await fill(store)
  })
  afterAll(() => store.close())

  it(`see only their own rows in ${rounds} transactions mixed over the same connections`, async () => {
    const next = createRandom(20261121).next
    const kinds = ['read', 'read', 'snapshot', 'write'] as const
    let done = 0
    const client = async () => {
      while (done < rounds) {
        done += 1
        const index = Math.floor(next() * TENANTS)
        const rows = await shown(store, index, kinds[Math.floor(next() * kinds.length)] ?? 'read')
        // One comparison a round: expect is slow enough to be most of the time.
        if (rows.length !== 1 || rows[0]?.org_id !== orgOf(index) || rows[0].name !== `canary-${index}`) {
          throw new Error(`tenant ${index} sees ${JSON.stringify(rows)}`)
        }
      }
    }
    await Promise.all(Array.from({ length: 16 }, client))
    expect(done).toBeGreaterThanOrEqual(rounds)
  })

  it('can neither write rows of another nor move their own there', async () => {
    const scope = store.tenant({ orgId: orgOf(1), readableOrgIds: [orgOf(2)] })
    const insert = scope.write(async (tx) => {
      await tx.insert(identityTables(tx).roles).values(roleOf(2, 'foreign'))
    })
    await expect(insert).rejects.toThrow()
    const move = scope.write((tx) => tx.rows(sql`UPDATE roles SET org_id = ${orgOf(2)} RETURNING id`))
    await expect(move).rejects.toThrow()
    const others = await scope.write((tx) =>
      tx.rows(sql`UPDATE roles SET description = 'x' WHERE org_id = ${orgOf(2)} RETURNING id`),
    )
    expect(others).toEqual([])
    const deleted = await scope.write((tx) => tx.rows(sql`DELETE FROM roles WHERE org_id = ${orgOf(2)} RETURNING id`))
    expect(deleted).toEqual([])
    const all = await store.system.read((db) => db.rows(sql`SELECT 1 FROM roles`))
    expect(all).toHaveLength(TENANTS)
  })
})

describe.skipIf(missing !== null)('a session of PostgreSQL', () => {
  it('shows no rows when nobody said whose, also to the owner of the tables', async () => {
    const store = await postgresStore()
    await fill(store)
    const client = new pg.Client({ connectionString: store.url })
    await client.connect()
    const count = async (settings: string) => {
      await client.query(`BEGIN; ${settings}`)
      const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM roles')
      await client.query('ROLLBACK')
      return rows[0]?.count
    }
    try {
      expect(await count('SET LOCAL ROLE plumbline_tenant')).toBe(0)
      expect(await count("SET LOCAL ROLE plumbline_tenant; SET LOCAL app.org = ''")).toBe(0)
      expect(await count(`SET LOCAL ROLE plumbline_tenant; SET LOCAL app.org = '${orgOf(3)}'`)).toBe(1)
      expect(await count('SET LOCAL ROLE plumbline_system')).toBe(TENANTS)
      // FORCE: the owner is held to the policies too, and none is for it. A superuser is not, so one is made here.
      const owner = `plumbline_test_owner_${Date.now()}`
      await client.query(`CREATE ROLE ${owner}; ALTER TABLE roles OWNER TO ${owner}; GRANT ${owner} TO current_user`)
      expect(await count(`SET LOCAL ROLE ${owner}`)).toBe(0)
      await client.query(`ALTER TABLE roles OWNER TO current_user; DROP ROLE ${owner}`)
    } finally {
      await client.end()
      await store.close()
    }
  })
})
