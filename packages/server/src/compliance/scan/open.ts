/**
 * Creates a scan and queues its job, in one transaction. While a scan is open, a second scan of the same records is
 * refused: the slots of its targets are unique in the database, also for concurrent requests.
 */
import { and, eq, isNotNull, or } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { OutboxMessage, Runtime } from '../../runtime/operation/context.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { complianceTables, type ScanRow, type StoredScanFilter } from '../tables.js'
import { type ScanTarget, type ScanTrigger, targetsOf } from './record.js'

export const SCAN_JOB = 'compliance.scan'
export const EXEMPT = 'system org is exempt'

export interface WantedScan {
  readonly orgId: string
  readonly userId: string | null
  readonly target: ScanTarget
  readonly filter: StoredScanFilter | null
  readonly dryRun: boolean
  readonly triggeredBy: ScanTrigger
  /** The schedule and its time slot; null for a scan without a schedule. */
  readonly slotKey: string | null
}

interface Opening {
  readonly tx: Tx
  readonly nowMs: number
  enqueue(message: OutboxMessage): Promise<void>
}

const TAKEN = 'open'

/**
 * @returns null while another scan covers some of the records, and when the slot of a schedule already has its scan.
 */
export async function openScan(runtime: Runtime, opening: Opening, wanted: WantedScan): Promise<ScanRow | null> {
  const { tx, nowMs } = opening
  const { scans: t } = complianceTables(tx)
  // guard: the-system-organization-is-exempt-from-scans
  const isExempt = wanted.orgId === SYSTEM_ORG_ID && !runtime.settings.SYSTEM_ORG_SCANS_ENABLED
  const targets = isExempt ? [] : targetsOf(wanted)
  const row: ScanRow = {
    id: runtime.ids.next(),
    ...wanted,
    status: isExempt ? 'completed' : 'pending',
    // guard: one-scan-of-the-same-records-at-a-time
    pluginSlot: targets.includes('plugin') ? TAKEN : null,
    pipelineSlot: targets.includes('pipeline') ? TAKEN : null,
    totalEntities: 0,
    processedEntities: 0,
    passCount: 0,
    warnCount: 0,
    blockCount: 0,
    toldCount: 0,
    cursorTarget: null,
    cursorId: null,
    errorMessage: isExempt ? EXEMPT : null,
    heartbeatAtMs: null,
    startedAtMs: isExempt ? nowMs : null,
    completedAtMs: isExempt ? nowMs : null,
    cancelledAtMs: null,
    cancelledBy: null,
    createdAtMs: nowMs,
  }
  if (!(await insertNew(tx, t, row))) return null
  if (!isExempt) await opening.enqueue(scanWork(row))
  return row
}

/** The job of a scan; at most one is queued at a time. */
export const scanWork = ({ id, orgId }: Pick<ScanRow, 'id' | 'orgId'>): OutboxMessage => ({
  kind: SCAN_JOB,
  orgId,
  payload: { scanId: id },
  uniqueKey: id,
})

/** The open scan that conflicts with a new one of this target; null when it has just ended. */
export async function scanInTheWay(db: Db, orgId: string, target: ScanTarget): Promise<string | null> {
  const { scans: t } = complianceTables(db)
  const targets = targetsOf({ target })
  const [row] = await db
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        eq(t.orgId, orgId),
        or(
          targets.includes('plugin') ? isNotNull(t.pluginSlot) : undefined,
          targets.includes('pipeline') ? isNotNull(t.pipelineSlot) : undefined,
        ),
      ),
    )
    .limit(1)
  return row?.id ?? null
}

/** Written at every end of a scan: frees its slots for the next scan. */
export const FREED = { pluginSlot: null, pipelineSlot: null }
