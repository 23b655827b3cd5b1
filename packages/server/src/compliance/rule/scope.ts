/** What a rule may refer to: the rules that its organization can be held to (spec compliance 1.3). */
import type { Condition, Rule } from '@plumbline/engine'
import { and, eq, inArray, or } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Db } from '../../runtime/store/db.js'
import type { Held } from '../rule-stamp.js'
import { complianceTables } from '../tables.js'
import { isVisible } from './find.js'
import { engineRule } from './record.js'

const REFERENCES_MAX = 1000

/** @param rule as it was sent, perhaps not even valid. */
export function referencesOf(rule: { readonly conditions?: unknown }): string[] {
  if (!Array.isArray(rule.conditions)) return []
  const found = rule.conditions.flatMap((each: Partial<Condition> | null) =>
    typeof each?.dependsOnRule === 'string' ? [each.dependsOnRule] : [],
  )
  return [...new Set(found)].slice(0, REFERENCES_MAX)
}

/**
 * The rules among which references are looked up and cycles sought: the organization's own and inherited ones, and of the
 * published catalogue those that are named, because a published rule depends on rules of the system alone. Without
 * references only rules of the name matter.
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
  // Templates depend on one another: they are copied together, and the copies hold on to each other.
  return scoped.filter(({ isTemplate }) => isTemplate).map((each) => ({ ...each, isTemplate: false }))
}
