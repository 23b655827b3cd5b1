/** Signs out of this session, or of every one. */
import Type from 'typebox'
import { signedIn } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { sessionOf } from '../authenticator.js'
import { boundOf } from '../confined-session.js'
import { isRefreshToken } from '../credential/opaque-token.js'
import { revokeAccessTokens, revokeSessions } from '../session/end.js'
import { ownerOfToken } from '../session/rotate.js'
import { forgetCookies } from '../session/token-set.js'

export const logout = command({
  name: 'identity.auth.logout',
  summary: 'End this session, or all of them',
  http: { method: 'post', path: '/auth/logout', status: 204 },
  duringPasswordChange: true,
  access: signedIn(),
  tenant: noTenant,
  audit: ['user.logout', 'user.tokens.revoke-all'],
  input: {
    body: strictObject({
      refreshToken: Type.Optional(Type.String({ maxLength: 200, description: 'Ends the session of this token too' })),
      everywhere: Type.Optional(Type.Boolean({ description: 'Ends every session; personal access tokens stay' })),
    }),
  },
  output: null,
  errors: [],
  async run(context, { body }) {
    const { tx, runtime, request } = context
    const { userId, sessionId } = sessionOf(context.principal)
    const answer = { headers: forgetCookies(runtime, request, context.principal) }
    const bound = boundOf(context.principal)
    let count = await revokeSessions(context, userId, body.everywhere ? bound : { only: sessionId })
    if (!body.everywhere && body.refreshToken !== undefined && isRefreshToken(body.refreshToken)) {
      const other = await ownerOfToken(tx, body.refreshToken)
      if (other !== null) count += await revokeSessions(context, userId, { only: other.sessionId })
    }
    // Another request ended the session a moment ago.
    // guard: a-session-is-signed-out-once
    if (count === 0) return unchanged(null, answer)
    if (body.everywhere) {
      // A session that is confined by an identity provider cannot end the person's other sessions.
      if (bound.boundOrgId === undefined) await revokeAccessTokens(context, userId)
      await context.audit('user.tokens.revoke-all', {
        targetType: 'user',
        targetId: userId,
        details: { reason: `${count} sessions` },
      })
    }
    await context.audit('user.logout', { targetType: 'session', targetId: sessionId })
    return changed(null, answer)
  },
})
