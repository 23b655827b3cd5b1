/** Reads the anchor of a chain's pruned prefix, its newest checkpoint and its head. */
import type { SignedAnchor } from '@plumbline/audit-chain'
import { and, desc, eq, lte } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { auditTables } from '../tables.js'

export async function anchorOf(db: Db, chain: string): Promise<SignedAnchor | null> {
  const { auditAnchors } = auditTables(db)
  const [row] = await db.select().from(auditAnchors).where(eq(auditAnchors.chain, chain))
  return row ?? null
}

/** The newest checkpoint, or the newest one of at most `size`. */
export async function checkpointOf(
  db: Db,
  chain: string,
  size = Number.MAX_SAFE_INTEGER,
): Promise<{ readonly size: number; readonly note: string; readonly createdAtMs: number } | null> {
  const { auditCheckpoints } = auditTables(db)
  const [row] = await db
    .select()
    .from(auditCheckpoints)
    .where(and(eq(auditCheckpoints.chain, chain), lte(auditCheckpoints.size, size)))
    .orderBy(desc(auditCheckpoints.size))
    .limit(1)
  return row ?? null
}

export async function headOf(db: Db, chain: string) {
  const { auditHeads } = auditTables(db)
  const [row] = await db.select().from(auditHeads).where(eq(auditHeads.chain, chain))
  return row ?? null
}
