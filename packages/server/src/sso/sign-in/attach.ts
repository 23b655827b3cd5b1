/** Begin a proof by the identity provider for the session that asks: for the door of the organization, or for one action. */
import Type from 'typebox'
import { accountSessionOf, sessionOf } from '../../identity/index.js'
import { insufficient } from '../../runtime/errors.js'
import { signedIn } from '../../runtime/operation/access.js'
import { type Principal, unchanged } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { choice, strictObject } from '../../runtime/operation/schema.js'
import { askingOf, insertFlow, newSecrets, peerOf } from '../flow/begin.js'
import { bindBrowser } from '../flow/cookie.js'
import { ssoOf } from '../services.js'
import { ActionOfStepUp, AuthorizeAnswer, onOrg, ReturnTo, WhichProvider } from './begin.js'
import { signOnOf } from './organization.js'

export const attachSignIn = command({
  name: 'sso.sign-in.attach',
  summary: 'Begin a proof by the identity provider for your session',
  description: 'Opens the door of an organization that enforces its sign-on, or confirms who you are for one action.',
  http: { method: 'post', path: '/auth/sso/:orgId/attach' },
  access: signedIn(),
  tenant: noTenant,
  rateLimit: 'auth',
  secretOutput: true,
  audit: none('a sign-in that begins changes nothing'),
  input: {
    path: onOrg,
    body: strictObject({
      kind: Type.Optional(
        choice(['attach', 'step-up'] as const, {
          description: '`attach` (when left out): a proof for the session; `step-up`: a confirmation of identity',
        }),
      ),
      idpId: WhichProvider,
      returnTo: ReturnTo,
      action: ActionOfStepUp,
    }),
  },
  output: AuthorizeAnswer,
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
  async prepare({ runtime, read, principal }, { path, body: { kind = 'attach', idpId } }) {
    // A proof ties the identity to the account: whom a provider let in is not tied to that of another.
    // guard: a-confined-session-is-tied-to-no-other-identity
    const session = kind === 'attach' ? accountSessionOf(principal) : sessionOf(principal)
    const provider = await read((db) => signOnOf(db, { org: path.orgId, providerId: idpId }))
    if (kind === 'step-up') checkVouches(principal, provider.orgId)
    const secrets = newSecrets()
    const url = await ssoOf(runtime).oidc.authorizeUrl(peerOf(runtime, provider), askingOf(provider, secrets, kind))
    return { kind, session, provider, secrets, url }
  },
  async run(context, { body: { returnTo, action } }, { kind, session, provider, secrets, url }) {
    const browser = bindBrowser(context.request)
    await insertFlow(context.tx, context.runtime, provider, secrets, {
      kind,
      browserHash: browser.hash,
      ...session,
      ...(returnTo === undefined ? {} : { returnTo }),
      ...(action === undefined ? {} : { action }),
    })
    return unchanged({ url }, { headers: browser.headers })
  },
})

/**
 * A confirmation counts for the whole account of a session that has a password; a provider answers for its organization alone.
 * @throws Refusal 403
 */
function checkVouches(principal: Principal, orgId: string): void {
  const boundOrgId = principal.kind === 'user' ? principal.boundOrgId : null
  // guard: a-provider-confirms-the-sessions-of-its-organization-alone
  if (boundOrgId !== orgId) {
    throw insufficient(
      'permission',
      'an identity provider confirms the sessions that came by its organization alone: confirm by your password or second factor (`POST /auth/step-up`)',
      { required: [], mode: 'all' },
    )
  }
}
