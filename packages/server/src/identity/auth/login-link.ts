/**
 * Signs in by the link that the server showed when it created its demo. The link works once, within 15 minutes. It
 * replaces only the password: it does not open an account that has a second factor.
 */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { command } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lockoutKey } from '../credential/lockout.js'
import { useOneTimeToken } from '../credential/one-time-tokens.js'
import { confirmedFactor } from '../mfa/factor.js'
import { SignInMode } from '../session/token-set.js'
import { identityTables } from '../tables.js'
import { completeLogin, keepAs, signingIn } from './login.js'
import { deadLink } from './reset-password.js'

export const loginLink = command({
  name: 'identity.auth.login-link',
  summary: 'Sign in with the one-use link of a demo',
  description: 'The server prints the link only when it creates a demo.',
  http: { method: 'post', path: '/auth/login/link' },
  ...signingIn,
  input: { query: SignInMode, body: strictObject({ token: Type.String({ minLength: 1, maxLength: 200 }) }) },
  errors: ['TOKEN_INVALID', 'SSO_REQUIRED', 'INSUFFICIENT_PERMISSIONS', 'CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  prepare: async (context, { query }) => ({ keep: keepAs(context, query.cookie) }),
  async run(context, { body }, { keep }) {
    const { tx, nowMs } = context
    const { users } = identityTables(tx)
    const used = await useOneTimeToken(tx, 'sign-in', body.token, nowMs)
    const [user] = used === null ? [] : await tx.select().from(users).where(eq(users.id, used.userId))
    // guard: a-sign-in-link-is-for-an-active-account
    if (!user?.isActive) throw deadLink()
    // guard: a-sign-in-link-opens-no-second-factor
    if ((await confirmedFactor(tx, user.id)) !== null) throw deadLink()
    const lock = lockoutKey('login-user', user.id)
    return completeLogin(context, { user, lock, organizationId: null, methods: ['link'], keep })
  },
})
