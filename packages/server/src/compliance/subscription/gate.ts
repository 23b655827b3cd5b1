/** Who may subscribe to what: a plan unlocks sets, and the system organization cannot subscribe. */
import type { Feature } from '@plumbline/billing-core'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { insufficient, invalidField, notFound } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { type Authority, tenantId } from '../../runtime/operation/context.js'
import { lacksFeature } from '../../runtime/operation/unlocking.js'
import type { Db } from '../../runtime/store/db.js'
import { setTag } from '../rule/publish.js'
import { complianceTables, type RuleRow } from '../tables.js'

interface Asking {
  readonly authority: Authority
}

/** The feature that a rule needs; null for a rule without a set. A rule of both sets needs the higher one. */
export function featureOf({ tags }: Pick<RuleRow, 'tags'>): Feature | null {
  if (tags.includes(setTag('advanced'))) return 'compliance_advanced'
  return tags.includes(setTag('standard')) ? 'compliance_standard' : null
}

/** The feature that the plan lacks for this rule; null for a rule that is unlocked. */
export function lockOf({ authority }: Asking, rule: Pick<RuleRow, 'tags'>): Feature | null {
  const feature = featureOf(rule)
  const isUnlocked = feature === null || authority.isSuperAdmin || authority.org?.features.has(feature) === true
  return isUnlocked ? null : feature
}

/**
 * @param what names the rule, where the request has several.
 * @throws Refusal 403 that names the feature that the plan lacks.
 */
export function checkFeature(context: Asking, rule: Pick<RuleRow, 'tags'>, what?: string): void {
  const feature = lockOf(context, rule)
  // guard: a-set-needs-the-feature-of-the-plan
  if (feature !== null) throw lacksFeature(feature, what)
}

/** @throws Refusal 403 for the system organization. */
export function checkSubscriber({ authority }: Asking): void {
  if (authority.org?.id === SYSTEM_ORG_ID) {
    throw insufficient('system-admin', 'the system organization publishes rules and cannot subscribe')
  }
}

/** Live published rules among these ids. */
export async function publishedRules(db: Db, ruleIds: readonly string[]): Promise<RuleRow[]> {
  const { rules: t } = complianceTables(db)
  return db
    .select()
    .from(t)
    .where(
      // guard: a-subscription-is-to-a-published-rule
      and(eq(t.orgId, SYSTEM_ORG_ID), eq(t.scope, 'published'), isNull(t.deletedAtMs), inArray(t.id, [...ruleIds])),
    )
}

/**
 * Published rules among these ids, deleted ones too: a switch that is set while the rule is deleted takes effect when
 * the rule is restored.
 */
export async function everPublishedRules(db: Db, ruleIds: readonly string[]): Promise<RuleRow[]> {
  const { rules: t } = complianceTables(db)
  // guard: the-plan-is-asked-for-a-rule-that-is-deleted-too
  return db
    .select()
    .from(t)
    .where(and(eq(t.orgId, SYSTEM_ORG_ID), eq(t.scope, 'published'), inArray(t.id, [...ruleIds])))
}

/** @throws Refusal 404 for a rule that is not published, 400 for one of the organization's own rules. */
export async function publishedRule(db: Db, context: Asking, ruleId: string, at = '/body/ruleId'): Promise<RuleRow> {
  const [rule] = await publishedRules(db, [ruleId])
  if (rule !== undefined) return rule
  const { rules: t } = complianceTables(db)
  const [own] = await db
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.id, ruleId), eq(t.orgId, tenantId(context as never)), isNull(t.deletedAtMs)))
  if (own !== undefined) throw invalidField(at, 'is a rule of your own: it needs no subscription', 'not_published')
  throw notFound('Rule')
}
