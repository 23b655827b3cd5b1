/**
 * Starts a proof by the identity provider for the current session: for the single sign-on of the organization, or for
 * one action (step-up).
 */
import Type from 'typebox'
import { confirmIdentity, sessionOf } from '../../identity/index.js'
import { insufficient, invalidField } from '../../runtime/errors.js'
import { signedIn, withStepUpWhen } from '../../runtime/operation/access.js'
import { type Principal, unchanged } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { choice, strictObject } from '../../runtime/operation/schema.js'
import { refuseConfined } from '../../runtime/operation/session-kind.js'
import { askingOf, insertFlow, newSecrets, peerOf, startUrlOf, UNBOUND } from '../flow/begin.js'
import { bindBrowser } from '../flow/cookie.js'
import { isLinked } from '../link/decide.js'
import { ssoOf } from '../services.js'
import type { FlowKind } from '../tables.js'
import { ActionOfStepUp, AuthorizeAnswer, OfProgram, onOrg, programOf, ReturnTo, WhichProvider } from './begin.js'
import { signOnOf } from './organization.js'

export const attachSignIn = command({
  name: 'sso.sign-in.attach',
  summary: 'Start a proof by the identity provider for your session',
  description:
    'Lets the session act in an organization that enforces single sign-on, or confirms your identity for one action. The first proof links the identity to your account: from then on it signs you in, so confirm with your password or second factor. A program sends the address that it listens on, and gets the confirmation at `POST /auth/step-up/exchange`.',
  http: { method: 'post', path: '/auth/sso/:orgId/attach' },
  access: withStepUpWhen('your account has no identity at the provider yet', signedIn()),
  tenant: noTenant,
  rateLimit: 'auth',
  secretOutput: true,
  audit: none('it only starts a sign-in'),
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
      ...OfProgram,
    }),
  },
  output: AuthorizeAnswer,
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'PROVIDER_UNAVAILABLE', 'VALIDATION_ERROR'],
  async prepare(context, { path, body }) {
    const { runtime, read, principal } = context
    const { kind: asked = 'attach', idpId } = body
    // A proof links the identity to the account, so a session that a provider opened cannot link another identity.
    // guard: a-confined-session-is-tied-to-no-other-identity
    if (asked === 'attach') refuseConfined(principal)
    const session = sessionOf(principal)
    const provider = await read((db) => signOnOf(db, { org: path.orgId, providerId: idpId }))
    if (asked === 'step-up') checkVouches(principal, provider.orgId)
    // A proof belongs to the browser of the session. A step-up may also be for a program outside the browser.
    const program = programOf(body)
    if (program !== null && asked === 'attach') {
      throw invalidField('/body/loopback', 'is of a confirmation: a proof belongs to the browser', 'not_allowed')
    }
    const isFirst = asked === 'attach' && !(await read((db) => isLinked(db, provider.id, session.userId)))
    // A stolen session would otherwise leave a way in that does not end with it.
    // guard: an-identity-is-linked-by-who-confirmed
    if (isFirst) await confirmIdentity(context, 'sso.sign-in.attach')
    const kind: FlowKind = isFirst ? 'link' : asked
    const secrets = newSecrets()
    if (program !== null) return { kind, session, provider, secrets, url: startUrlOf(runtime, secrets.state), program }
    const url = await ssoOf(runtime).oidc.authorizeUrl(peerOf(runtime, provider), askingOf(provider, secrets, kind))
    return { kind, session, provider, secrets, url, program }
  },
  async run(context, { body: { returnTo, action } }, { kind, session, provider, secrets, url, program }) {
    const browser = program === null ? bindBrowser(context.request) : { hash: UNBOUND, headers: {} }
    await insertFlow(context.tx, context.runtime, provider, secrets, {
      kind,
      browserHash: browser.hash,
      ...session,
      ...program,
      ...(returnTo === undefined ? {} : { returnTo }),
      ...(action === undefined ? {} : { action }),
    })
    return unchanged({ url }, { headers: browser.headers })
  },
})

/**
 * A step-up counts for the whole account when the session was opened by password, but a provider vouches for its
 * organization only. So it can step up only sessions that it opened.
 * @throws Refusal 403
 */
function checkVouches(principal: Principal, orgId: string): void {
  const boundOrgId = principal.kind === 'user' ? principal.boundOrgId : null
  // guard: a-provider-confirms-the-sessions-of-its-organization-alone
  if (boundOrgId !== orgId) {
    throw insufficient(
      'permission',
      'an identity provider can confirm only sessions that it started: confirm with your password or second factor (`POST /auth/step-up`)',
      { required: [], mode: 'all' },
    )
  }
}
