import { and, asc, eq, isNull } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { member, openToNarrowed } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { memberCounts } from '../account/member-counts.js'
import { organizationPath } from '../paths.js'
import { identityTables } from '../tables.js'

export const TeamEntry = strictObject({
  orgId: Uuid,
  orgName: Type.String(),
  slug: Type.String(),
  memberCount: Type.Integer({ minimum: 0 }),
})

/** The live teams right below the organization, by name. */
export async function selectTeams(db: Db, rootOrgId: string): Promise<Static<typeof TeamEntry>[]> {
  const { organizations } = identityTables(db)
  // guard: the-teams-of-a-root
  const rows = await db
    .select({ orgId: organizations.id, orgName: organizations.name, slug: organizations.slug })
    .from(organizations)
    .where(and(eq(organizations.parentOrgId, rootOrgId), isNull(organizations.deletedAtMs)))
    .orderBy(asc(organizations.nameKey), asc(organizations.id))
  const counts = await memberCounts(
    db,
    rows.map(({ orgId }) => orgId),
  )
  return rows.map((row) => ({ ...row, memberCount: counts.get(row.orgId) ?? 0 }))
}

/** `GET /organization/:id/teams`. */
export const listTeams = query({
  name: 'identity.team.list',
  summary: 'List the teams of an organization',
  http: { method: 'get', ...organizationPath('/:id/teams') },
  access: openToNarrowed(['org:settings', 'members:manage'], member()),
  tenant: fromPath('id'),
  acrossOrganizations: 'the teams of a root are organizations of their own',
  input: { path: Type.Object({ id: Type.String() }) },
  output: strictObject({ teams: Type.Array(TeamEntry) }),
  errors: [],
  run: async (context) => ({ teams: await selectTeams(context.db, tenantId(context)) }),
})
