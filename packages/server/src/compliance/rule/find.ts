/** Rules by id: the organization's own, and those of others that it may read. */
import { and, eq, isNotNull, isNull, or, type SQL } from 'drizzle-orm'
import { notFound } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Db } from '../../runtime/store/db.js'
import type { Held } from '../rule-stamp.js'
import { complianceTables, type RuleRow } from '../tables.js'

type RuleTable = ReturnType<typeof complianceTables>['rules']

/** Live rules that the organization is held to or can be: own, handed down by the parent, published. */
export function isVisible(t: RuleTable, { orgId, parentOrgId }: Held): SQL | undefined {
  // guard: a-team-reads-what-its-parent-hands-down-not-the-rest
  const inherited =
    parentOrgId === null
      ? undefined
      : and(eq(t.orgId, parentOrgId), eq(t.propagateToChildren, true), eq(t.isTemplate, false))
  const published = and(eq(t.orgId, SYSTEM_ORG_ID), eq(t.scope, 'published'))
  return and(isNull(t.deletedAtMs), or(eq(t.orgId, orgId), inherited, published))
}

/** @throws Refusal 404 for a rule that is not there, is deleted, or is none of this organization's business. */
export async function findVisibleRule(db: Db, held: Held, id: string): Promise<RuleRow> {
  const { rules: t } = complianceTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), isVisible(t, held)))
  if (row === undefined) throw notFound('Rule')
  return row
}

/** @throws Refusal 404 for a rule that is not the organization's own, or deleted. */
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

/** @throws Refusal 404 for what is not a deleted rule of the organization. */
export async function findTombstone(db: Db, orgId: string, id: string): Promise<RuleRow> {
  const { rules: t } = complianceTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), eq(t.orgId, orgId), isNotNull(t.deletedAtMs)))
  if (row === undefined) throw notFound('Rule')
  return row
}
