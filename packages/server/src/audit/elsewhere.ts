/**
 * The events of an organization, in two halves that an index each answers: those about it, and what its people did to
 * another one or to none. Almost every event is about the organization of the person who caused it, so an index of the second
 * half alone is small, and a write seldom touches it (ADR 46).
 */
import { and, type Column, eq, or, type SQL, sql } from 'drizzle-orm'

interface Organizations {
  readonly orgId: Column
  readonly affectedOrgId: Column
}

/** INVARIANT: index and queries say it in the same words, or SQLite does not use the one for the other. */
export const happenedElsewhere = ({ orgId, affectedOrgId }: Organizations): SQL =>
  sql`(${affectedOrgId} <> ${orgId} OR ${affectedOrgId} IS NULL)`

/** Events on the organization, and those that its people caused. */
export const concerns = (t: Organizations, orgId: string): SQL | undefined =>
  or(eq(t.affectedOrgId, orgId), and(eq(t.orgId, orgId), happenedElsewhere(t)))
