import { aliasedTable, and, asc, desc, eq, inArray, isNull, or, type SQL } from 'drizzle-orm'
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { containsText, equals } from '../../runtime/operation/filters.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { memberCounts } from '../account/member-counts.js'
import { pageFields, pageOf, paginated, pagination, sortFields } from '../paging.js'
import { identityTables } from '../tables.js'
import { OrganizationRecord, organizationRecord, standingOfRoot } from './record.js'

/** `GET /organizations`: every organization, for system administrators. */
export const listOrganizations = query({
  name: 'identity.organization.list',
  summary: 'List the organizations of the server',
  http: { method: 'get', path: '/organizations' },
  access: systemAdmin(),
  tenant: noTenant,
  snapshot: true,
  input: {
    query: Type.Object({
      ...pageFields,
      ...sortFields(['createdAt', 'name']),
      search: Type.Optional(Type.String({ maxLength: 100 })),
      tier: Type.Optional(Type.String({ maxLength: 20 })),
      parentOrgId: Type.Optional(Uuid),
      includeDeleted: Type.Optional(Type.Boolean()),
    }),
  },
  output: paginated('organizations', OrganizationRecord),
  errors: [],
  async run({ db, runtime }, { query: wanted }) {
    const { organizations } = identityTables(db)
    const roots = aliasedTable(organizations, 'roots')
    const page = pageOf(wanted, runtime.settings)
    const conditions: (SQL | undefined)[] = [
      wanted.includeDeleted ? undefined : isNull(organizations.deletedAtMs),
      equals(organizations.parentOrgId, wanted.parentOrgId),
      // A team's tier is its root's.
      equals(roots.tier, wanted.tier),
      wanted.search === undefined
        ? undefined
        : or(
            containsText(organizations.name, wanted.search),
            containsText(organizations.displayName, wanted.search),
            containsText(organizations.slug, wanted.search),
          ),
    ]
    const direction = wanted.sortOrder === 'asc' ? asc : desc
    const column = wanted.sortBy === 'name' ? organizations.nameKey : organizations.createdAtMs
    const rows = await db
      .select({ org: organizations, root: roots })
      .from(organizations)
      .innerJoin(roots, eq(roots.id, organizations.rootOrgId))
      .where(and(...conditions))
      .orderBy(direction(column), direction(organizations.id))
      .limit(page.limit)
      .offset(page.offset)
    const matching = db
      .select({ id: organizations.id })
      .from(organizations)
      .innerJoin(roots, eq(roots.id, organizations.rootOrgId))
      .where(and(...conditions))
    const total = await db.$count(organizations, inArray(organizations.id, matching))
    const counts = await memberCounts(
      db,
      rows.map(({ org }) => org.id),
    )
    return {
      organizations: rows.map(({ org, root }) =>
        organizationRecord(org, standingOfRoot(root, runtime.settings), counts.get(org.id) ?? 0),
      ),
      pagination: pagination(page, total, rows.length),
    }
  },
})
