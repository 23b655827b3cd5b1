/**
 * The directory checkpoint: a signed tree over the heads of all chains, so that a missing chain is noticed (spec
 * billing-audit 21). The newest directories are kept with the heads that they cover.
 */
import { type ChainHead, directoryCheckpoint, signCheckpoint } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { asc, desc, gt, lte } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { chainsBehind, signedHeads } from '../chain/directories.js'
import { auditLog } from '../log.js'
import { auditTables } from '../tables.js'

const KEPT = 20
const PAGE = 2000

export interface SignedDirectory {
  readonly note: string
  readonly heads: readonly ChainHead[]
  readonly createdAtMs: number
}

/**
 * Null when no head moved since the last directory. @throws Error when a chain is older than an earlier directory says:
 * a new directory would replace the one that reveals it.
 */
export async function signDirectory(runtime: Runtime): Promise<SignedDirectory | null> {
  const heads = await assertNotBehind(runtime)
  if (heads.length === 0) return null
  const log = auditLog(runtime.settings)
  const note = signCheckpoint(nodeCrypto, directoryCheckpoint(nodeCrypto, log.origin, heads), [log.signingKey])
  const createdAtMs = runtime.clock.now()
  return runtime.store.system.write(async (tx) => {
    const { auditDirectories: directories } = auditTables(tx)
    const [newest] = await tx.select().from(directories).orderBy(desc(directories.position)).limit(1)
    if (newest?.note === note) return null
    const [stored] = await tx.insert(directories).values({ note, heads, createdAtMs }).returning()
    if (stored !== undefined) await tx.delete(directories).where(lte(directories.position, stored.position - KEPT))
    return { note, heads, createdAtMs }
  }, 'audit.directory')
}

/** The current heads. @throws Error that names the chains for which a signed directory has a newer head. */
export async function assertNotBehind(runtime: Pick<Runtime, 'store' | 'settings'>): Promise<readonly ChainHead[]> {
  const { heads, behind } = await runtime.store.system.snapshot(async (db) => {
    const heads = await allHeads(db)
    return { heads, behind: chainsBehind(await signedHeads(db, auditLog(runtime.settings)), heads) }
  })
  if (behind.length === 0) return heads
  const named = behind.slice(0, 3).map(({ chain, seq }) => {
    const now = heads.find((head) => head.chain === chain)?.seq ?? 0
    return `\`${chain}\` ends at event ${now}, and a signed directory names event ${seq}`
  })
  throw new RolledBack(`the audit log was rolled back or truncated: ${named.join('; ')}`)
}

export class RolledBack extends Error {}

async function allHeads(db: Db): Promise<ChainHead[]> {
  const { auditHeads } = auditTables(db)
  const all: ChainHead[] = []
  for (let after = ''; ; ) {
    const page = await db
      .select({ chain: auditHeads.chain, seq: auditHeads.seq, hash: auditHeads.hash })
      .from(auditHeads)
      .where(gt(auditHeads.chain, after))
      .orderBy(asc(auditHeads.chain))
      .limit(PAGE)
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return all
    after = last.chain
  }
}
