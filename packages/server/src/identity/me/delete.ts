/** Deletes the person's own account. */
import { Refusal } from '../../runtime/errors.js'
import { ownAccount, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { sessionOf } from '../authenticator.js'
import { forgetCookies } from '../session/token-set.js'
import { lockedPerson, removeAccount } from './remove-account.js'

export const deleteMe = command({
  name: 'identity.me.delete',
  summary: 'Delete your account',
  http: { method: 'delete', path: '/auth/me', status: 204 },
  access: withStepUp(ownAccount()),
  tenant: noTenant,
  audit: ['user.delete'],
  input: {},
  output: null,
  errors: ['OWNER_PROTECTED', 'LAST_PRIVILEGED_MEMBER'],
  async run(context) {
    const { tx, runtime, request } = context
    const { userId } = sessionOf(context.principal)
    const user = await lockedPerson(tx, userId)
    if (user === null) throw new Refusal('TOKEN_REVOKED', 'the account is deleted')
    await removeAccount(context, userId)
    await context.audit('user.delete', {
      targetType: 'user',
      targetId: userId,
      details: { name: user.username },
    })
    return changed(null, { headers: forgetCookies(runtime, request, context.principal) })
  },
})
