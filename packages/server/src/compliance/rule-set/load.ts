/** Reads what an organization is held to. Which of it counts is the engine's to say (`mergeRules`). */
import { mergeRules, type Rule, type SourcedRule, type Target } from '@plumbline/engine'
import { and, eq, isNull } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Db } from '../../runtime/store/db.js'
import { memberships, policyIdsByRule } from '../policy/record.js'
import { engineRule } from '../rule/record.js'
import type { Mode } from '../rule/schema.js'
import { pinnedBodies } from '../subscription/record.js'
import { complianceTables, type RuleRow, type SubscriptionRow } from '../tables.js'
import type { Held } from './stamp.js'

export interface MergedRules {
  readonly rules: readonly SourcedRule[]
  /** Rollout of the rules that are not enforced as declared, by id. */
  readonly modes: ReadonlyMap<string, Mode>
  /** Subscribed rules that are held to a version. */
  readonly pinned: ReadonlySet<string>
}

/** The rules of one target in force for the organization; dates are left to the evaluation. */
export async function loadRules(db: Db, { orgId, parentOrgId }: Held, target: Target): Promise<MergedRules> {
  if (orgId === SYSTEM_ORG_ID) return { rules: [], modes: new Map(), pinned: new Set() }
  const own = await ownRules(db, orgId, target)
  const inherited = parentOrgId === null ? [] : await handedDown(db, parentOrgId, target)
  const subscribed = await activeSubscriptions(db, orgId, target)
  const bodies = await pinnedBodies(
    db,
    subscribed.map(({ subscription }) => subscription),
  )
  const grouped = await memberships(db, parentOrgId === null ? [orgId] : [orgId, parentOrgId])
  const policyIds = policyIdsByRule(grouped)
  const listed = (row: RuleRow): Rule => ({ ...engineRule(row), policyIds: policyIds.get(row.id) ?? [] })
  const rules = mergeRules({
    orgId,
    target,
    own: own.map(listed),
    inherited: inherited.map(listed),
    subscriptions: subscribed.map(({ rule }) => ({
      rule: engineRule(rule),
      pinned: bodies.get(rule.id) ?? null,
      isActive: true,
    })),
    policies: grouped.map(({ policyId, ruleId, isActive }) => ({ id: policyId, isActive, ruleIds: [ruleId] })),
  })
  const modes = new Map<string, Mode>()
  const rollouts = [
    ...own,
    ...inherited,
    ...subscribed.map(({ subscription: { ruleId, mode } }) => ({ id: ruleId, mode })),
  ]
  for (const { id, mode } of rollouts) if (mode !== 'enforce') modes.set(id, mode as Mode)
  return { rules, modes, pinned: new Set(bodies.keys()) }
}

function ownRules(db: Db, orgId: string, target: Target): Promise<RuleRow[]> {
  const { rules: t } = complianceTables(db)
  return db
    .select()
    .from(t)
    .where(
      and(eq(t.orgId, orgId), eq(t.scope, 'org'), eq(t.target, target), eq(t.isActive, true), isNull(t.deletedAtMs)),
    )
}

function handedDown(db: Db, parentOrgId: string, target: Target): Promise<RuleRow[]> {
  const { rules: t } = complianceTables(db)
  return db
    .select()
    .from(t)
    .where(
      and(
        eq(t.orgId, parentOrgId),
        eq(t.propagateToChildren, true),
        eq(t.scope, 'org'),
        eq(t.target, target),
        eq(t.isActive, true),
        isNull(t.deletedAtMs),
      ),
    )
}

/** With rules of the other target left out by what they are now; a pinned body has the target that its rule has. */
function activeSubscriptions(
  db: Db,
  orgId: string,
  target: Target,
): Promise<{ subscription: SubscriptionRow; rule: RuleRow }[]> {
  const { rules: t, subscriptions: s } = complianceTables(db)
  return db
    .select({ subscription: s, rule: t })
    .from(s)
    .innerJoin(t, eq(t.id, s.ruleId))
    .where(
      and(
        eq(s.orgId, orgId),
        eq(s.isActive, true),
        isNull(s.unsubscribedAtMs),
        eq(t.orgId, SYSTEM_ORG_ID),
        eq(t.scope, 'published'),
        eq(t.target, target),
        eq(t.isActive, true),
        isNull(t.deletedAtMs),
      ),
    )
}
