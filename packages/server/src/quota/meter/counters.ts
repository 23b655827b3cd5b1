/**
 * Counters of metered types. One statement adds and compares with the limit, so that concurrent requests cannot exceed
 * it together. The row of the account's root counts the use of the whole account; a team has another row for its share.
 * Source: spec platform 12.3.
 *
 * INVARIANT: a counter never decreases within its period, and `addWithin` with a limit never raises it above that
 * limit.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../runtime/store/db.js'
import { UNLIMITED } from '../limit/effective.js'
import { quotaTables } from '../tables.js'

export interface CounterKey {
  readonly orgId: string
  readonly type: string
  readonly periodStartMs: number
}

type Table = 'quotaPools' | 'quotaCounters'

/** @returns the use after the addition; null when the limit does not allow it, and then nothing was added. */
export async function addWithin(
  tx: Tx,
  table: Table,
  { orgId, type, periodStartMs }: CounterKey,
  amount: number,
  limit: number,
): Promise<number | null> {
  // guard: the-first-use-of-a-period-stays-within-the-limit
  if (limit !== UNLIMITED && amount > limit) return null
  const counters = quotaTables(tx)[table]
  const [row] = await tx
    .insert(counters)
    .values({ orgId, type, periodStartMs, used: amount })
    .onConflictDoUpdate({
      target: [counters.orgId, counters.type, counters.periodStartMs],
      set: { used: sql`${counters.used} + ${amount}` },
      // guard: a-counter-stays-within-its-limit
      ...(limit === UNLIMITED ? {} : { setWhere: sql`${counters.used} + ${amount} <= ${limit}` }),
    })
    .returning({ used: counters.used })
  return row?.used ?? null
}

export async function readCounter(db: Db, table: Table, key: CounterKey): Promise<number> {
  const counters = quotaTables(db)[table]
  const [row] = await db.select({ used: counters.used }).from(counters).where(isCounter(counters, key))
  return row?.used ?? 0
}

type Counters = ReturnType<typeof quotaTables>[Table]

const isCounter = (t: Counters, { orgId, type, periodStartMs }: CounterKey): SQL =>
  sql`${t.orgId} = ${orgId} AND ${t.type} = ${type} AND ${t.periodStartMs} = ${periodStartMs}`
