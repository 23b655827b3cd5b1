import Type from 'typebox'
import { either, member, permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { nullable, Pagination, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { liveOrganization } from '../account/organizations.js'
import { MEMBER_SORTS, MemberRecord, MemberRole, selectMembers } from '../membership/record.js'
import { pageFields, pageOf, pagination, sortFields } from '../paging.js'
import { organizationPath } from '../paths.js'

/** `GET /organization/:id/members`. */
export const listMembers = query({
  name: 'identity.member.list',
  summary: 'List the members of an organization',
  http: { method: 'get', ...organizationPath('/:id/members') },
  access: either(member(), permission('members:manage')),
  tenant: fromPath('id'),
  snapshot: true,
  input: {
    path: Type.Object({ id: Type.String() }),
    query: Type.Object({
      ...pageFields,
      ...sortFields(MEMBER_SORTS),
      search: Type.Optional(Type.String({ maxLength: 100 })),
      role: Type.Optional(MemberRole),
      isActive: Type.Optional(Type.Boolean()),
    }),
  },
  output: strictObject({
    organizationId: Uuid,
    ownerId: nullable(Uuid),
    members: Type.Array(MemberRecord),
    pagination: Pagination,
  }),
  errors: ['NOT_FOUND'],
  async run(context, { query: wanted }) {
    const org = await liveOrganization(context.db, tenantId(context))
    const page = pageOf(wanted, context.runtime.settings)
    const { members, total } = await selectMembers(context.db, org, wanted, page)
    return {
      organizationId: org.id,
      ownerId: org.ownerId,
      members,
      pagination: pagination(page, total, members.length),
    }
  },
})
