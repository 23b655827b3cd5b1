/** Rules by id: the organization's own, and those of other organizations that it may read. */
import { and, eq, isNotNull, isNull, or, type SQL } from 'drizzle-orm'
import { notFound } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Db } from '../../runtime/store/db.js'
import type { Held } from '../rule-stamp.js'
import { complianceTables, type RuleRow } from '../tables.js'

type RuleTable = ReturnType<typeof complianceTables>['rules']

/** Live rules that apply to the organization or can apply to it: own, inherited from the parent, published. */
export function isVisible(t: RuleTable, { orgId, parentOrgId }: Held): SQL | undefined {
  // guard: a-team-reads-what-its-parent-hands-down-not-the-rest
  const inherited =
    parentOrgId === null
      ? undefined
      : and(eq(t.orgId, parentOrgId), eq(t.propagateToChildren, true), eq(t.isTemplate, false))
  const published = and(eq(t.orgId, SYSTEM_ORG_ID), eq(t.scope, 'published'))
  return and(isNull(t.deletedAtMs), or(eq(t.orgId, orgId), inherited, published))
}

/** @throws Refusal 404 for a rule that does not exist, is deleted, or is not visible to this organization. */
export async function findVisibleRule(db: Db, held: Held, id: string): Promise<RuleRow> {
  const { rules: t } = complianceTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), isVisible(t, held)))
  if (row === undefined) throw notFound('Rule')
  return row
}

/** @throws Refusal 404 for a rule that is deleted or not the organization's own. */
export async function findOwnRule(db: Db, orgId: string, id: string): Promise<RuleRow> {
  const { rules: t } = complianceTables(db)
  // guard: a-rule-to-be-changed-is-an-own-one
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), eq(t.orgId, orgId), isNull(t.deletedAtMs)))
  if (row === undefined) throw notFound('Rule')
  return row
}

/** @throws Refusal 404 for an id that is not a deleted rule of the organization. */
export async function findTombstone(db: Db, orgId: string, id: string): Promise<RuleRow> {
  const { rules: t } = complianceTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), eq(t.orgId, orgId), isNotNull(t.deletedAtMs)))
  if (row === undefined) throw notFound('Rule')
  return row
}
