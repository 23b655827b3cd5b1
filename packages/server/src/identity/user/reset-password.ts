/** Send a person a link to set a new password. */
import { systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { inviteToSetPassword, onUser, Sent } from './invite.js'
import { findUser } from './record.js'

export const resetUserPassword = command({
  name: 'identity.user.reset-password',
  summary: 'Send a person a link to set a new password',
  http: { method: 'post', path: '/admin/users/:id/reset-password', status: 202 },
  access: withStepUp(systemAdmin()),
  tenant: noTenant,
  audit: ['admin.user.update'],
  secretOutput: true,
  input: { path: onUser },
  output: strictObject(Sent),
  errors: ['NOT_FOUND'],
  async run(context, { path: { id } }) {
    const row = await findUser(context.tx, id)
    const sent = await inviteToSetPassword(context, row)
    await context.audit('admin.user.update', {
      targetType: 'user',
      targetId: id,
      details: { reason: 'a link to set a new password' },
    })
    return changed(sent)
  },
})
