import Type from 'typebox'
import { either, member, openToNarrowed, permission, scope } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { nullable, Pagination, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { liveOrganization } from '../organization/account.js'
import { pageFields, pageOf, pagination, sortFields } from '../paging.js'
import { organizationPath } from '../paths.js'
import { findMembership } from './find.js'
import { MEMBER_SORTS, MemberRecord, MemberRole, selectMembers } from './record.js'

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

/** `GET /organization/:id/members/:userId/exists`: answers 200 whoever is asked for. */
export const memberExists = query({
  name: 'identity.member.exists',
  summary: 'Say whether somebody is an active member',
  uncounted: 'it is a probe before other calls',
  http: { method: 'get', ...organizationPath('/:id/members/:userId/exists') },
  access: openToNarrowed(['members:manage'], either(member(), scope('members:probe'))),
  tenant: fromPath('id'),
  input: { path: Type.Object({ id: Type.String(), userId: Type.String() }) },
  output: strictObject({ isMember: Type.Boolean() }),
  errors: [],
  async run(context, { path }) {
    const membership = await findMembership(context.db, tenantId(context), path.userId.toLowerCase())
    return { isMember: membership?.isActive === true }
  },
})
