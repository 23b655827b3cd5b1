/** The single notification at the end of a scan, with the first of the blocked records (spec compliance 10, 14). */
import { and, asc, eq } from 'drizzle-orm'
import type { OutboxMessage } from '../../runtime/operation/context.js'
import { announce } from '../../runtime/records/notification.js'
import type { Db } from '../../runtime/store/db.js'
import { announcementOfScan, type FinishedScan } from '../notice/event.js'
import { complianceTables, type ScanRow } from '../tables.js'

const NAMED_MAX = 20

/**
 * Null when there is nothing to report: a dry run, no findings, or only findings of rules that suppress notifications.
 */
export async function scanSummary(db: Db, scan: ScanRow, finishedAtMs: number): Promise<OutboxMessage | null> {
  if (scan.dryRun || scan.toldCount === 0) return null
  const { id: scanId, orgId, target, passCount: pass, warnCount: warn, blockCount: block, processedEntities } = scan
  const totals = { total: processedEntities, pass, warn, block }
  const blocked = await firstBlocked(db, scan)
  const announcement = announcementOfScan({ scanId, target, totals, blocked, finishedAtMs })
  return announcement === null ? null : announce(orgId, announcement)
}

interface Violated {
  readonly ruleName: string
  readonly severity: string
  readonly suppressNotification: boolean
}

/** The first blocked records with those of their violated rules that do not suppress notifications. */
async function firstBlocked(db: Db, scan: ScanRow): Promise<FinishedScan['blocked']> {
  const { checks: t } = complianceTables(db)
  const rows = await db
    .select({ entityId: t.entityId, entityName: t.entityName, violations: t.violations })
    .from(t)
    .where(and(eq(t.orgId, scan.orgId), eq(t.scanId, scan.id), eq(t.result, 'block')))
    .orderBy(asc(t.id))
    .limit(NAMED_MAX)
  return rows.flatMap(({ entityId, entityName, violations }) => {
    const ruleNames = (violations as readonly Violated[])
      .filter(({ severity, suppressNotification }) => severity !== 'warning' && !suppressNotification)
      .map(({ ruleName }) => ruleName)
    return entityId === null || ruleNames.length === 0 ? [] : [{ entityId, entityName, ruleNames }]
  })
}
