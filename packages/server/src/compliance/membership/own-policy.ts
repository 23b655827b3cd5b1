import { and, eq, isNull } from 'drizzle-orm'
import { notFound } from '../../runtime/errors.js'
import type { Db } from '../../runtime/store/db.js'
import { complianceTables, type PolicyRow } from '../tables.js'

/** @throws Refusal 404 for a policy that is deleted or not the organization's own. */
export async function findOwnPolicy(db: Db, orgId: string, id: string): Promise<PolicyRow> {
  const { policies: t } = complianceTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), eq(t.orgId, orgId), isNull(t.deletedAtMs)))
  if (row === undefined) throw notFound('Policy')
  return row
}
