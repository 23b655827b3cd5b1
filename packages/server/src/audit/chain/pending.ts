/** The outbox events that are not sealed yet. */
import { sql } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'

export async function outboxState(db: Db, nowMs: number): Promise<{ count: number; ageMs: number }> {
  const [row] = await db.rows<{ count: number | string; oldest: number | string | null }>(
    sql`SELECT count(*) AS count, min(created_at_ms) AS oldest FROM audit_outbox`,
  )
  const oldest = row?.oldest == null ? nowMs : Number(row.oldest)
  return { count: Number(row?.count ?? 0), ageMs: Math.max(0, nowMs - oldest) }
}
