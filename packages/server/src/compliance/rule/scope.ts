/** The rules that a rule may refer to: those that can apply to its organization (spec compliance 1.3). */
import type { Condition, Rule } from '@plumbline/engine'
import { and, eq, inArray, or } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Db } from '../../runtime/store/db.js'
import type { Held } from '../rule-stamp.js'
import { complianceTables } from '../tables.js'
import { isVisible } from './find.js'
import { engineRule } from './record.js'

const REFERENCES_MAX = 1000

/** @param rule as the caller sent it; it may be invalid. */
export function referencesOf(rule: { readonly conditions?: unknown }): string[] {
  if (!Array.isArray(rule.conditions)) return []
  const found = rule.conditions.flatMap((each: Partial<Condition> | null) =>
    typeof each?.dependsOnRule === 'string' ? [each.dependsOnRule] : [],
  )
  return [...new Set(found)].slice(0, REFERENCES_MAX)
}

/**
 * The rules among which references are resolved and cycles are searched: the organization's own and inherited rules,
 * and the published rules that the rule names. Published rules depend only on rules of the system organization, so no
 * others are needed. Without references, only own rules with the same name matter.
 */
export async function rulesInScope(
  db: Db,
  held: Held,
  rule: Pick<Rule, 'name' | 'conditions' | 'isTemplate'>,
): Promise<Rule[]> {
  const { rules: t } = complianceTables(db)
  const references = referencesOf(rule)
  const name = typeof rule.name === 'string' ? rule.name.trim() : ''
  const related =
    references.length === 0
      ? and(eq(t.orgId, held.orgId), eq(t.liveName, name))
      : or(
          eq(t.orgId, held.orgId),
          held.parentOrgId === null ? undefined : eq(t.orgId, held.parentOrgId),
          and(eq(t.orgId, SYSTEM_ORG_ID), or(inArray(t.id, references), inArray(t.name, references))),
        )
  const rows = await db
    .select()
    .from(t)
    .where(and(isVisible(t, held), related))
  const scoped = rows.map(engineRule)
  if (rule.isTemplate !== true) return scoped
  // A template may depend on other templates only: they are copied together, and the copies refer to each other.
  return scoped.filter(({ isTemplate }) => isTemplate).map((each) => ({ ...each, isTemplate: false }))
}
