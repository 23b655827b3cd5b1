/** A database that a suite has used comes back as it was in the beginning, or not at all. */
import pg from 'pg'
import { expect, it } from 'vitest'
import { pooledPostgresStore } from './support/pooled-postgres.js'
import { postgresMissing } from './support/stores.js'

const missing = await postgresMissing()

async function inDatabase<T extends object>(url: string, ...queries: readonly string[]): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: T[] = []
    for (const query of queries) rows = (await client.query<T>(query)).rows
    return rows
  } finally {
    await client.end()
  }
}

const EVENT = "INSERT INTO audit_outbox (id, chain, event, created_at_ms) VALUES ('x', 'x', '{}', 1)"

it.skipIf(missing !== null)(
  'comes back empty, with its sequences at the beginning and without statistics',
  async () => {
    const first = await pooledPostgresStore()
    const [row] = await inDatabase<{ position: string }>(
      first.url,
      EVENT,
      'ANALYZE',
      'SELECT position FROM audit_outbox',
    )
    await first.close()
    const second = await pooledPostgresStore()
    expect(second.url).toBe(first.url)
    expect(await inDatabase(second.url, 'SELECT 1 FROM audit_outbox')).toEqual([])
    expect(await inDatabase(second.url, "SELECT 1 FROM pg_stats WHERE schemaname = 'public'")).toEqual([])
    expect(await inDatabase(second.url, EVENT, 'SELECT position FROM audit_outbox')).toEqual([row])
    await second.close()
  },
)

it.skipIf(missing !== null).each([
  ['a trigger that is off', 'ALTER TABLE audit_events DISABLE TRIGGER ALL'],
  ['a right', 'GRANT DELETE ON audit_events TO PUBLIC'],
])('with %s of its own does not come back', async (_what, statement) => {
  const first = await pooledPostgresStore()
  await inDatabase(first.url, statement)
  await first.close()
  const second = await pooledPostgresStore()
  expect(second.url).not.toBe(first.url)
  await second.close()
})

it.skipIf(missing !== null)('in which somebody is still at work does not come back', async () => {
  const first = await pooledPostgresStore()
  const busy = new pg.Client({ connectionString: first.url })
  busy.on('error', () => undefined)
  await busy.connect()
  await busy.query(`BEGIN; ${EVENT}`)
  await first.close()
  const second = await pooledPostgresStore()
  expect(second.url).not.toBe(first.url)
  await second.close()
  await busy.end().catch(() => undefined)
})
