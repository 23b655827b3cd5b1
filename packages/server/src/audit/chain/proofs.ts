/**
 * Proofs over the surviving rows of a chain, from one pass over their hashes: memory does not grow with the chain, and
 * between pages other work has its turn.
 */
import { EMPTY_FRONTIER, type LeafRange, StreamProver } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { and, asc, eq, gt, lte } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { auditTables } from '../tables.js'
import { anchorOf } from './read-anchor.js'

const PAGE = 5000

/** Runs one read; proofs need no snapshot, because rows only ever go from the front, and then the proof is null. */
export type Read = <T>(run: (db: Db) => Promise<T>) => Promise<T>

/** The hashes of the ranges, or null when they reach into what is pruned. */
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
    // Rows went while we read: the prover says that some are missing.
    if (page.length === 0) break
    await new Promise<void>((next) => setImmediate(next))
  }
  return prover.proof()
}
