/** Lists a rule in a policy, as its author may say when writing the rule. */
import { and, asc, eq, ne } from 'drizzle-orm'
import { invalidField, Refusal } from '../../runtime/errors.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { complianceTables, type RuleRow } from '../tables.js'
import { findOwnPolicy } from './record.js'
import { restateMembers } from './write.js'

/**
 * @returns false when the policy lists the rule already.
 * @throws Refusal 400 for what is no policy of the rule's organization.
 */
export async function linkRule(
  { tx, runtime }: Pick<WriteContext, 'tx' | 'runtime'>,
  { id: ruleId, orgId }: Pick<RuleRow, 'id' | 'orgId'>,
  policyId: string,
): Promise<boolean> {
  const policy = await findOwnPolicy(tx, orgId, policyId).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    throw invalidField('/body/policyId', 'is no policy of the organization', 'unknown_policy')
  })
  const { policyRules: t } = complianceTables(tx)
  const made = await tx
    .insert(t)
    .values({ id: runtime.ids.next(), orgId, policyId, ruleId, state: 'active' })
    .onConflictDoNothing()
    .returning({ id: t.id })
  if (made.length > 0) await restateMembers(tx, policy)
  return made.length > 0
}

/** The policies that list one rule, in a fixed order. */
export async function policiesOf(db: Db, { id, orgId }: Pick<RuleRow, 'id' | 'orgId'>): Promise<string[]> {
  const { policyRules: t } = complianceTables(db)
  const rows = await db
    .select({ policyId: t.policyId })
    .from(t)
    .where(and(eq(t.ruleId, id), eq(t.orgId, orgId), ne(t.state, 'deleted')))
    .orderBy(asc(t.policyId))
  return rows.map(({ policyId }) => policyId)
}
