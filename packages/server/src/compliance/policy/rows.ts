/** What a list of policies reads: the rows of a page, each with its live rules. */
import { and, type SQL } from 'drizzle-orm'
import type { Static } from 'typebox'
import { countRows, type PageQuery, type RowSource } from '../../runtime/operation/list.js'
import type { Db } from '../../runtime/store/db.js'
import { complianceTables, type PolicyRow } from '../tables.js'
import { type Member, membersOf, type PolicyRecord, policyRecord } from './record.js'

interface Grouped {
  readonly row: PolicyRow
  readonly rules: readonly Member[]
}

type SortBy = 'name' | 'createdAt' | 'updatedAt'

export function policyRows(
  db: Db,
  orgId: string,
  where: SQL | undefined,
  query: PageQuery,
): RowSource<Grouped, SortBy, Static<typeof PolicyRecord>> {
  const { policies: t } = complianceTables(db)
  return {
    columns: { name: t.nameKey, createdAt: t.createdAtMs, updatedAt: t.updatedAtMs },
    id: t.id,
    query,
    async fetch({ after, orderBy, limit, offset }) {
      const rows = await db
        .select()
        .from(t)
        .where(and(where, after))
        .orderBy(...orderBy)
        .limit(limit)
        .offset(offset)
      const members = await membersOf(
        db,
        rows.map(({ id }) => id),
      )
      return rows.map((row) => ({ row, rules: members.get(row.id) ?? [] }))
    },
    count: (atMost) => countRows(db, t, where, atMost),
    place: ({ row }, sortBy) => ({ value: sortBy === 'updatedAt' ? row.updatedAtMs : row.createdAtMs, id: row.id }),
    present: ({ row, rules }) => policyRecord(row, rules, orgId),
  }
}
