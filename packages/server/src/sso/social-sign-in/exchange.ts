/** Gives the tokens of a sign-in by a social account to the program that started it. */
import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { TokenSet } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { anyone } from '../../runtime/operation/access.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { SignInRefused } from '../oidc/reasons.js'
import { SOCIAL_ACTIONS, socialSession } from '../social/enter.js'
import { takeSocialFlow } from '../social/flow.js'
import { refuseSocial, socialRefused } from '../social/refuse.js'

export const exchangeSocialSignIn = command({
  name: 'sso.social-sign-in.exchange',
  summary: 'Complete a sign-in with a social account in the program that started it, with its verifier',
  http: { method: 'post', path: '/auth/oauth/exchange' },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  secretOutput: true,
  audit: SOCIAL_ACTIONS,
  input: {
    body: strictObject({
      grant: Type.String({ minLength: 43, maxLength: 43 }),
      verifier: Type.String({ minLength: 43, maxLength: 128 }),
    }),
  },
  output: TokenSet,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'MFA_REQUIRED', 'ORG_MISMATCH', 'SSO_REFUSED', 'SSO_REQUIRED'],
  async run(context, { body }) {
    const { tx, nowMs } = context
    const bound = createHash('sha256').update(body.verifier).digest('base64url')
    const flow = await takeSocialFlow(tx, { state: body.grant, bound, nowMs, of: 'grant' })
    if (flow === null) throw socialRefused()
    const { users } = identityTables(tx)
    const [user] = await tx
      .select()
      .from(users)
      .where(eq(users.id, flow.userId ?? ''))
    if (user === undefined || !user.isActive) {
      return refuseSocial(context, flow.provider, new SignInRefused('inactive'))
    }
    return socialSession(context, user, 'tokens')
  },
})
