/** Changes the active organization of the session, for user interfaces. Programs can send `x-org-id` instead. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { signedIn } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { isConfined } from '../../runtime/operation/session-kind.js'
import { sessionOf } from '../authenticator.js'
import { cookieNameFor } from '../credential/session-cookie.js'
import { credentialTables } from '../credential/tables.js'
import { checkDoor } from '../enforced-sign-on.js'
import { identityOf } from '../services.js'
import { giveCookie } from '../session/give-cookie.js'
import { makeTokenSet, TokenSet, withoutTokens } from '../session/token-set.js'
import { readStanding } from '../standing.js'
import { identityTables } from '../tables.js'

export const switchOrg = command({
  name: 'identity.auth.switch-org',
  summary: 'Make another organization the active one',
  description:
    'The refresh token does not change, so the answer contains none. A session by cookie keeps its cookie; `cookie=session` turns a session by tokens into one by cookie.',
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
    // Locks the person before the session, in the order of a password change; otherwise the two could deadlock.
    // A confined session does not choose the organization in which the person's other sessions start.
    // guard: a-confined-session-chooses-for-itself-alone
    const values = isConfined(principal) ? { lastActiveAtMs: nowMs } : { activeOrgId: orgId }
    const [user] = await tx.update(users).set(values).where(eq(users.id, userId)).returning()
    const [session] = await tx.update(sessions).set({ orgId }).where(eq(sessions.id, sessionId)).returning()
    if (session === undefined || session.revokedAtMs !== null || user === undefined) {
      throw new Refusal('TOKEN_REVOKED', 'the session has ended; sign in again')
    }
    await context.audit('org.switch', { orgId, targetType: 'organization', targetId: orgId })
    // The cached session names its organization, in which requests by cookie start.
    tx.afterCommit(() => identityOf(context).directory.drop({ sessionId }))
    // The server cannot derive the refresh token from an access token; the caller already has it.
    const { refreshToken: _, ...data } = await makeTokenSet(runtime, { user, standing, session, refreshToken: '' })
    if (principal.kind === 'user' && principal.cookieName !== undefined) return changed(withoutTokens(data))
    if (query.cookie !== 'session') return changed(data)
    const name = cookieNameFor(runtime.settings, context.request)
    return changed(withoutTokens(data), { headers: await giveCookie(context, { sessionId, name, before: 'ends' }) })
  },
})
