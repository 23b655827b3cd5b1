/** How many rows each table has, so that an effect that was not declared is seen. */
import pg from 'pg'
import type { postgresStore, sqliteStore } from '../../test/support/stores.js'

export type ProofStore = Awaited<ReturnType<typeof sqliteStore>> | Awaited<ReturnType<typeof postgresStore>>

/** @param besides tables that may change. */
export async function rowCounts(store: ProofStore, besides: RegExp): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const add = (name: string, count: unknown) => {
    if (!besides.test(name)) counts.set(name, Number(count))
  }
  if ('writer' in store) {
    const list = store.writer.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck()
    for (const name of list.all() as string[])
      add(name, store.writer.prepare(`SELECT count(*) FROM "${name}"`).pluck().get())
    return counts
  }
  const client = new pg.Client({ connectionString: store.url })
  await client.connect()
  try {
    const list = "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
    for (const { name } of (await client.query<{ name: string }>(list)).rows) {
      add(name, (await client.query(`SELECT count(*) AS n FROM "${name}"`)).rows[0].n)
    }
  } finally {
    await client.end()
  }
  return counts
}
