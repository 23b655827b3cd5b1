/** Starts a step-up by a social account: its provider authenticates the person again. */
import { sessionOf } from '../../identity/index.js'
import { Refusal } from '../../runtime/errors.js'
import { ownAccount } from '../../runtime/operation/access.js'
import { unchanged } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { newSecrets, socialStartUrlOf, UNBOUND } from '../flow/begin.js'
import { bindBrowser } from '../flow/cookie.js'
import { ActionOfStepUp, AuthorizeAnswer, OfProgram, programOf, ReturnTo } from '../sign-in/begin.js'
import { asksAgain, socialProvider } from '../social/catalogue.js'
import { socialUrl } from '../social/client.js'
import { insertSocialFlow } from '../social/flow.js'
import { onSocialProvider } from '../social-sign-in/begin.js'

export const beginSocialStepUp = command({
  name: 'sso.social-step-up.begin',
  summary: 'Begin a confirmation of your identity by a linked account',
  description:
    'The page of the answer holds the token for `x-step-up-token`; a program names where it listens and takes the token up at `POST /auth/step-up/exchange`. GitHub does not ask a person again: confirm by a password or a second factor there.',
  http: { method: 'post', path: '/auth/oauth/:provider/step-up' },
  access: ownAccount(),
  tenant: noTenant,
  rateLimit: 'step-up',
  secretOutput: true,
  audit: none('it only starts a step-up'),
  input: { path: onSocialProvider, body: strictObject({ returnTo: ReturnTo, action: ActionOfStepUp, ...OfProgram }) },
  output: AuthorizeAnswer,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'PROVIDER_UNAVAILABLE', 'VALIDATION_ERROR'],
  async prepare({ runtime, principal }, { path, body }) {
    const session = sessionOf(principal)
    const provider = socialProvider(runtime.settings, path.provider)
    if (!asksAgain(provider)) {
      throw new Refusal(
        'CONFLICT',
        `${provider.name} does not ask a person again: confirm by another linked account, your second factor or your password (set one by \`POST /auth/password/forgot\`)`,
      )
    }
    const secrets = newSecrets()
    const program = programOf(body)
    const url =
      program === null ? await socialUrl(runtime, provider, secrets, true) : socialStartUrlOf(runtime, secrets.state)
    return { session, provider, secrets, url, program }
  },
  async run(context, { body: { returnTo, action } }, { session, provider, secrets, url, program }) {
    // A program does not go to the provider itself: the browser that it opens takes up the flow first.
    const browser = program === null ? bindBrowser(context.request) : { hash: UNBOUND, headers: {} }
    await insertSocialFlow(context.tx, context.runtime, secrets, {
      kind: 'step-up',
      provider: provider.id,
      boundHash: browser.hash,
      ...session,
      ...program,
      ...(returnTo === undefined ? {} : { returnTo }),
      ...(action === undefined ? {} : { action }),
    })
    return unchanged({ url }, { headers: browser.headers })
  },
})
