/** Gives the tokens of a sign-in that a browser completed to the program that started it. */
import { createHash } from 'node:crypto'
import Type from 'typebox'
import { TokenSet } from '../../identity/index.js'
import { anyone } from '../../runtime/operation/access.js'
import { changed, refused } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { SignInRefused } from '../oidc/reasons.js'
import { ssoRefused } from './answer.js'
import { enter } from './enter.js'
import { providerHeld } from './organization.js'
import { refuse } from './refuse.js'
import { takeGrant } from './take-grant.js'

export const exchangeSignIn = command({
  name: 'sso.sign-in.exchange',
  summary: 'Complete the sign-in of a program, with its verifier',
  http: { method: 'post', path: '/auth/sso/exchange' },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  secretOutput: true,
  audit: ['identity.sso.login', 'identity.sso.link', 'identity.sso.refused', 'org.idp.test'],
  input: {
    body: strictObject({
      grant: Type.String({ minLength: 43, maxLength: 43 }),
      verifier: Type.String({ minLength: 43, maxLength: 128 }),
    }),
  },
  output: TokenSet,
  errors: ['SSO_REFUSED'],
  async run(context, { body }) {
    const { tx, nowMs, runtime } = context
    const bound = createHash('sha256').update(body.verifier).digest('base64url')
    const taken = await takeGrant(tx, { kind: 'program', token: body.grant, bound, nowMs })
    if (taken === null) return refused(ssoRefused(), { changed: false })
    const { grant } = taken
    try {
      if (taken.refusal !== null) throw taken.refusal
      const provider = await providerHeld(tx, runtime.settings, { ...grant, kind: 'program' })
      const { tokens } = await enter(context, provider, grant, { userId: grant.userId, isNew: false })
      return changed(tokens)
    } catch (error) {
      if (error instanceof SignInRefused) return refuse(context, grant, error)
      throw error
    }
  },
})
