/**
 * The events of an organization in two halves, each of which one index answers: those about the organization, and those
 * that its people caused elsewhere, about another organization or none. Almost every event is about the organization of
 * the person who caused it. So an index of the second half alone is small, and a write rarely touches it (ADR 46).
 */
import { and, type Column, eq, or, type SQL, sql } from 'drizzle-orm'

interface Organizations {
  readonly orgId: Column
  readonly affectedOrgId: Column
}

/** INVARIANT: the index and the queries use the same expression, else SQLite does not use the index. */
export const happenedElsewhere = ({ orgId, affectedOrgId }: Organizations): SQL =>
  sql`(${affectedOrgId} <> ${orgId} OR ${affectedOrgId} IS NULL)`

/** Events about the organization, and those that its people caused. */
export const concerns = (t: Organizations, orgId: string): SQL | undefined =>
  or(eq(t.affectedOrgId, orgId), and(eq(t.orgId, orgId), happenedElsewhere(t)))
