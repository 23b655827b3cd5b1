import { asc, desc, eq } from 'drizzle-orm'
import Type from 'typebox'
import { member, openToNarrowed } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { organizationPath } from '../paths.js'
import { identityTables } from '../tables.js'
import { holdersOf, RoleWithMembers, roleRecord } from './record.js'

/** `GET /organization/:id/roles`: the built-in Roles first, each with its first fifty holders. */
export const listRoles = query({
  name: 'identity.role.list',
  summary: 'List the Roles of an organization with their members',
  http: { method: 'get', ...organizationPath('/:id/roles') },
  access: openToNarrowed(['roles:manage', 'members:manage'], member()),
  tenant: fromPath('id'),
  snapshot: true,
  input: { path: Type.Object({ id: Type.String() }) },
  output: strictObject({ roles: Type.Array(RoleWithMembers) }),
  errors: [],
  async run(context) {
    const orgId = tenantId(context)
    const { roles } = identityTables(context.db)
    // guard: the-list-of-roles
    const rows = await context.db
      .select()
      .from(roles)
      .where(eq(roles.orgId, orgId))
      .orderBy(desc(roles.builtIn), asc(roles.nameKey))
    const holders = await holdersOf(
      context.db,
      orgId,
      rows.map(({ id }) => id),
    )
    return {
      roles: rows.map((row) => {
        const { count, members } = holders.get(row.id) ?? { count: 0, members: [] }
        return { ...roleRecord(row, count), members }
      }),
    }
  },
})
