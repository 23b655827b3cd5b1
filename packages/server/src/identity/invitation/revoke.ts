/** `DELETE /invitation/:id`. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { liveOrganization, lockAccount } from '../account/organizations.js'
import { invitationPath } from '../paths.js'
import { identityTables } from '../tables.js'
import { findInvitation, statusAt } from './record.js'

export const revokeInvitation = command({
  name: 'identity.invitation.revoke',
  summary: 'Revoke a pending invitation',
  http: { method: 'delete', ...invitationPath('/:id'), status: 204 },
  access: permission('invitations:manage'),
  tenant: fromHeader,
  acrossOrganizations: 'an acceptance at the same time holds the lock of the account',
  audit: ['invitation.revoke'],
  input: { path: Type.Object({ id: Type.String() }) },
  output: null,
  errors: ['CONFLICT', 'NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx, nowMs } = context
    const org = await liveOrganization(tx, tenantId(context))
    await lockAccount(tx, org.rootOrgId)
    const row = await findInvitation(tx, org.id, id)
    const status = statusAt(row, nowMs)
    if (status !== 'pending')
      throw new Refusal('CONFLICT', `the invitation is ${status}: only a pending one can be revoked`)
    const { invitations } = identityTables(tx)
    // The condition includes the status, so that of a refusal and a revocation at the same time, one wins.
    const revoked = await tx
      .update(invitations)
      .set({ status: 'revoked', liveKey: null })
      .where(and(eq(invitations.id, row.id), eq(invitations.orgId, org.id), eq(invitations.status, 'pending')))
      .returning({ id: invitations.id })
    // Declining takes no lock of the account, so the invited person may have declined in the meantime.
    // guard: of-a-refusal-and-a-revocation-one-wins
    if (revoked.length === 0) throw new Refusal('CONFLICT', 'the invitation was answered already')
    await context.audit('invitation.revoke', {
      targetType: 'invitation',
      targetId: row.id,
      details: { email: row.email },
    })
    return changed(null)
  },
})
