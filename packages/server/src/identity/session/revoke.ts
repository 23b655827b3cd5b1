/** Ends one of the person's sessions, such as that of a lost device. */
import { notFound } from '../../runtime/errors.js'
import { signedIn } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { sessionOf } from '../authenticator.js'
import { boundOf } from '../confined-session.js'
import { revokeSessions } from './end.js'

export const revokeSession = command({
  name: 'identity.session.revoke',
  summary: 'End one of your sessions',
  http: { method: 'delete', path: '/auth/sessions/:sid', status: 204 },
  access: signedIn(),
  tenant: noTenant,
  audit: ['user.session.revoke'],
  input: { path: strictObject({ sid: Uuid }) },
  output: null,
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    const { userId } = sessionOf(context.principal)
    if ((await revokeSessions(context, userId, { only: path.sid, ...boundOf(context.principal) })) === 0)
      throw notFound('Session')
    await context.audit('user.session.revoke', { targetType: 'session', targetId: path.sid })
    return changed(null)
  },
})
