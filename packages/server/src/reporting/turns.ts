/** Serializes transactions about the same subject on PostgreSQL. SQLite has only one writer anyway. */
import { sql } from 'drizzle-orm'
import type { Tx } from '../runtime/store/db.js'

/** Advisory locks until the transaction ends, taken in sorted order, so that two transactions cannot deadlock. */
export async function takeTurns(tx: Tx, keys: readonly string[]): Promise<void> {
  if (tx.database !== 'pg') return
  for (const key of [...new Set(keys)].sort()) {
    await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`report ${key}`}, 0))`)
  }
}

/** The turn of everything that writes the facts of a pipeline. */
export const laneOf = (orgId: string, pipelineId: string): string => `pipeline ${orgId} ${pipelineId}`
