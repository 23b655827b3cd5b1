/**
 * Which heads of chains the signed directories name. A person who can write the database, but lacks the signing key,
 * can reset a chain to an older checkpoint, which is signed as well. The directories that named the newer head still
 * reveal that. INVARIANT: a directory counts only if a key of the log signed it and its heads make the tree that was
 * signed.
 */
import {
  type ChainHead,
  checkNote,
  directoryCheckpoint,
  formatCheckpoint,
  parseCheckpoint,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { asc, gt } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import type { AuditLog } from '../log.js'
import { auditTables } from '../tables.js'

/**
 * The newest head of each chain in any valid directory. All directories are read, because their order is not signed.
 */
export async function signedHeads(db: Db, log: AuditLog): Promise<ReadonlyMap<string, ChainHead>> {
  const { auditDirectories: t } = auditTables(db)
  const newest = new Map<string, ChainHead>()
  for (let after = 0; ; ) {
    const [row] = await db.select().from(t).where(gt(t.position, after)).orderBy(asc(t.position)).limit(1)
    if (row === undefined) return newest
    after = row.position
    if (!isGood(log, row.note, row.heads)) continue
    for (const head of row.heads) {
      if (head.seq > (newest.get(head.chain)?.seq ?? 0)) newest.set(head.chain, head)
    }
  }
}

/** Chains whose head is missing or older than a signed directory says, sorted by name. */
export function chainsBehind(signed: ReadonlyMap<string, ChainHead>, heads: Iterable<ChainHead>): ChainHead[] {
  const stored = new Map([...heads].map(({ chain, seq }) => [chain, seq]))
  return [...signed.values()]
    .filter(({ chain, seq }) => (stored.get(chain) ?? 0) < seq)
    .sort((a, b) => (a.chain < b.chain ? -1 : 1))
}

function isGood(log: AuditLog, note: string, heads: readonly ChainHead[]): boolean {
  const checkpoint = parseCheckpoint(note)
  if (checkpoint === null) return false
  const { verified, failed } = checkNote(nodeCrypto, checkpoint.note, log.logKeys)
  if (verified.length === 0 || failed.length > 0) return false
  return formatCheckpoint(directoryCheckpoint(nodeCrypto, log.origin, heads)) === checkpoint.note.text
}
