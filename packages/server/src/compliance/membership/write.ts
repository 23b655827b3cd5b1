/**
 * Writes which rules a policy lists. A change that affects the rules in force increases the stamp and queues scans of
 * the stored records, in the same transaction.
 */
import { and, eq } from 'drizzle-orm'
import type { WriteContext } from '../../runtime/operation/context.js'
import { rescanFor } from '../follow-up/rescans.js'
import { type Writing as Recording, recordMemberships } from '../past/record.js'
import { stampRules } from '../rule-stamp.js'
import { complianceTables, type PolicyRow } from '../tables.js'

export type Writing = Recording & Pick<WriteContext, 'enqueue'>

/** Replaces the rules of the policy with these. */
export async function setMembers(context: Writing, policy: PolicyRow, ruleIds: readonly string[]): Promise<void> {
  const { tx, runtime } = context
  const { policyRules: t } = complianceTables(tx)
  const left = await tx
    .delete(t)
    .where(and(eq(t.policyId, policy.id), eq(t.orgId, policy.orgId)))
    .returning({ ruleId: t.ruleId })
  if (ruleIds.length > 0) {
    await tx.insert(t).values(
      ruleIds.map((ruleId) => ({
        id: runtime.ids.next(),
        orgId: policy.orgId,
        policyId: policy.id,
        ruleId,
        state: stateOf(policy),
      })),
    )
  }
  await recordMemberships(context, policy.orgId, { policyId: policy.id })
  await stampRules(tx, policy.orgId)
  const before = left.map(({ ruleId }) => ruleId)
  const moved = [...before.filter((id) => !ruleIds.includes(id)), ...ruleIds.filter((id) => !before.includes(id))]
  await rescanFor(context, policy.orgId, moved)
}

/** Stores the state of the policy in each of its memberships, so that assembling the rules in force reads one table. */
export async function restateMembers(context: Writing, policy: PolicyRow): Promise<void> {
  const { tx } = context
  const { policyRules: t } = complianceTables(tx)
  const members = await tx
    .update(t)
    .set({ state: stateOf(policy) })
    .where(and(eq(t.policyId, policy.id), eq(t.orgId, policy.orgId)))
    .returning({ ruleId: t.ruleId })
  await recordMemberships(context, policy.orgId, { policyId: policy.id })
  await stampRules(tx, policy.orgId)
  await rescanFor(
    context,
    policy.orgId,
    members.map(({ ruleId }) => ruleId),
  )
}

const stateOf = ({ isActive, deletedAtMs }: PolicyRow): string =>
  deletedAtMs !== null ? 'deleted' : isActive ? 'active' : 'inactive'
