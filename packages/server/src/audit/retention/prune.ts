/**
 * Retention: deletes the oldest events of a chain, without gaps and only as far as a signed checkpoint reaches, and
 * stores the anchor that keeps the rest provable. Source: spec billing-audit 21.
 *
 * INVARIANT: the anchor, the deletion and the event that reports it are one transaction.
 */
import { checkNote, type ParsedCheckpoint, parseCheckpoint, planPrune, signAnchor } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { and, asc, eq, gt, lt, lte, ne } from 'drizzle-orm'
import { DAY_MS, toIso } from '../../runtime/clock.js'
import { outsideRequest, writeEvidence } from '../../runtime/jobs/evidence.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { anchorOf, checkpointOf } from '../chain/read-anchor.js'
import { type AuditLog, auditLog } from '../log.js'
import { auditTables } from '../tables.js'
import { deletePrefix } from './maintenance.js'

/** Rows that one transaction deletes; on SQLite other writes wait for it. */
const ROWS_MAX = 2000

/** Prunes every chain. @returns how many events were deleted. */
export async function pruneAll(runtime: Runtime, signal?: AbortSignal): Promise<number> {
  const days = runtime.settings.AUDIT_RETENTION_DAYS
  if (days === 0) return 0
  const before = toIso(runtime.clock.now() - days * DAY_MS)
  let pruned = 0
  const stopped = () => signal?.aborted === true
  for (let after = ''; !stopped(); ) {
    const [next] = await runtime.store.system.read((db) => {
      const { auditHeads } = auditTables(db)
      return db
        .select({ chain: auditHeads.chain })
        .from(auditHeads)
        .where(gt(auditHeads.chain, after))
        .orderBy(asc(auditHeads.chain))
        .limit(1)
    })
    if (next === undefined) break
    for (let gone = ROWS_MAX; gone === ROWS_MAX && !stopped(); ) {
      gone = await runtime.store.system.write((tx) => pruneChain(tx, runtime, next.chain, before), 'audit.prune')
      pruned += gone
    }
    after = next.chain
  }
  return pruned
}

/** One batch. @returns how many events were deleted, 0 when none may be. */
export async function pruneChain(tx: Tx, runtime: Runtime, chain: string, before: string): Promise<number> {
  const log = auditLog(runtime.settings)
  const { auditEvents, auditAnchors } = auditTables(tx)
  const checkpoint = await checkpointOf(tx, chain)
  const covered = checkpoint === null ? null : vouched(log, checkpoint.note)
  if (covered === null) return 0
  const previous = await anchorOf(tx, chain)
  const prefix = and(
    eq(auditEvents.chain, chain),
    lt(auditEvents.createdAt, before),
    lte(auditEvents.seq, covered.size),
  )
  // Pruning itself writes an event. A chain with only such events to delete is left alone, else pruning would never
  // end.
  const worthwhile = await tx
    .select({ seq: auditEvents.seq })
    .from(auditEvents)
    .where(and(prefix, ne(auditEvents.action, 'audit.prune')))
    .limit(1)
  if (worthwhile.length === 0) return 0
  const rows = await tx
    .select({ seq: auditEvents.seq, hash: auditEvents.hash, createdAt: auditEvents.createdAt })
    .from(auditEvents)
    .where(eq(auditEvents.chain, chain))
    .orderBy(asc(auditEvents.seq))
    .limit(ROWS_MAX)
  const anchor = planPrune(nodeCrypto, {
    origin: log.origin,
    chain,
    previous,
    rows,
    before,
    checkpointSize: covered.size,
    prunedAt: toIso(runtime.clock.now()),
  })
  if (anchor === null) return 0
  const signed = signAnchor(nodeCrypto, anchor, [log.signingKey])
  await tx.insert(auditAnchors).values(signed).onConflictDoUpdate({ target: auditAnchors.chain, set: signed })
  const gone = await deletePrefix(runtime.store, tx, chain, anchor.throughSeq)
  const expected = anchor.throughSeq - (previous?.throughSeq ?? 0)
  if (gone !== expected) throw new Error(`${gone} events of chain ${chain} went, ${expected} were planned`)
  await writeEvidence(tx, outsideRequest(runtime), 'audit.prune', {
    orgId: chainOrg(chain),
    targetType: 'audit-chain',
    targetId: chain,
    details: { name: `through ${anchor.throughSeq}`, reason: `older than ${before}` },
  })
  return gone
}

/** The checkpoint, if a key of the log signed it: an inserted row without a valid signature allows no deletion. */
function vouched({ logKeys }: AuditLog, note: string): ParsedCheckpoint | null {
  const parsed = parseCheckpoint(note)
  if (parsed === null) return null
  const { verified, failed } = checkNote(nodeCrypto, parsed.note, logKeys)
  // guard: retention-trusts-signed-checkpoints-alone
  return verified.length > 0 && failed.length === 0 ? parsed : null
}

const chainOrg = (chain: string): string | null => (chain.startsWith('__') ? null : chain)
