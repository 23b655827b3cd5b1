/** The same history told to a second organization in another way: in whatever order it comes, the same rows are kept. */
import { eq } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { takeEvents } from '../../src/reporting/event/take.js'
import { reportingTables } from '../../src/reporting/tables.js'
import type { Runtime } from '../../src/runtime/operation/context.js'
import type { OracleEvent } from './oracle.js'

const TOLD = [
  'reportExecutions',
  'reportSteps',
  'reportDeployments',
  'reportCommits',
  'reportDailyRuns',
  'reportDailyDeployments',
] as const

/** Rows of an organization by table, without what names it. @param names of its pipelines by id. */
export async function rowsOf(
  { store }: Pick<Runtime, 'store'>,
  orgId: string,
  names: ReadonlyMap<string, string>,
): Promise<Record<string, string[]>> {
  return store.system.read(async (db) => {
    const tables = reportingTables(db)
    const found: Record<string, string[]> = {}
    for (const name of TOLD) {
      const table = tables[name] as SQLiteTable & { readonly orgId: SQLiteColumn }
      const rows = (await db.select().from(table).where(eq(table.orgId, orgId))) as Record<string, unknown>[]
      found[name] = rows
        .map(({ orgId: _, fold: __, ...row }) =>
          JSON.stringify({ ...row, pipelineId: names.get(String(row['pipelineId'])) ?? null }),
        )
        .sort()
    }
    return found
  })
}

/** Permuted, doubled and cut into batches by the seed. */
export function shuffled(events: readonly OracleEvent[], seed: number): OracleEvent[][] {
  const all = [...events, ...events.filter((_, at) => (at + seed) % 3 === 0)]
    .map((event, at) => ({ event, key: ((at + 1) * 7919 * (seed + 13)) % 10_007 }))
    .sort((a, b) => a.key - b.key)
    .map(({ event }) => event)
  const size = 1 + ((seed * 7) % 17)
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
}

const CUT = new Error('cut half-way')

/** A batch whose transaction ends before its commit: as if the process had been killed. */
export async function cutHalfWay(runtime: Runtime, orgId: string, events: readonly OracleEvent[]): Promise<void> {
  try {
    await runtime.store.system.write(async (tx) => {
      const items = events.map((event) => ({ eventSource: 'generic', ...event }))
      await takeEvents(tx, items, { runtime, orgId, orgIds: [orgId], nowMs: runtime.clock.now() })
      throw CUT
    })
  } catch (error) {
    if (error !== CUT) throw error
  }
}
