/** Loads the rules that apply to an organization now. */
import type { Target } from '@plumbline/engine'
import { and, eq, isNull, type Placeholder } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { memberships } from '../membership/rows.js'
import { type EngineRow, engineColumns, engineRule } from '../rule/record.js'
import type { Held } from '../rule-stamp.js'
import { complianceTables } from '../tables.js'
import { assemble, isExempt, type MergedRules, NO_RULES, type RolledOut, type Sources } from './assemble.js'
import { pinnedBodies } from './pinned.js'

/**
 * The rules of one target in force for the organization. The evaluation itself applies the effective dates of a rule.
 */
export const loadRules = async (db: Db, held: Held, target: Target): Promise<MergedRules> =>
  isExempt(held) ? NO_RULES : assemble(held, target, await loadSources(db, held, target))

/** The rules by source, before they are merged: for a preview of what a change would do. */
export async function loadSources(db: Db, { orgId, parentOrgId }: Held, target: Target): Promise<Sources> {
  const own = await ownRules(db, { orgId, target })
  // guard: a-team-is-held-to-what-its-parent-hands-down
  // guard: a-rule-that-the-parent-keeps-is-not-handed-down
  const inherited = parentOrgId === null ? [] : await handedDown(db, { parentOrgId, target })
  const subscribed = await activeSubscriptions(db, { orgId, target })
  const bodies = await pinnedBodies(
    db,
    subscribed.map(({ id, pinnedVersion }) => ({ ruleId: id, pinnedVersion })),
  )
  const rolledOut = (row: EngineRow & { readonly mode: string }): RolledOut => ({
    rule: engineRule(row),
    mode: row.mode,
  })
  return {
    own: own.map(rolledOut),
    inherited: inherited.map(rolledOut),
    // guard: a-pinned-version-is-what-is-enforced
    // guard: a-pinned-version-is-used
    subscribed: subscribed.map((row) => ({ ...rolledOut(row), pinned: bodies.get(row.id) ?? null })),
    // guard: policies-of-the-parent-count
    grouped: await memberships(db, orgId, parentOrgId),
  }
}

const ownRules = prepared((db, value: (name: 'orgId' | 'target') => Placeholder) => {
  const { rules: t } = complianceTables(db)
  return db
    .select({ ...engineColumns(t), mode: t.mode })
    .from(t)
    .where(and(eq(t.orgId, value('orgId')), isInForce(t, 'org', value('target'))))
})

const handedDown = prepared((db, value: (name: 'parentOrgId' | 'target') => Placeholder) => {
  const { rules: t } = complianceTables(db)
  return db
    .select({ ...engineColumns(t), mode: t.mode })
    .from(t)
    .where(
      and(eq(t.orgId, value('parentOrgId')), eq(t.propagateToChildren, true), isInForce(t, 'org', value('target'))),
    )
})

/** Selects by the current target of a rule; a pinned body has the same target. */
const activeSubscriptions = prepared((db, value: (name: 'orgId' | 'target') => Placeholder) => {
  const { rules: t, subscriptions: s } = complianceTables(db)
  return db
    .select({ ...engineColumns(t), mode: s.mode, pinnedVersion: s.pinnedVersion })
    .from(s)
    .innerJoin(t, eq(t.id, s.ruleId))
    .where(
      and(
        // guard: the-subscriptions-of-the-own-organization
        // guard: only-own-subscriptions-count
        eq(s.orgId, value('orgId')),
        // guard: an-inactive-subscription-holds-nobody
        // guard: only-active-subscriptions-count
        eq(s.isActive, true),
        isNull(s.unsubscribedAtMs),
        eq(t.orgId, SYSTEM_ORG_ID),
        isInForce(t, 'published', value('target')),
      ),
    )
})

const isInForce = (t: ReturnType<typeof complianceTables>['rules'], scope: 'org' | 'published', target: Placeholder) =>
  and(eq(t.scope, scope), eq(t.target, target), eq(t.isActive, true), isNull(t.deletedAtMs))
