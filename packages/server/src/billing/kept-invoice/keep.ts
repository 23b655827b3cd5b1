/** Moves the invoices of a purged account to where they are kept for ten years. */
import { asc, eq, inArray } from 'drizzle-orm'
import { findOrganization } from '../../identity/index.js'
import type { Tx } from '../../runtime/store/db.js'
import { isSandbox } from '../account/open.js'
import { keptTables } from '../kept-tables.js'
import { billingTables } from '../tables.js'

const KEPT_YEARS = 10

/** The same day and time ten years later; for 29 February the 1st of March. */
export function keptUntil(closedAtMs: number): number {
  const at = new Date(closedAtMs)
  return at.setUTCFullYear(at.getUTCFullYear() + KEPT_YEARS)
}

/**
 * Moves at most `rowsMax` invoices out of the account. Invoices of a test clock are not real debt and are deleted.
 *
 * @returns The number of invoices.
 */
export async function keepInvoices(tx: Tx, orgId: string, rowsMax: number, nowMs: number): Promise<number> {
  const { billingInvoices: t } = billingTables(tx)
  const rows = await tx.select().from(t).where(eq(t.orgId, orgId)).orderBy(asc(t.id)).limit(rowsMax)
  if (rows.length === 0) return 0
  // guard: invoices-outlive-their-organization
  if (!(await isSandbox(tx, orgId))) {
    const customerName = (await findOrganization(tx, orgId))?.name ?? orgId
    const kept = { customerName, closedAtMs: nowMs, keptUntilMs: keptUntil(nowMs) }
    const { billingKeptInvoices } = keptTables(tx)
    for (const { orgId: accountId, ...invoice } of rows) {
      await tx.insert(billingKeptInvoices).values({ ...invoice, accountId, ...kept })
    }
  }
  const ids = rows.map(({ id }) => id)
  await tx.delete(t).where(inArray(t.id, ids))
  return rows.length
}
