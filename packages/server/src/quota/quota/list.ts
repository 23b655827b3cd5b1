/** `GET /quotas/all`: the quotas of every organization, for system administrators. */
import { and, isNull } from 'drizzle-orm'
import Type from 'typebox'
import type { OrganizationRow } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { countRows, listOf } from '../../runtime/operation/list.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { readQuotaViews } from './read.js'
import { QuotaView } from './schema.js'

const list = listOf({
  key: 'organizations',
  item: QuotaView,
  sortBy: ['createdAt', 'name'],
  filters: {
    accountsOnly: Type.Optional(
      Type.Boolean({ description: 'Leaves out teams, which show the quotas of their account' }),
    ),
  },
})

interface Shown {
  readonly org: OrganizationRow
  readonly view: QuotaView
}

export const listQuotas = query({
  name: 'quota.quota.list',
  summary: 'List the quotas of every organization',
  http: { method: 'get', path: '/quotas/all' },
  access: systemAdmin(),
  tenant: noTenant,
  snapshot: true,
  input: { query: list.query },
  output: list.output,
  errors: [],
  async run({ db, runtime, nowMs }, { query: wanted }) {
    const { organizations } = identityTables(db)
    const where = and(
      isNull(organizations.deletedAtMs),
      wanted.accountsOnly ? isNull(organizations.parentOrgId) : undefined,
    )
    return list.rows<Shown, QuotaView>({
      columns: { createdAt: organizations.createdAtMs, name: organizations.nameKey },
      id: organizations.id,
      query: wanted,
      async fetch({ after, orderBy, limit, offset }) {
        const rows = await db
          .select()
          .from(organizations)
          .where(and(where, after))
          .orderBy(...orderBy)
          .limit(limit)
          .offset(offset)
        const views = new Map((await readQuotaViews(runtime, db, rows, nowMs)).map((view) => [view.orgId, view]))
        return rows.flatMap((org) => {
          const view = views.get(org.id)
          return view === undefined ? [] : [{ org, view }]
        })
      },
      count: (atMost) => countRows(db, organizations, where, atMost),
      place: ({ org }, sortBy) => ({ value: sortBy === 'name' ? org.nameKey : org.createdAtMs, id: org.id }),
      present: ({ view }) => view,
    })
  },
})
