/** What the last re-check of an entity found, for the domain that shows it. */
import { and, eq } from 'drizzle-orm'
import type { LastRecheck, Rechecked } from '../../runtime/records/compliance.js'
import { complianceTables } from '../tables.js'

export const lastRecheck: LastRecheck = async (db, { orgId, target, entityId }) => {
  const { entityStates: t } = complianceTables(db)
  const [state] = await db
    .select({ result: t.result, checkedAtMs: t.eventAtMs })
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.target, target), eq(t.entityId, entityId)))
  return state === undefined || state.result === null
    ? null
    : { result: state.result as Rechecked['result'], checkedAtMs: state.checkedAtMs }
}
