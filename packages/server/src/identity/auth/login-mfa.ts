/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { refused } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { factorLock } from '../credential/known-networks.js'
import { clearFailures, takeTurn } from '../credential/lockout.js'
import { confirmedFactor } from '../mfa/factor.js'
import { provesFactor } from '../mfa/prove.js'
import { identityOf } from '../services.js'
import { SignInMode } from '../session/token-set.js'
import { identityTables } from '../tables.js'
import { useTokenId } from '../token/single-use.js'
import { completeLogin, keepAs, refuseLogin, signingIn } from './login.js'

export const loginMfa = command({
  name: 'identity.auth.login-mfa',
  summary: 'Finish a sign-in with a second factor',
  http: { method: 'post', path: '/auth/login/mfa' },
  ...signingIn,
  input: {
    query: SignInMode,
    body: strictObject({
      challengeToken: Type.String({ minLength: 1, maxLength: 4096 }),
      code: Type.String({ minLength: 6, maxLength: 40, description: 'Six digits, or a recovery code' }),
    }),
  },
  errors: [
    'SSO_REQUIRED',
    'UNAUTHORIZED',
    'TOKEN_INVALID',
    'TOKEN_EXPIRED',
    'ORG_MISMATCH',
    'INSUFFICIENT_PERMISSIONS',
    'CONFLICT',
    'RATE_LIMIT_EXCEEDED',
  ],
  async prepare(context, { body, query }) {
    const keep = keepAs(context, query.cookie)
    return { keep, claims: await identityOf(context).tokens.verify('mfa', body.challengeToken) }
  },
  async run(context, { body }, { keep, claims }) {
    const { tx, nowMs } = context
    const { users } = identityTables(tx)
    const lock = await factorLock(tx, claims.sub, { ip: context.request.ip, nowMs })
    const locked = await takeTurn(tx, lock, nowMs)
    if (locked !== null) return refused(locked, { changed: false })
    const [user] = await tx.select().from(users).where(eq(users.id, claims.sub))
    const factor = user === undefined ? null : await confirmedFactor(tx, user.id)
    if (!user?.isActive || factor === null) {
      return refused(new Refusal('TOKEN_INVALID', 'sign in again'), { changed: false })
    }
    const isRight = await provesFactor(context, factor, body.code)
    if (!isRight) return refuseLogin(context, { user, lock, reason: 'second factor' })
    if (!(await useTokenId(tx, claims))) {
      // The refusal rolls the transaction back, so the code is not used up.
      throw new Refusal('TOKEN_INVALID', 'the challenge was already used: sign in again')
    }
    if (claims.lock !== undefined) await clearFailures(tx, claims.lock)
    return completeLogin(context, {
      user,
      lock,
      organizationId: claims.org ?? null,
      // guard: a-social-account-is-no-password
      methods: [claims.first ?? 'pwd', 'otp'],
      keep,
    })
  },
})
