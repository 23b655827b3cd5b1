/** A subscription as the API shows it, with its rule (spec compliance 6). */
import type { Rule } from '@plumbline/engine'
import { and, eq, inArray } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { RuleRecord, ruleRecord } from '../rule/record.js'
import { type Mode, Modes } from '../rule/schema.js'
import { complianceTables, type RuleRow, type SubscriptionRow } from '../tables.js'

const fields = {
  id: Uuid,
  orgId: Uuid,
  ruleId: Uuid,
  isActive: Type.Boolean({ description: 'The rule is enforced' }),
  mode: Modes,
  isPinned: Type.Boolean(),
  pinnedVersion: nullable(Type.Integer({ minimum: 1 })),
  pinnedAt: nullable(Instant),
  pinnedBy: nullable(Type.String()),
  source: Type.Enum(['manual', 'auto', 'entitlement']),
  optedOut: Type.Boolean({
    description: 'A person switched off a rule of a set: the sync does not switch it on again',
  }),
  subscribedAt: Instant,
  subscribedBy: nullable(Type.String()),
  unsubscribedAt: nullable(Instant),
  unsubscribedBy: nullable(Type.String()),
  updatedAt: Instant,
}

export const SubscriptionRecord = strictObject(fields)

export const SubscriptionWithRule = strictObject({
  ...fields,
  rule: RuleRecord,
  latestVersion: Type.Integer({ minimum: 1, description: 'Of the rule; the rule that is shown is the pinned version' }),
})

export const subscriptionRecord = (row: SubscriptionRow): Static<typeof SubscriptionRecord> => ({
  id: row.id,
  orgId: row.orgId,
  ruleId: row.ruleId,
  isActive: row.isActive,
  mode: row.mode as Mode,
  isPinned: row.pinnedVersion !== null,
  pinnedVersion: row.pinnedVersion,
  pinnedAt: toIsoOrNull(row.pinnedAtMs),
  pinnedBy: row.pinnedBy,
  source: row.source as 'manual',
  optedOut: row.optedOut,
  subscribedAt: toIso(row.subscribedAtMs),
  subscribedBy: row.subscribedBy,
  unsubscribedAt: toIsoOrNull(row.unsubscribedAtMs),
  unsubscribedBy: row.unsubscribedBy,
  updatedAt: toIso(row.updatedAtMs),
})

/** The pinned body replaces the current one. */
export function withRule(
  row: SubscriptionRow,
  rule: RuleRow,
  pinned: Rule | undefined,
): Static<typeof SubscriptionWithRule> {
  const now = ruleRecord(rule, row.orgId)
  const { deletedAt: _deletedAt, ...body } = (pinned ?? {}) as Partial<typeof now>
  return { ...subscriptionRecord(row), rule: { ...now, ...body, revision: now.revision }, latestVersion: rule.version }
}

/** @throws Refusal 404 when the organization has no live subscription to the rule. */
export const noSubscription = () => notFound('Subscription')

export async function findSubscription(db: Db, orgId: string, ruleId: string): Promise<SubscriptionRow> {
  const row = await anySubscription(db, orgId, ruleId)
  if (row === null || row.unsubscribedAtMs !== null) throw noSubscription()
  return row
}

/** Includes a subscription that has ended; null when there never was one. */
export async function anySubscription(db: Db, orgId: string, ruleId: string): Promise<SubscriptionRow | null> {
  const [row] = await subscriptionsTo(db, orgId, [ruleId])
  return row ?? null
}

export function subscriptionsTo(db: Db, orgId: string, ruleIds: readonly string[]): Promise<SubscriptionRow[]> {
  const { subscriptions: t } = complianceTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), inArray(t.ruleId, [...ruleIds])))
}
