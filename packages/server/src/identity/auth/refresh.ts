/** A new access token for a refresh token, from the body or from the cookie. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { type RequestInfo, refused, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { isRefreshToken } from '../credential/opaque-token.js'
import { identityOf } from '../services.js'
import { homeStanding } from '../session/open.js'
import { ownerOfToken, rotate } from '../session/rotate.js'
import { answerTokens, BearerSet, CookieMode, makeTokenSet, refreshCookie } from '../session/token-set.js'
import { readStanding } from '../standing.js'
import { identityTables } from '../tables.js'

export const refresh = command({
  name: 'identity.auth.refresh',
  summary: 'Exchange a refresh token for a new access token and a new refresh token',
  http: { method: 'post', path: '/auth/refresh' },
  access: anyone(),
  tenant: noTenant,
  secretOutput: true,
  audit: ['user.session.reuse'],
  input: {
    query: CookieMode,
    body: strictObject({ refreshToken: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) }),
  },
  output: BearerSet,
  errors: ['TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'TOKEN_REVOKED', 'RATE_LIMIT_EXCEEDED'],
  async prepare(context, { body }) {
    const found = presented(context.request, body.refreshToken)
    const { limiter } = context.runtime
    const owner = await context.read((db) => ownerOfToken(db, found.token))
    const taken = owner === null ? null : await limiter?.take('refresh', owner.sessionId)
    if (taken && !taken.allowed) {
      throw new Refusal(
        'RATE_LIMIT_EXCEEDED',
        'this session is refreshed too often: use the access token until it expires',
        {
          headers: { 'Retry-After': String(Math.ceil(taken.resetMs / 1000)) },
        },
      )
    }
    return { ...found, userId: owner?.userId ?? null }
  },
  async run(context, { query }, { token, fromCookie, userId }) {
    const { tx, runtime, nowMs } = context
    const { users } = identityTables(tx)
    // Locks the person before the session, in the order of a password change; otherwise the two could deadlock.
    if (userId !== null) await lockRow(tx, 'users', userId)
    const rotation = await rotate(tx, runtime, token)
    if (rotation.kind === 'refused') return refused(rotation.refusal, { changed: false })
    const { session } = rotation
    const [user] = await tx.select().from(users).where(eq(users.id, session.userId))
    if (rotation.kind === 'reused') {
      await context.audit('user.session.reuse', {
        actor: { id: session.userId, email: user?.email ?? null, role: null, impersonatorId: null },
        orgId: session.orgId,
        targetType: 'session',
        targetId: session.id,
        outcome: 'failure',
        details: { reason: 'a refresh token that was spent before' },
      })
      tx.afterCommit(() => identityOf(context).directory.drop({ sessionId: session.id }))
      const message = 'the refresh token was used before, so its session was ended: sign in again'
      return refused(new Refusal('TOKEN_REVOKED', message), { changed: true })
    }
    if (!user?.isActive) throw new Refusal('TOKEN_REVOKED', 'the account is not active')
    const kept = session.orgId === null ? null : await readStanding(tx, runtime.settings, user.id, session.orgId)
    const standing = kept ?? (session.boundOrgId === null ? await homeStanding(tx, runtime, user) : null)
    await tx.update(users).set({ lastActiveAtMs: nowMs }).where(eq(users.id, user.id))
    const set = await makeTokenSet(runtime, { user, standing, session, refreshToken: rotation.refreshToken })
    const { data, headers } = answerTokens(context, set, fromCookie || query.cookie === '1')
    // A refresh without reuse is not audited, because it does not change anyone's rights.
    return unchanged(data, { headers })
  },
})

/** @throws Refusal 401 when there is no refresh token, or the cookie came without its CSRF proof. */
function presented(request: RequestInfo, fromBody: string | undefined): { token: string; fromCookie: boolean } {
  const cookie = fromBody === undefined ? refreshCookie(request) : null
  if (cookie === 'forged') {
    throw new Refusal('TOKEN_INVALID', 'send the cookie `plumbline_csrf` back as the header `x-csrf`')
  }
  const token = fromBody ?? cookie
  if (token === null) throw new Refusal('TOKEN_MISSING', 'send `refreshToken`, or the cookie')
  if (!isRefreshToken(token)) throw new Refusal('TOKEN_INVALID', 'this is not a refresh token')
  return { token, fromCookie: cookie !== null }
}
