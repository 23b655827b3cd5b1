import { notFound } from '../../runtime/errors.js'
import { systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { lockedPerson, removeAccount } from '../me/remove-account.js'
import { onUser } from './invite.js'

export const deleteUser = command({
  name: 'identity.user.delete',
  summary: 'Delete an account',
  http: { method: 'delete', path: '/admin/users/:id', status: 204 },
  // guard: the-confirmation-of-an-accounts-deletion
  access: withStepUp(systemAdmin()),
  tenant: noTenant,
  audit: ['admin.user.delete'],
  input: { path: onUser },
  output: null,
  errors: ['LAST_PRIVILEGED_MEMBER', 'NOT_FOUND', 'OWNER_PROTECTED'],
  async run(context, { path: { id } }) {
    const row = await lockedPerson(context.tx, id)
    // guard: an-account-is-deleted-once
    if (row === null) throw notFound('User')
    context.checkRevision(row.revision)
    await removeAccount(context, id)
    await context.audit('admin.user.delete', { targetType: 'user', targetId: id, details: { name: row.username } })
    return changed(null)
  },
})
