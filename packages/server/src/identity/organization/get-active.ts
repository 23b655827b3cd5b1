import { and, asc, eq } from 'drizzle-orm'
import Type from 'typebox'
import { signedIn } from '../../runtime/operation/access.js'
import { type Authority, type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { liveOrganization } from '../account/organizations.js'
import { actingUser } from '../actor.js'
import { identityTables } from '../tables.js'
import { selectTeams, TeamEntry } from '../team/list.js'
import { factsOf } from './facts.js'
import { OrganizationRecord, organizationRecord } from './record.js'

/** `GET /organization`: the organization that the caller acts in, the caller's rights there, and its teams. */
export const getActiveOrganization = query({
  name: 'identity.organization.get-active',
  summary: 'Read the active organization, the membership in it and its teams',
  http: { method: 'get', path: '/organization' },
  access: signedIn(),
  tenant: fromHeader,
  acrossOrganizations: 'the teams of a root are organizations of their own',
  input: {},
  output: strictObject({
    organization: OrganizationRecord,
    membership: strictObject({
      role: nullable(Type.Enum(['owner', 'admin', 'member'])),
      roles: Type.Array(strictObject({ id: Uuid, name: Type.String() })),
      permissions: Type.Array(Type.String()),
    }),
    teams: Type.Array(TeamEntry),
  }),
  errors: ['NOT_FOUND'],
  async run(context) {
    const orgId = tenantId(context)
    const { db, authority } = context
    const row = await liveOrganization(db, orgId)
    return {
      organization: organizationRecord(row, await factsOf(db, context.runtime, row)),
      membership: await membershipOf(context, authority, orgId),
      teams: await selectTeams(db, orgId),
    }
  },
})

async function membershipOf(context: ReadContext, authority: Authority, orgId: string) {
  const { roles, roleAssignments } = identityTables(context.db)
  const held = await context.db
    .select({ id: roles.id, name: roles.name })
    .from(roleAssignments)
    .innerJoin(roles, and(eq(roles.id, roleAssignments.roleId), eq(roles.orgId, roleAssignments.orgId)))
    .where(and(eq(roleAssignments.orgId, orgId), eq(roleAssignments.userId, actingUser(context))))
    .orderBy(asc(roles.nameKey))
  return { role: authority.role, roles: held, permissions: [...authority.permissions].sort() }
}
