/**
 * Signs a checkpoint of every chain that grew, and queues its publication. Each checkpoint is stored in its own
 * transaction, together with the mark on the head. INVARIANT: only the committed head is signed, and a note leaves the
 * process only after its commit.
 */
import { chainOrigin, frontierRoot, signCheckpoint } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { auditLog } from '../log.js'
import { auditTables } from '../tables.js'

export const PUBLISH_JOB = 'audit.checkpoint-publish'

const CHAINS_MAX = 200

/** @returns how many chains got a checkpoint. Names are read in pages, so that no transaction spans many chains. */
export async function signMoved(runtime: Runtime, behindBy = 1): Promise<number> {
  let signed = 0
  for (let after = ''; ; ) {
    const chains = await runtime.store.system.read((db) => {
      const { auditHeads } = auditTables(db)
      return db
        .select({ chain: auditHeads.chain })
        .from(auditHeads)
        .where(and(gt(auditHeads.chain, after), sql`${auditHeads.seq} >= ${auditHeads.checkpointSize} + ${behindBy}`))
        .orderBy(asc(auditHeads.chain))
        .limit(CHAINS_MAX)
    })
    for (const { chain } of chains) {
      if (await runtime.store.system.write((tx) => signChain(tx, runtime, chain), 'audit.checkpoint')) signed += 1
    }
    const last = chains.at(-1)
    if (last === undefined || chains.length < CHAINS_MAX) return signed
    after = last.chain
  }
}

/** @returns false when the chain has not grown since its newest checkpoint. */
export async function signChain(tx: Tx, runtime: Runtime, chain: string): Promise<boolean> {
  const { auditHeads, auditCheckpoints } = auditTables(tx)
  const [head] = await tx.select().from(auditHeads).where(eq(auditHeads.chain, chain))
  if (head === undefined || head.seq <= head.checkpointSize) return false
  if (head.frontier.size !== head.seq) throw new Error(`head and tree of chain ${chain} differ`)
  const log = auditLog(runtime.settings)
  const origin = chainOrigin(log.origin, chain)
  const root = frontierRoot(nodeCrypto, head.frontier)
  const note = signCheckpoint(nodeCrypto, { origin, size: head.seq, root, head: head.hash }, [log.signingKey])
  const marked = await tx
    .update(auditHeads)
    .set({ checkpointSize: head.seq })
    .where(and(eq(auditHeads.chain, chain), eq(auditHeads.checkpointSize, head.checkpointSize)))
    .returning({ chain: auditHeads.chain })
  // Another replica signed in the meantime.
  if (marked.length === 0) return false
  await tx
    .insert(auditCheckpoints)
    .values({ chain, size: head.seq, note, createdAtMs: runtime.clock.now() })
    .onConflictDoNothing()
  const { AUDIT_CHECKPOINT_DIR, AUDIT_WITNESS_URL } = runtime.settings
  if (AUDIT_CHECKPOINT_DIR !== null || AUDIT_WITNESS_URL !== null) {
    await enqueue(tx, runtime, {
      kind: PUBLISH_JOB,
      payload: { chain, size: head.seq },
      uniqueKey: `${chain}:${head.seq}`,
    })
  }
  return true
}
