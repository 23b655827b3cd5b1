/** Adds a rule to a policy, as the author of a rule can request when writing it. */
import { and, asc, eq, ne } from 'drizzle-orm'
import { invalidField, Refusal } from '../../runtime/errors.js'
import type { Db } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { recordMemberships } from '../past/record.js'
import { stampRules } from '../rule-stamp.js'
import { complianceTables, type RuleRow } from '../tables.js'
import { findOwnPolicy } from './own-policy.js'
import { restateMembers, type Writing } from './write.js'

/**
 * @returns false when the policy already lists the rule.
 * @throws Refusal 400 for an id that is not a policy of the rule's organization.
 */
export async function linkRule(
  context: Writing,
  { id: ruleId, orgId }: Pick<RuleRow, 'id' | 'orgId'>,
  policyId: string,
): Promise<boolean> {
  const { tx, runtime } = context
  const policy = await findOwnPolicy(tx, orgId, policyId).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    throw invalidField('/body/policyId', 'is not a policy of the organization', 'unknown_policy')
  })
  const { policyRules: t } = complianceTables(tx)
  const isNew = await insertNew(tx, t, { id: runtime.ids.next(), orgId, policyId, ruleId, state: 'active' })
  if (isNew) await restateMembers(context, policy)
  return isNew
}

/** Removes the rule from every policy. @returns false when no policy listed it. */
// guard: a-rule-is-taken-out-of-the-policies-of-its-own-organization
export async function unlinkRule(context: Writing, { id, orgId }: Pick<RuleRow, 'id' | 'orgId'>): Promise<boolean> {
  const { tx } = context
  const { policyRules: t } = complianceTables(tx)
  const gone = await tx
    .delete(t)
    .where(and(eq(t.ruleId, id), eq(t.orgId, orgId), ne(t.state, 'deleted')))
    .returning({ id: t.id })
  if (gone.length > 0) {
    await recordMemberships(context, orgId, { ruleId: id })
    await stampRules(tx, orgId)
  }
  return gone.length > 0
}

/** The ids of the policies that list one rule, in a fixed order. */
export async function policiesOf(db: Db, { id, orgId }: Pick<RuleRow, 'id' | 'orgId'>): Promise<string[]> {
  const { policyRules: t } = complianceTables(db)
  const rows = await db
    .select({ policyId: t.policyId })
    .from(t)
    .where(and(eq(t.ruleId, id), eq(t.orgId, orgId), ne(t.state, 'deleted')))
    .orderBy(asc(t.policyId))
  return rows.map(({ policyId }) => policyId)
}
