/** Starts a sign-in, or the acceptance of an invitation, by a social account. */
import Type from 'typebox'
import { InvitationToken } from '../../identity/index.js'
import { anyone } from '../../runtime/operation/access.js'
import { unchanged } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { choice, strictObject } from '../../runtime/operation/schema.js'
import { newSecrets, socialStartUrlOf, UNBOUND } from '../flow/begin.js'
import { bindBrowser } from '../flow/cookie.js'
import { AuthorizeAnswer, OfProgram, ReturnTo, requiredProgram } from '../sign-in/begin.js'
import { socialProvider } from '../social/catalogue.js'
import { socialUrl } from '../social/client.js'
import { insertSocialFlow } from '../social/flow.js'

export const onSocialProvider = Type.Object({ provider: Type.String({ maxLength: 100 }) })

export const beginSocialSignIn = command({
  name: 'sso.social-sign-in.begin',
  summary: 'Start a sign-in with a social account',
  description: 'Answers with the address for the browser, and sets the cookie that binds the sign-in to the browser.',
  http: { method: 'post', path: '/auth/oauth/:provider/url' },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  secretOutput: true,
  audit: none('it only starts a sign-in'),
  input: {
    path: onSocialProvider,
    body: strictObject({
      kind: Type.Optional(
        choice(['sign-in', 'program', 'invitation'] as const, {
          description:
            '`sign-in` (when left out): a session for the browser; `program`: one for a program on the same machine; `invitation`: ends at `POST /invitation/accept-oauth`',
        }),
      ),
      token: Type.Optional(
        Type.String({
          ...InvitationToken,
          description: 'For `invitation`: the token of its link. The server keeps it until the person comes back',
        }),
      ),
      returnTo: ReturnTo,
      ...OfProgram,
    }),
  },
  output: AuthorizeAnswer,
  errors: ['NOT_FOUND', 'PROVIDER_UNAVAILABLE', 'VALIDATION_ERROR'],
  async prepare({ runtime }, { path, body }) {
    const { kind = 'sign-in' } = body
    const provider = socialProvider(runtime.settings, path.provider)
    const secrets = newSecrets()
    if (kind === 'program') {
      const program = requiredProgram(body)
      return { kind, provider, secrets, url: socialStartUrlOf(runtime, secrets.state), program }
    }
    const url = await socialUrl(runtime, provider, secrets, false)
    return { kind, provider, secrets, url, program: {} }
  },
  async run(context, { body: { returnTo, token } }, { kind, provider, secrets, url, program }) {
    // A program does not go to the provider itself: the browser that it opens takes up the flow first.
    const browser = kind === 'program' ? { hash: UNBOUND, headers: {} } : bindBrowser(context.request)
    await insertSocialFlow(context.tx, context.runtime, secrets, {
      kind,
      provider: provider.id,
      boundHash: browser.hash,
      ...program,
      ...(returnTo === undefined ? {} : { returnTo }),
      ...(kind === 'invitation' && token !== undefined ? { invitation: token } : {}),
    })
    return unchanged({ url }, { headers: browser.headers })
  },
})
