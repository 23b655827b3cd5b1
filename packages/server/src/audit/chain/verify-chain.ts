/**
 * Verifies a stored chain with the package that outsiders verify with, in pages and constant memory, against everything
 * that the database claims about it: anchor, head, newest checkpoint. Source: billing decisions 22.
 */
import { LogVerifier, type VerifyReport } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import type { Db } from '../../runtime/store/db.js'
import type { AuditLog } from '../log.js'
import { anchorOf, checkpointOf, headOf } from './read-anchor.js'
import { readPages } from './read-pages.js'

/** `db` shows one state of the database. */
export async function verifyChain(db: Db, log: AuditLog, chain: string): Promise<VerifyReport> {
  const anchor = await anchorOf(db, chain)
  const head = await headOf(db, chain)
  const newest = await checkpointOf(db, chain)
  const checkpoints = newest === null ? [] : [newest.note]
  // A head that says there is a checkpoint, and none there: the empty text counts as one that cannot be read.
  if (head !== null && head.checkpointSize > (newest?.size ?? 0)) checkpoints.push('')
  const verifier = new LogVerifier(nodeCrypto, {
    chain,
    origin: log.origin,
    anchor,
    head,
    checkpoints,
    keys: [...log.logKeys, ...(log.witnessKey === null ? [] : [log.witnessKey])],
  })
  let count = 0
  for await (const records of readPages(db, chain, { after: anchor?.throughSeq ?? 0, strict: false })) {
    for (const record of records) verifier.push(record)
    count += records.length
  }
  if (head !== null || count === 0) return verifier.finish()
  return headless(verifier.finish())
}

/** Rows without a head row: whoever removed it may have removed events with it. */
function headless(report: VerifyReport): VerifyReport {
  if (!report.ok) return report
  const { cannotTell: _cannotTell, ...rest } = report
  return {
    ...rest,
    verdict: 'invalid',
    ok: false,
    reason: 'head_mismatch',
    brokenSeq: report.lastSeq,
    brokenAt: null,
    evidence: { what: 'head of the chain', expected: 'a row', actual: null },
    doubts: [],
  }
}
