/**
 * Verifies a stored chain with the same package that outsiders use, in pages and constant memory. It compares the chain
 * with everything that the database claims about it: anchor, head, newest checkpoint, and the signed directories that
 * named its head. Source: spec billing-audit 22.
 */
import { type ChainHead, LogVerifier, type VerifyReport } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import type { Db } from '../../runtime/store/db.js'
import type { AuditLog } from '../log.js'
import { anchorOf, checkpointOf, headOf } from './read-anchor.js'
import { readPages } from './read-pages.js'

/**
 * @param db a snapshot of the database.
 * @param signed the newest head that a signed directory named before that snapshot.
 */
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
  // The head says that a checkpoint exists, but none is stored: the empty text counts as an unreadable checkpoint.
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

/** A signed directory names an event that is missing or different. */
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

/** Checkpoints and directories are in one database: a person who resets all of them leaves no trace in it. */
function withDoubt(report: VerifyReport): VerifyReport {
  const isWitnessed = report.checkpoints.some(({ verified, witnesses }) => verified && witnesses.length > 0)
  if (report.doubts.length === 0 || isWitnessed) return report
  const text =
    'a person who can write the database could have replaced the log with an older signed state: only a checkpoint kept elsewhere, or a witness, would show it'
  return { ...report, doubts: [...report.doubts, { code: 'rolled-back', text }] }
}

/** Rows without a head row: the person who deleted the head may have deleted events with it. */
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
