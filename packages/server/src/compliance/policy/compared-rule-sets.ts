/**
 * The two rule sets that a diff of policies compares. Either one version against another, each as if only its rules
 * were in force; or the rules in force now against those with this version in place of the organization's other
 * versions of the same name.
 */
import type { Target } from '@plumbline/engine'
import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Authority } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { engineRule } from '../rule/record.js'
import { assemble, isExempt, type MergedRules, NO_RULES, type RolledOut } from '../rule-set/assemble.js'
import { loadRules, loadSources } from '../rule-set/load.js'
import type { Held } from '../rule-stamp.js'
import { checkFeature } from '../subscription/gate.js'
import { complianceTables, type PolicyRow } from '../tables.js'

export interface Sides {
  readonly before: MergedRules
  readonly after: MergedRules
}

interface Asking {
  readonly authority: Authority
  readonly db: Db
}

/** @throws Refusal 403 for the rules of a set that the plan does not have. */
export async function sidesOf(
  { authority, db }: Asking,
  held: Held,
  { policy, against }: { readonly policy: PolicyRow; readonly against: PolicyRow | null },
  target: Target,
): Promise<Sides> {
  if (isExempt(held)) return { before: NO_RULES, after: NO_RULES }
  const rules = await rulesOf({ authority, db }, held, policy, target)
  if (against !== null) {
    const alone = (own: readonly RolledOut[]) =>
      assemble(held, target, { own, inherited: [], subscribed: [], grouped: [] })
    return { before: alone(await rulesOf({ authority, db }, held, against, target)), after: alone(rules) }
  }
  const sources = await loadSources(db, held, target)
  const others = await othersOfName(db, held.orgId, policy)
  const known = new Set(sources.own.map(({ rule }) => rule.id))
  const after = assemble(held, target, {
    ...sources,
    own: [...sources.own, ...rules.filter(({ rule }) => !known.has(rule.id))],
    grouped: sources.grouped.map((each) => ({
      ...each,
      isActive: each.policyId === policy.id || (each.isActive && !others.has(each.policyId)),
    })),
  })
  return { before: await loadRules(db, held, target), after }
}

/** The live, active rules of the version. Those of a template are read as if they were already copied. */
async function rulesOf(
  { authority, db }: Asking,
  { orgId }: Held,
  policy: PolicyRow,
  target: Target,
): Promise<RolledOut[]> {
  const { policyRules, rules: t } = complianceTables(db)
  const rows = await db
    .select({ row: t })
    .from(policyRules)
    .innerJoin(t, and(eq(t.id, policyRules.ruleId), eq(t.orgId, policyRules.orgId)))
    .where(
      and(
        eq(policyRules.policyId, policy.id),
        eq(policyRules.orgId, policy.orgId),
        eq(t.target, target),
        eq(t.isActive, true),
        isNull(t.deletedAtMs),
      ),
    )
  return rows.map(({ row }) => {
    // guard: the-rules-of-a-set-are-tried-with-its-feature
    if (row.orgId !== orgId) checkFeature({ authority }, row)
    return { rule: { ...engineRule(row), orgId, scope: 'org', isTemplate: false }, mode: row.mode }
  })
}

/** The organization's other live versions of the policy. */
async function othersOfName(db: Db, orgId: string, { id, name }: PolicyRow): Promise<ReadonlySet<string>> {
  const { policies: t } = complianceTables(db)
  // guard: other-versions-of-the-name-are-the-organizations-own
  const rows = await db
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.name, name), ne(t.id, id), isNull(t.deletedAtMs)))
  return new Set(rows.map((each) => each.id))
}
