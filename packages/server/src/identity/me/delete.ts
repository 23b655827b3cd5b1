/** Deletes the person's own account. */
import { eq } from 'drizzle-orm'
import { ownAccount, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { sessionOf } from '../authenticator.js'
import { forgetCookies } from '../session/token-set.js'
import { identityTables } from '../tables.js'
import { removeAccount } from './remove-account.js'

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
    const { users } = identityTables(tx)
    const [user] = await tx.select({ username: users.username }).from(users).where(eq(users.id, userId))
    await removeAccount(context, userId)
    await context.audit('user.delete', {
      targetType: 'user',
      targetId: userId,
      ...(user === undefined ? {} : { details: { name: user.username } }),
    })
    return changed(null, { headers: forgetCookies(runtime, request, context.principal) })
  },
})
