/**
 * What a sweep writes: rows of the check log, the counts and the cursor, in one transaction. The update compares the
 * known state, so a worker that lost the scan to another, or whose scan was cancelled, writes nothing more.
 *
 * INVARIANT: processed = pass + warn + block, and each processed entity of a scan that is not a dry run has its row.
 */
import { and, eq, type Placeholder, sql } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { keepFindings } from '../check/keep-findings.js'
import { recordChecks } from '../check/record.js'
import type { CheckResult } from '../check/verdict.js'
import { complianceTables, type ScanRow } from '../tables.js'
import type { Evaluated } from './evaluate.js'

/** The scan was cancelled or failed, or another worker has continued it. */
export class Overtaken extends Error {
  constructor() {
    super('another worker has the scan')
    this.name = 'Overtaken'
  }
}

type Moved = Pick<
  ScanRow,
  | 'processedEntities'
  | 'totalEntities'
  | 'passCount'
  | 'warnCount'
  | 'blockCount'
  | 'toldCount'
  | 'cursorTarget'
  | 'cursorId'
  | 'heartbeatAtMs'
>

/** Prepared once, because a scan has thousands of batches. */
const moveOn = prepared((db, value: (name: keyof Moved | 'id' | 'orgId' | 'known') => Placeholder) => {
  const { scans: t } = complianceTables(db)
  return db
    .update(t)
    .set({
      processedEntities: sql`${value('processedEntities')}`,
      totalEntities: sql`${value('totalEntities')}`,
      passCount: sql`${value('passCount')}`,
      warnCount: sql`${value('warnCount')}`,
      blockCount: sql`${value('blockCount')}`,
      toldCount: sql`${value('toldCount')}`,
      cursorTarget: sql`${value('cursorTarget')}`,
      cursorId: sql`${value('cursorId')}`,
      heartbeatAtMs: sql`${value('heartbeatAtMs')}`,
    })
    .where(
      and(
        eq(t.id, value('id')),
        eq(t.orgId, value('orgId')),
        // guard: a-cancelled-scan-writes-nothing-more
        eq(t.status, 'running'),
        eq(t.processedEntities, value('known')),
      ),
    )
    .returning({ id: t.id })
})

/** @returns the scan after the batch. @throws Overtaken when nothing was written. */
export async function writeBatch(
  tx: Tx,
  { ids }: Pick<Runtime, 'ids'>,
  scan: ScanRow,
  batch: readonly Evaluated[],
  nowMs: number,
): Promise<ScanRow> {
  const last = batch.at(-1)
  if (last === undefined) return scan
  const count = (result: CheckResult) => batch.filter(({ row }) => row.result === result).length
  const processedEntities = scan.processedEntities + batch.length
  const moved = {
    processedEntities,
    totalEntities: Math.max(scan.totalEntities, processedEntities),
    passCount: scan.passCount + count('pass'),
    warnCount: scan.warnCount + count('warn'),
    blockCount: scan.blockCount + count('block'),
    toldCount: scan.toldCount + batch.filter(({ isTold }) => isTold).length,
    cursorTarget: last.row.target,
    cursorId: last.row.entityId,
    heartbeatAtMs: nowMs,
  }
  const { id, orgId, processedEntities: known } = scan
  const updated = await moveOn(tx, { ...moved, id, orgId, known })
  if (updated.length === 0) throw new Overtaken()
  if (!scan.dryRun) {
    await recordChecks(
      tx,
      batch.map(({ row }) => row),
    )
    await keepFindings(tx, ids, batch)
  }
  return { ...scan, ...moved }
}
