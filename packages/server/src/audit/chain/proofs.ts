/**
 * Proofs over the surviving rows of a chain, from one pass over their hashes. Memory does not grow with the chain, and
 * other requests are served between pages.
 */
import { EMPTY_FRONTIER, type LeafRange, StreamProver } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { and, asc, eq, gt, lte } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { auditTables } from '../tables.js'
import { anchorOf } from './read-anchor.js'

const PAGE = 5000

/** Runs one read. Proofs need no snapshot: rows are only deleted from the front, and the proof is null then. */
export type Read = <T>(run: (db: Db) => Promise<T>) => Promise<T>

/** The hashes of the ranges; null when a range reaches into the pruned prefix. */
export async function prove(read: Read, chain: string, ranges: readonly LeafRange[]): Promise<string[] | null> {
  if (ranges.length === 0) return []
  const end = Math.max(...ranges.map((range) => range.end))
  const pruned = (await read((db) => anchorOf(db, chain)))?.frontier ?? EMPTY_FRONTIER
  const prover = new StreamProver(nodeCrypto, ranges, pruned)
  for (let after = pruned.size; after < end; ) {
    const page = await read((db) => {
      const { auditEvents } = auditTables(db)
      return db
        .select({ seq: auditEvents.seq, hash: auditEvents.hash })
        .from(auditEvents)
        .where(and(eq(auditEvents.chain, chain), gt(auditEvents.seq, after), lte(auditEvents.seq, end)))
        .orderBy(asc(auditEvents.seq))
        .limit(PAGE)
    })
    for (const { seq, hash } of page) {
      prover.push(hash)
      after = seq
    }
    // Rows were deleted during the pass: the prover reports that some are missing.
    if (page.length === 0) break
    await new Promise<void>((next) => setImmediate(next))
  }
  return prover.proof()
}
