/** Signs out here, and answers where to sign out of the identity provider too. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { answerSignedOut, credentialTables, revokeSessions, sessionOf } from '../../identity/index.js'
import { signedIn } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { peerOf } from '../flow/begin.js'
import { ownUrl } from '../own-url.js'
import { ssoOf } from '../services.js'
import { ssoTables } from '../tables.js'

export const endSession = command({
  name: 'sso.session.end',
  summary: 'Sign out, and get the sign-out address of the identity provider',
  description: 'The session ends on this server whether or not the provider answers.',
  http: { method: 'post', path: '/auth/sso/logout' },
  access: signedIn(),
  tenant: noTenant,
  audit: ['user.logout'],
  input: {},
  output: strictObject({ url: nullable(Type.String({ description: 'Of the provider; null where it has none' })) }),
  errors: [],
  async prepare({ runtime, read, principal }) {
    const { sessionId } = sessionOf(principal)
    const provider = await read(async (db) => {
      const { sessions } = credentialTables(db)
      const { identityProviders: t } = ssoTables(db)
      const [row] = await db
        .select({ provider: t })
        .from(sessions)
        .innerJoin(t, eq(t.id, sessions.providerId))
        .where(eq(sessions.id, sessionId))
      return row?.provider
    })
    if (provider === undefined) return null
    return ssoOf(runtime)
      .oidc.logoutUrl(peerOf(runtime, provider), `${ownUrl(runtime)}/`)
      .catch(() => null)
  },
  async run(context, _input, url) {
    const { userId, sessionId } = sessionOf(context.principal)
    const answer = { headers: answerSignedOut(context.runtime, context.request, context.principal) }
    const count = await revokeSessions(context, userId, { only: sessionId })
    // Another request ended the session a moment ago.
    // guard: a-session-at-a-provider-is-signed-out-once
    if (count === 0) return unchanged({ url }, answer)
    await context.audit('user.logout', { targetType: 'session', targetId: sessionId })
    return changed({ url }, answer)
  },
})
