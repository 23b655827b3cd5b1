/**
 * `ADMIN_URL MS`: one point read on PostgreSQL by 64 clients, as the store makes it (tenant's role, row-level security, a
 * transaction of its own) and the same query on a plain pool without any of it. Prints both rates as JSON.
 */
import { randomUUID } from 'node:crypto'
import { and, eq, type Placeholder } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { identityTables } from '../../src/identity/tables.js'
import type { Db } from '../../src/runtime/store/db.js'
import { openPostgresStore } from '../../src/runtime/store/open-store.js'
import { prepared } from '../../src/runtime/store/prepared.js'

const [adminUrl = '', ms = '1000'] = process.argv.slice(2)
const ORG = '11111111-1111-7111-8111-111111111111'
const ROWS = 1000
const CLIENTS = 64
const CONNECTIONS = 8

const roleById = prepared((db, value: (name: 'orgId' | 'id') => Placeholder) => {
  const { roles } = identityTables(db)
  return db
    .select()
    .from(roles)
    .where(and(eq(roles.orgId, value('orgId')), eq(roles.id, value('id'))))
})

async function rate(read: (id: string) => Promise<readonly unknown[]>): Promise<number> {
  let done = 0
  const startedMs = performance.now()
  const endMs = startedMs + Number(ms)
  const client = async () => {
    while (performance.now() < endMs) {
      const rows = await read(`role-${done++ % ROWS}`)
      if (rows.length !== 1) throw new Error('the row must be found')
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return (done / (performance.now() - startedMs)) * 1000
}

const name = `plumbline_bench_${randomUUID().replaceAll('-', '')}`
const admin = new pg.Client({ connectionString: adminUrl })
await admin.connect()
await admin.query(`CREATE DATABASE ${name}`)
const url = new URL(adminUrl)
url.pathname = `/${name}`
const store = await openPostgresStore({ url: url.href, connectionsMax: CONNECTIONS })
const pool = new pg.Pool({ connectionString: url.href, max: CONNECTIONS })
pool.on('error', () => undefined)
try {
  const scope = store.tenant({ orgId: ORG, readableOrgIds: [] })
  await scope.write(async (tx) => {
    const { roles } = identityTables(tx)
    for (let index = 0; index < ROWS; index++) {
      await tx.insert(roles).values({
        id: `role-${index}`,
        orgId: ORG,
        name: `Role ${index}`,
        nameKey: `role ${index}`,
        description: 'x'.repeat(200),
        permissions: ['pipelines:read'],
        builtIn: false,
        grantsLevel: 'member',
        revision: 1,
        createdAtMs: 1,
        updatedAtMs: 1,
      })
    }
  })
  const builders = drizzle(pool)
  const plain = Object.assign(builders, { database: 'pg', preparedFor: builders }) as unknown as Db
  const without = async (id: string) => roleById(plain, { orgId: ORG, id })
  const secured = (id: string) => scope.read((db) => roleById(db, { orgId: ORG, id }))
  const rounds: { without: number; secured: number }[] = []
  for (let round = 0; round < 4; round++) rounds.push({ without: await rate(without), secured: await rate(secured) })
  // The first round warms up.
  process.stdout.write(JSON.stringify(rounds.slice(1)))
} finally {
  await pool.end()
  await store.close()
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
  await admin.end()
}
