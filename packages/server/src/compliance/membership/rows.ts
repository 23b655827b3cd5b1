/** Which policies list which rules: an input for assembling the rules in force. */
import { and, asc, inArray, ne, type Placeholder } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { complianceTables } from '../tables.js'

const membershipsOf = prepared((db, value: (name: 'own' | 'parent') => Placeholder) => {
  const { policyRules: t } = complianceTables(db)
  // guard: deleted-policies-do-not-count
  return db
    .select({ policyId: t.policyId, ruleId: t.ruleId, state: t.state })
    .from(t)
    .where(and(inArray(t.orgId, [value('own'), value('parent')]), ne(t.state, 'deleted')))
    .orderBy(asc(t.policyId))
})

/** The memberships in policies of an organization and its parent; deleted policies are left out. */
export async function memberships(
  db: Db,
  orgId: string,
  parentOrgId: string | null = null,
): Promise<{ policyId: string; ruleId: string; isActive: boolean }[]> {
  const rows = await membershipsOf(db, { own: orgId, parent: parentOrgId ?? orgId })
  return rows.map(({ state, ...row }) => ({ ...row, isActive: state === 'active' }))
}

/** The ids of the policies of each rule. */
export function policyIdsByRule(rows: readonly { policyId: string; ruleId: string }[]): ReadonlyMap<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const { policyId, ruleId } of rows) ids.set(ruleId, [...(ids.get(ruleId) ?? []), policyId])
  return ids
}
