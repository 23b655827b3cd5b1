/** Which policies an organization can see. */
import { and, asc, eq, inArray, isNull, or } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Db } from '../../runtime/store/db.js'
import { policyIdsByRule } from '../membership/rows.js'
import { complianceTables } from '../tables.js'

type PolicyTable = ReturnType<typeof complianceTables>['policies']

/** Live policies that the organization can see. */
export const isVisible = (t: PolicyTable, orgId: string) =>
  and(
    isNull(t.deletedAtMs),
    or(eq(t.orgId, orgId), and(eq(t.orgId, SYSTEM_ORG_ID), or(eq(t.isTemplate, true), eq(t.isPublished, true)))),
  )

/** The policies of the system organization that the organization can see, by the id of each rule that they list. */
export async function offeredPolicies(
  db: Db,
  orgId: string,
  ruleIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  if (ruleIds.length === 0) return new Map()
  const { policies: t, policyRules: r } = complianceTables(db)
  const rows = await db
    .select({ policyId: t.id, ruleId: r.ruleId })
    .from(r)
    .innerJoin(t, and(eq(t.id, r.policyId), eq(t.orgId, r.orgId)))
    .where(and(eq(r.orgId, SYSTEM_ORG_ID), inArray(r.ruleId, [...ruleIds]), isVisible(t, orgId)))
    .orderBy(asc(t.id))
  return policyIdsByRule(rows)
}
