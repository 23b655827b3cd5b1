/**
 * Records when subscriptions and memberships in policies were in force, in the transaction of each change. Versions of
 * rules (`rule/write.ts`) and exemptions store their own validity.
 */
import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import type { WriteContext } from '../../runtime/operation/context.js'
import { complianceTables, type SubscriptionRow } from '../tables.js'

/** What recording an interval needs from a change. */
export type Writing = Pick<WriteContext, 'tx' | 'runtime' | 'nowMs'>

const ROWS_AT_ONCE = 200

/** @param before null for a new subscription. */
export async function recordSubscription(
  { tx, runtime, nowMs }: Writing,
  before: SubscriptionRow | null,
  after: SubscriptionRow,
): Promise<void> {
  if (inForce(before) === inForce(after)) return
  const { subscriptionIntervals: t } = complianceTables(tx)
  const { orgId, ruleId, mode, pinnedVersion } = after
  // guard: the-interval-of-a-subscription-ends-with-it
  if (before?.isActive === true) {
    await tx
      .update(t)
      .set({ validToMs: nowMs })
      .where(and(eq(t.ruleId, ruleId), eq(t.orgId, orgId), isNull(t.validToMs)))
  }
  if (after.isActive) {
    const begun = { orgId, ruleId, mode, pinnedVersion, validFromMs: nowMs, validToMs: null }
    await tx.insert(t).values({ id: runtime.ids.next(), ...begun })
  }
}

/** The properties of a subscription that affect verdicts, as text; null when it is not in force. */
export const inForce = (row: SubscriptionRow | null): string | null =>
  row?.isActive === true ? `${row.mode} ${row.pinnedVersion}` : null

/** Brings the intervals of one policy, or of one rule, in line with the current rows of `compliance_policy_rules`. */
export async function recordMemberships(
  { tx, runtime, nowMs }: Writing,
  orgId: string,
  of: { readonly policyId: string } | { readonly ruleId: string },
): Promise<void> {
  const { policyRules, policyRuleIntervals: t } = complianceTables(tx)
  const isOf = (table: typeof policyRules | typeof t) =>
    and(eq(table.orgId, orgId), 'policyId' in of ? eq(table.policyId, of.policyId) : eq(table.ruleId, of.ruleId))
  const rows = await tx
    .select()
    .from(policyRules)
    .where(and(isOf(policyRules), ne(policyRules.state, 'deleted')))
  const now = rows.map(({ policyId, ruleId, state }) => ({ policyId, ruleId, isActive: state === 'active' }))
  const open = await tx
    .select()
    .from(t)
    .where(and(isOf(t), isNull(t.validToMs)))
  const wanted = new Set(now.map(keyOf))
  const known = new Set(open.map(keyOf))
  const ended = open.filter((row) => !wanted.has(keyOf(row))).map(({ id }) => id)
  const begun = now.filter((row) => !known.has(keyOf(row)))
  if (ended.length > 0) {
    await tx
      .update(t)
      .set({ validToMs: nowMs })
      .where(and(eq(t.orgId, orgId), inArray(t.id, ended)))
  }
  for (let at = 0; at < begun.length; at += ROWS_AT_ONCE) {
    const some = begun.slice(at, at + ROWS_AT_ONCE)
    await tx
      .insert(t)
      .values(some.map((row) => ({ id: runtime.ids.next(), orgId, ...row, validFromMs: nowMs, validToMs: null })))
  }
}

const keyOf = (row: { readonly policyId: string; readonly ruleId: string; readonly isActive: boolean }): string =>
  `${row.policyId} ${row.ruleId} ${row.isActive}`
