import { aliasedTable, and, asc, desc, eq, inArray, isNull, or, type SQL } from 'drizzle-orm'
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { containsName, containsText, equals } from '../../runtime/operation/filters.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { memberCounts } from '../account/member-counts.js'
import { pageFields, pageOf, paginated, pagination, sortFields } from '../paging.js'
import { identityTables } from '../tables.js'
import { withSignOn } from './facts.js'
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
      // A team has the tier of its root.
      equals(roots.tier, wanted.tier),
      wanted.search === undefined
        ? undefined
        : or(
            containsName(organizations.nameKey, wanted.search),
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
    const ids = rows.map(({ org }) => org.id)
    const counts = await memberCounts(db, ids)
    const signOn = await withSignOn(db, runtime, ids)
    return {
      organizations: rows.map(({ org, root }) =>
        organizationRecord(org, {
          standing: standingOfRoot(root, runtime.settings),
          memberCount: counts.get(org.id) ?? 0,
          ssoConfigured: signOn.has(org.id),
        }),
      ),
      pagination: pagination(page, total, rows.length),
    }
  },
})
