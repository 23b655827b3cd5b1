import { and, eq } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { invitationPath } from '../paths.js'
import { identityTables } from '../tables.js'
import { GONE, opened, Token } from './open.js'
import { checkPending } from './record.js'

/** `POST /invitation/decline`: a person who has the link may decline the invitation. */
export const declineInvitation = command({
  name: 'identity.invitation.decline',
  summary: 'Decline an invitation',
  http: { method: 'post', ...invitationPath('/decline'), status: 204 },
  access: anyone(),
  tenant: noTenant,
  audit: ['invitation.decline'],
  rateLimit: 'auth',
  input: { body: strictObject({ token: Token }) },
  output: null,
  errors: [...GONE],
  async run(context, { body: { token } }) {
    const { tx, nowMs } = context
    const { row, org } = await opened(tx, token)
    checkPending(row, nowMs)
    const { invitations } = identityTables(tx)
    // The condition includes the status, so that of an acceptance and a refusal at the same time, one wins.
    const declined = await tx
      .update(invitations)
      .set({ status: 'declined', liveKey: null })
      .where(
        and(eq(invitations.id, row.id), eq(invitations.status, 'pending'), eq(invitations.tokenHash, row.tokenHash)),
      )
      .returning({ id: invitations.id })
    if (declined.length === 0) throw new Refusal('INVITATION_ACCEPTED', 'the invitation was answered already')
    await context.audit('invitation.decline', { orgId: org.id, targetType: 'invitation', targetId: row.id })
    return changed(null)
  },
})
