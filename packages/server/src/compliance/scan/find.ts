/** One scan of the organization. */
import { and, eq } from 'drizzle-orm'
import { notFound } from '../../runtime/errors.js'
import type { Db } from '../../runtime/store/db.js'
import { complianceTables, type ScanRow } from '../tables.js'

/** @throws Refusal 404. */
export async function findScan(db: Db, orgId: string, id: string): Promise<ScanRow> {
  const { scans: t } = complianceTables(db)
  // guard: a-scan-to-be-shown-is-an-own-one
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), eq(t.orgId, orgId)))
  if (row === undefined) throw notFound('Scan')
  return row
}
