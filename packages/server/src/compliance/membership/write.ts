/**
 * Writes which rules a policy lists. What it changes of the rules in force counts the stamp up and has the stored records
 * scanned again, in the same transaction.
 */
import { and, eq } from 'drizzle-orm'
import type { WriteContext } from '../../runtime/operation/context.js'
import { rescanFor } from '../follow-up/rescans.js'
import { type Writing as Recording, recordMemberships } from '../past/record.js'
import { stampRules } from '../rule-stamp.js'
import { complianceTables, type PolicyRow } from '../tables.js'

export type Writing = Recording & Pick<WriteContext, 'enqueue'>

/** Makes these, and no others, the rules of the policy. */
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

/** Says on each of its memberships whether the policy counts, so that assembly reads one table. */
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
