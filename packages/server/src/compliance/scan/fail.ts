/** Marks a scan that cannot continue as failed: it never stays running, and is never shown as complete. */
import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { complianceTables, type ScanRow } from '../tables.js'
import { FREED } from './open.js'

/** @returns false when the scan had already ended. */
export async function failScan(
  tx: Tx,
  { id, orgId }: Pick<ScanRow, 'id' | 'orgId'>,
  errorMessage: string,
  nowMs: number,
): Promise<boolean> {
  const { scans: t } = complianceTables(tx)
  const failed = await tx
    .update(t)
    .set({ status: 'failed', errorMessage, completedAtMs: nowMs, ...FREED })
    .where(and(eq(t.id, id), eq(t.orgId, orgId), inArray(t.status, ['pending', 'running'])))
    .returning({ id: t.id })
  return failed.length > 0
}
