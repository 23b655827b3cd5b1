/**
 * Verifies a stored chain with the package that outsiders verify with, in pages and constant memory, against everything
 * that the database claims about it: anchor, head, newest checkpoint, and the signed directories that named its head.
 * Source: spec billing-audit 22.
 */
import { type ChainHead, LogVerifier, type VerifyReport } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import type { Db } from '../../runtime/store/db.js'
import type { AuditLog } from '../log.js'
import { anchorOf, checkpointOf, headOf } from './read-anchor.js'
import { readPages } from './read-pages.js'

/** `db` shows one state of the database. `signed` is the newest head that a signed directory named before that state. */
export async function verifyStoredChain(
  db: Db,
  log: AuditLog,
  chain: string,
  signed: ChainHead | null,
): Promise<VerifyReport> {
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
  let atSigned = anchor !== null && anchor.throughSeq === signed?.seq ? anchor.hash : null
  for await (const records of readPages(db, chain, { after: anchor?.throughSeq ?? 0, strict: false })) {
    for (const record of records) {
      verifier.push(record)
      if (record.seq === signed?.seq) atSigned = record.hash
    }
    count += records.length
  }
  const report = head !== null || count === 0 ? verifier.finish() : headless(verifier.finish())
  const isPruned = signed !== null && signed.seq < (anchor?.throughSeq ?? 0)
  if (signed === null || isPruned || atSigned === signed.hash) return withDoubt(report)
  return rolledBack(report, signed, atSigned, anchor?.throughSeq ?? 0)
}

/** A signed directory names an event that is not there, or is another one. */
function rolledBack(report: VerifyReport, signed: ChainHead, actual: string | null, pruned: number): VerifyReport {
  if (report.verdict === 'invalid') return report
  const { cannotTell: _cannotTell, ...rest } = report
  const last = report.lastSeq ?? pruned
  return {
    ...rest,
    verdict: 'invalid',
    ok: false,
    reason: actual === null ? 'truncated' : 'head_mismatch',
    brokenSeq: actual === null ? last + 1 : signed.seq,
    brokenAt: null,
    evidence:
      actual === null
        ? { what: 'last event by a signed directory', expected: signed.seq, actual: last }
        : { what: `hash of event ${signed.seq} by a signed directory`, expected: signed.hash, actual },
    coveredThrough: 0,
    doubts: [],
  }
}

/** Checkpoints and directories lie in one database: anyone who puts all of them back leaves nothing here that shows it. */
function withDoubt(report: VerifyReport): VerifyReport {
  const isWitnessed = report.checkpoints.some(({ verified, witnesses }) => verified && witnesses.length > 0)
  if (report.doubts.length === 0 || isWitnessed) return report
  const text =
    'anyone who can write the database could have put the log back to an older signed state: only a checkpoint kept outside of it, or a witness, would show it'
  return { ...report, doubts: [...report.doubts, { code: 'rolled-back', text }] }
}

/** Rows without a head row: the person who removed it may have removed events with it. */
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
