/** Whether a builder is running: builders are known by their claims and heartbeats (`docs/decisions/0070`). */
import { lt, max } from 'drizzle-orm'
import type { Db, Tx } from '../../runtime/store/db.js'
import { pluginTables } from '../tables.js'

/** A builder that neither claimed a build nor sent a heartbeat for this time counts as gone. */
export const BUILDER_GONE_MS = 5 * 60_000
/** A builder polls every few seconds; its time is written at most this often. */
const NOTED_EVERY_MS = 60_000

export async function noteBuilder(tx: Tx, worker: string, nowMs: number): Promise<void> {
  const { builders } = pluginTables(tx)
  const row = { name: worker, seenAtMs: nowMs }
  await tx
    .insert(builders)
    .values(row)
    .onConflictDoUpdate({ target: builders.name, set: row, setWhere: lt(builders.seenAtMs, nowMs - NOTED_EVERY_MS) })
}

export async function hasBuilder(db: Db, nowMs: number): Promise<boolean> {
  const { builders } = pluginTables(db)
  const [seen] = await db.select({ atMs: max(builders.seenAtMs) }).from(builders)
  return seen?.atMs !== null && seen?.atMs !== undefined && Number(seen.atMs) > nowMs - BUILDER_GONE_MS
}
