import Type from 'typebox'
import { either, member, openToNarrowed, scope } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { findMembership } from '../membership/find.js'
import { organizationPath } from '../paths.js'

/** `GET /organization/:id/members/:userId/exists`: answers 200 for any user id. */
export const probeMember = query({
  name: 'identity.member.probe',
  summary: 'Check whether a person is an active member',
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
