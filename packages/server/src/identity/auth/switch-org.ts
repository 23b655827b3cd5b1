/** Changes the active organization of the session, for user interfaces; programs may just send `x-org-id`. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { signedIn } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { isConfined, sessionOf } from '../authenticator.js'
import { cookieNameFor } from '../credential/session-cookie.js'
import { credentialTables } from '../credential/tables.js'
import { checkDoor } from '../door.js'
import { identityOf } from '../services.js'
import { giveCookie } from '../session/give-cookie.js'
import { makeTokenSet, TokenSet, withoutTokens } from '../session/token-set.js'
import { readStanding } from '../standing.js'
import { identityTables } from '../tables.js'

export const switchOrg = command({
  name: 'identity.auth.switch-org',
  summary: 'Make another organization the active one',
  description:
    'The refresh token stays as it is, so the answer holds none. A session by cookie goes on by its cookie; `cookie=session` gives one to a session by tokens.',
  http: { method: 'post', path: '/auth/switch-org' },
  access: signedIn(),
  tenant: noTenant,
  secretOutput: true,
  audit: ['org.switch'],
  input: {
    query: Type.Object({
      cookie: Type.Optional(Type.Enum(['session'], { description: 'Answer with a session cookie and no token' })),
    }),
    body: strictObject({ organizationId: Uuid }),
  },
  output: TokenSet,
  errors: ['ORG_MISMATCH', 'SSO_REQUIRED', 'TOKEN_REVOKED', 'INSUFFICIENT_PERMISSIONS', 'CONFLICT'],
  async run(context, { body, query }) {
    const { tx, runtime, principal, nowMs } = context
    const { userId, sessionId } = sessionOf(context.principal)
    const standing = await readStanding(tx, runtime.settings, userId, body.organizationId)
    if (standing === null) throw new Refusal('ORG_MISMATCH', 'you are not an active member of that organization')
    await checkDoor(context, standing)
    const orgId = standing.org.id
    const { sessions } = credentialTables(tx)
    const { users } = identityTables(tx)
    // The person before the session, as a change of the password does it: else the two wait for each other in a circle.
    // Where the person's other sessions begin is none of what a confined one decides.
    // guard: a-confined-session-chooses-for-itself-alone
    const values = isConfined(principal) ? { lastActiveAtMs: nowMs } : { activeOrgId: orgId }
    const [user] = await tx.update(users).set(values).where(eq(users.id, userId)).returning()
    const [session] = await tx.update(sessions).set({ orgId }).where(eq(sessions.id, sessionId)).returning()
    if (session === undefined || session.revokedAtMs !== null || user === undefined) {
      throw new Refusal('TOKEN_REVOKED', 'the session has ended; sign in again')
    }
    await context.audit('org.switch', { orgId, targetType: 'organization', targetId: orgId })
    // What is kept of the session names its organization, which requests by cookie begin in.
    tx.afterCommit(() => identityOf(context).directory.drop({ sessionId }))
    // A refresh token cannot be made from an access token: the caller has the one of this session.
    const { refreshToken: _, ...data } = await makeTokenSet(runtime, { user, standing, session, refreshToken: '' })
    if (principal.kind === 'user' && principal.cookieName !== undefined) return changed(withoutTokens(data))
    if (query.cookie !== 'session') return changed(data)
    const name = cookieNameFor(runtime.settings, context.request)
    return changed(withoutTokens(data), { headers: await giveCookie(context, { sessionId, name, before: 'ends' }) })
  },
})
