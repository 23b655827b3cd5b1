import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { permission, withStepUpWhen } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { liveOrganization } from '../account/organizations.js'
import { actingUser } from '../actor.js'
import { findMembership } from '../membership/find.js'
import { memberRecord } from '../membership/record.js'
import { organizationPath } from '../paths.js'
import { ADMIN_PERMISSIONS } from '../permission/bundles.js'
import { confirmGrant } from '../step-up/when.js'
import { NAMES_OWNER, openDeparture, pauseMemberships, TeamsTo } from './leave.js'
import { MemberAnswer, onMember } from './lock.js'

/** `PATCH …/deactivate`: keeps the Roles and frees the seat. */
export const deactivateMember = command({
  name: 'identity.member.deactivate',
  summary: 'Deactivate a member and free the seat',
  description:
    'For a root organization: also in all its teams. Teams that the person owns pass to the owner of the root, or to  ' +
    '`teamsTo`. You cannot deactivate a person who has permissions that you lack.',
  http: { method: 'patch', ...organizationPath('/:id/members/:userId/deactivate') },
  access: withStepUpWhen(NAMES_OWNER, permission('members:manage')),
  tenant: fromPath('id'),
  acrossOrganizations: 'who is deactivated in a root organization is deactivated in its teams',
  audit: ['org.member.deactivate', 'org.ownership.transfer'],
  input: { ...onMember, query: Type.Object({ teamsTo: Type.Optional(TeamsTo) }) },
  output: MemberAnswer,
  errors: [
    'CONFLICT',
    'INSUFFICIENT_PERMISSIONS',
    'LAST_PRIVILEGED_MEMBER',
    'NOT_FOUND',
    'OWNER_PROTECTED',
    'VALIDATION_ERROR',
  ],
  async prepare(context, { query: { teamsTo } }) {
    // guard: a-deactivation-that-names-an-owner-is-confirmed
    if (teamsTo !== undefined) await confirmGrant(context, 'identity.member.deactivate', ADMIN_PERMISSIONS)
    return null
  },
  async run(context, { path: { userId }, query: { teamsTo } }) {
    const { tx } = context
    const orgId = tenantId(context)
    const org = await liveOrganization(tx, orgId)
    if (org.ownerId !== userId && userId === actingUser(context)) {
      throw new Refusal('CONFLICT', 'you cannot deactivate yourself: leave instead')
    }
    if ((await findMembership(tx, orgId, userId)) === null) throw notFound('Member')
    const departure = await openDeparture(context, userId, teamsTo)
    const isChange = await pauseMemberships(context, departure, userId)
    const member = await memberRecord(tx, await liveOrganization(tx, orgId), userId)
    return isChange ? changed({ member }) : unchanged({ member })
  },
})
