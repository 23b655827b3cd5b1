/**
 * One job waits for a key, for all that ask for its work. A transaction that asks holds the key until it ends, and no
 * worker begins the job meanwhile: it would read what was there before. On SQLite writes take turns anyway.
 */
import { sql } from 'drizzle-orm'
import type { Tx } from '../store/db.js'

export async function holdKey(tx: Tx, kind: string, key: string): Promise<void> {
  if (tx.database === 'pg') await tx.rows(sql`SELECT pg_advisory_xact_lock_shared(${lockOf(kind, key)})`)
}

/** False while an open transaction holds the key. */
export async function mayBegin(tx: Tx, kind: string, key: string | null): Promise<boolean> {
  if (tx.database !== 'pg' || key === null) return true
  const [row] = await tx.rows<{ free: boolean }>(sql`SELECT pg_try_advisory_xact_lock(${lockOf(kind, key)}) AS free`)
  return row?.free === true
}

const lockOf = (kind: string, key: string) => sql`hashtextextended(${`job ${kind} ${key}`}, 0)`
