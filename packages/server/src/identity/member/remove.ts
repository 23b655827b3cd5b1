/** Ends a membership: by an administrator, or by the member who leaves. */
import Type from 'typebox'
import { insufficient } from '../../runtime/errors.js'
import { signedIn, withStepUpWhen } from '../../runtime/operation/access.js'
import { type Authority, changed, type Principal } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { actingUser } from '../actor.js'
import { sessionOf } from '../authenticator.js'
import { organizationPath } from '../paths.js'
import { ADMIN_PERMISSIONS } from '../permission/bundles.js'
import { confirmGrant } from '../step-up/when.js'
import { endMemberships, NAMES_OWNER, openDeparture, TeamsTo } from './leave.js'

/** `DELETE /organization/:id/members/:userId`. */
export const removeMember = command({
  name: 'identity.member.remove',
  summary: 'Remove a member, or leave the organization',
  description:
    'For a root organization: also from all its teams. Teams that the person owns pass to the owner of the root, or to  ' +
    '`teamsTo`. You cannot remove a person who has permissions that you lack.',
  http: { method: 'delete', ...organizationPath('/:id/members/:userId'), status: 204 },
  // Leaving needs no permission. Removing another person does, and `run` checks it.
  access: withStepUpWhen(NAMES_OWNER, signedIn()),
  tenant: fromPath('id'),
  acrossOrganizations: 'who leaves a root organization leaves its teams',
  audit: ['org.member.remove', 'org.ownership.transfer', 'invitation.revoke'],
  input: {
    path: Type.Object({ id: Type.String(), userId: Type.String() }),
    query: Type.Object({
      reassignTo: Type.Optional(Uuid),
      teamsTo: Type.Optional(TeamsTo),
    }),
  },
  output: null,
  errors: [
    'CONFLICT',
    'INSUFFICIENT_PERMISSIONS',
    'LAST_PRIVILEGED_MEMBER',
    'NOT_FOUND',
    'OWNER_PROTECTED',
    'VALIDATION_ERROR',
  ],
  async prepare(context, { path: { userId }, query: { teamsTo } }) {
    checkMayRemove(context, userId)
    // guard: a-removal-that-names-an-owner-is-confirmed
    if (teamsTo !== undefined) await confirmGrant(context, 'identity.member.remove', ADMIN_PERMISSIONS)
    return null
  },
  async run(context, { path: { userId }, query: { reassignTo, teamsTo } }) {
    checkMayRemove(context, userId)
    const departure = await openDeparture(context, userId, teamsTo)
    await endMemberships(context, departure, { userId, reassignTo })
    return changed(null)
  },
})

interface Removing {
  readonly authority: Authority
  readonly principal: Principal
}

function checkMayRemove(context: Removing, userId: string): void {
  const { authority, principal } = context
  if (authority.permissions.has('members:manage') || authority.isSuperAdmin) return
  if (userId === actingUser(context)) {
    // A narrowed token cannot leave on the person's behalf, because leaving is the person's own decision.
    // guard: a-narrowed-token-does-not-leave
    sessionOf(principal)
    return
  }
  throw insufficient('permission', 'this needs the permission members:manage', {
    required: ['members:manage'],
    mode: 'all',
  })
}
