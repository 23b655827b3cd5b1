/** What the last check of a stored record found, by a re-check or a scan, for the domain that shows the record. */
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { LastRecheck, Rechecked } from '../../runtime/records/compliance.js'
import { complianceTables } from '../tables.js'

/** The state of the last re-check is kept when the check log is pruned. */
export const lastRecheck: LastRecheck = async (db, { orgId, target, entityId }) => {
  const { entityStates: t, checks: c } = complianceTables(db)
  const [state] = await db
    .select({ result: t.result, checkedAtMs: t.eventAtMs })
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.target, target), eq(t.entityId, entityId)))
  const [logged] = await db
    .select({ result: c.result, checkedAtMs: c.createdAtMs })
    .from(c)
    .where(
      and(eq(c.orgId, orgId), eq(c.entityId, entityId), eq(c.target, target), inArray(c.action, ['recheck', 'scan'])),
    )
    .orderBy(desc(c.createdAtMs), desc(c.id))
    .limit(1)
  const known = [logged, state].filter((each) => each !== undefined && each.result !== null) as Rechecked[]
  const [first, second] = known
  if (first === undefined) return null
  return second !== undefined && second.checkedAtMs > first.checkedAtMs ? second : first
}
