/**
 * Deletes the history of a purged rule or policy, and moves the history horizon of each organization that it applied
 * to.
 */
import type { Rule } from '@plumbline/engine'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { complianceTables, type PolicyRow, type RuleRow } from '../tables.js'
import type { Interval } from './interval.js'
import { movePastStarts } from './start.js'

/** A rule that was never in force leaves no gap. */
export async function forgetRule(tx: Tx, { id, orgId }: Pick<RuleRow, 'id' | 'orgId'>): Promise<void> {
  const { ruleVersions, subscriptionIntervals, policyRuleIntervals } = complianceTables(tx)
  await tx
    .delete(policyRuleIntervals)
    .where(and(eq(policyRuleIntervals.ruleId, id), eq(policyRuleIntervals.orgId, orgId)))
  const subscribed = await tx.delete(subscriptionIntervals).where(eq(subscriptionIntervals.ruleId, id)).returning()
  const versions = await tx
    .delete(ruleVersions)
    .where(and(eq(ruleVersions.ruleId, id), eq(ruleVersions.orgId, orgId)))
    .returning()
  const endMs = endOf(versions.filter(({ isTemplate, body }) => !isTemplate && (body as Rule).isActive !== false))
  if (endMs === null) return
  const own = versions.some(({ scope }) => scope === 'org') ? [{ orgId, fromMs: endMs }] : []
  const heldUntilMs = new Map<string, number>()
  for (const { orgId: subscriber, validToMs } of subscribed) {
    const untilMs = Math.min(endMs, validToMs ?? endMs)
    heldUntilMs.set(subscriber, Math.max(untilMs, heldUntilMs.get(subscriber) ?? 0))
  }
  const subscribers = [...heldUntilMs].map(([subscriber, fromMs]) => ({ orgId: subscriber, fromMs }))
  // guard: a-purge-of-a-published-rule-moves-the-past-of-its-subscribers
  await movePastStarts(tx, [...own, ...subscribers])
}

export async function forgetPolicy(tx: Tx, { id, orgId }: Pick<PolicyRow, 'id' | 'orgId'>): Promise<void> {
  const { policyRuleIntervals: t } = complianceTables(tx)
  const gone = await tx
    .delete(t)
    .where(and(eq(t.policyId, id), eq(t.orgId, orgId)))
    .returning()
  const endMs = endOf(gone)
  // guard: a-purge-of-a-policy-moves-the-past
  if (endMs !== null) await movePastStarts(tx, [{ orgId, fromMs: endMs }])
}

/**
 * When the last interval ended; null for none. A record is purged only after its deletion, so every interval has an
 * end.
 */
const endOf = (intervals: readonly Interval[]): number | null =>
  intervals.reduce<number | null>((last, { validToMs }) => Math.max(last ?? 0, validToMs ?? 0), null)
