/** How an exemption goes from one state to the next. */
import { and, eq, or } from 'drizzle-orm'
import { notFound, Refusal } from '../../runtime/errors.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { complianceTables, type ExemptionRow } from '../tables.js'

/** An exemption that the organization requested or decides about. @throws Refusal 404. */
export async function findConcerned(db: Db, orgId: string, id: string): Promise<ExemptionRow> {
  const { exemptions: t } = complianceTables(db)
  // guard: an-exemption-of-another-organization
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), or(eq(t.orgId, orgId), eq(t.reviewOrgId, orgId))))
  if (row === undefined) throw notFound('Exemption')
  return row
}

/**
 * Changes the row only if it is still in the state that was read: of two concurrent decisions, one wins. @throws
 * Refusal 409.
 */
export async function moveOn(tx: Tx, row: ExemptionRow, change: Partial<ExemptionRow>): Promise<ExemptionRow> {
  const { exemptions: t } = complianceTables(tx)
  const [next] = await tx
    .update(t)
    .set({ ...change, revision: row.revision + 1 })
    .where(and(eq(t.id, row.id), eq(t.orgId, row.orgId), eq(t.status, row.status), eq(t.revision, row.revision)))
    .returning()
  if (next === undefined)
    throw new Refusal('CONFLICT', 'another person decided about the exemption at the same time: read it again')
  return next
}

export const ACROSS = 'the owner of an inherited rule decides about exemptions of its teams'
