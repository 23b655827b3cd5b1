/**
 * Live counts of many organizations, in one query over every domain: for views and for the list of accounts at risk.
 */
import { type QuotaType, quotaTypes } from '@plumbline/billing-core'
import { type SQL, sql } from 'drizzle-orm'
import type { DomainRegistration } from '../../runtime/operation/registration.js'
import type { Db } from '../../runtime/store/db.js'

/** `SELECT type, org_id, used`; an organization may have several rows of a type. Null for every organization. */
export function usageQuery(
  domains: readonly DomainRegistration[],
  db: Db,
  orgIds: readonly string[] | null,
  types: readonly QuotaType[] = quotaTypes,
): SQL {
  const parts = types.flatMap((type) =>
    domains.flatMap(({ usage }) => {
      const rows = usage[type]?.byOrg(db, orgIds)
      if (rows === undefined) return []
      // Inlined: the name is one of nine constants, and a parameter here would have no type on PostgreSQL.
      return [sql`SELECT ${sql.raw(`'${type}'`)} AS type, u.org_id AS org_id, u.used AS used FROM (${rows}) u`]
    }),
  )
  if (parts.length === 0) return sql`SELECT '' AS type, '' AS org_id, 0 AS used WHERE 1 = 0`
  return sql.join(parts, sql` UNION ALL `)
}

/** Rows or bytes by organization and type; a missing entry means 0. */
export async function usedByOrg(
  domains: readonly DomainRegistration[],
  db: Db,
  orgIds: readonly string[],
): Promise<Map<string, Map<QuotaType, number>>> {
  const found = new Map<string, Map<QuotaType, number>>()
  if (orgIds.length === 0) return found
  const rows = await db.rows<{ type: QuotaType; org_id: string; used: number | string }>(
    usageQuery(domains, db, orgIds),
  )
  for (const { type, org_id, used } of rows) {
    const ofOrg = found.get(org_id) ?? new Map<QuotaType, number>()
    found.set(org_id, ofOrg.set(type, (ofOrg.get(type) ?? 0) + Number(used)))
  }
  return found
}
