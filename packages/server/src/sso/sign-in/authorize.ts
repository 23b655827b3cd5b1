import Type from 'typebox'
import { anyone } from '../../runtime/operation/access.js'
import { unchanged } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { choice, strictObject } from '../../runtime/operation/schema.js'
import { askingOf, insertFlow, newSecrets, peerOf, startUrlOf, UNBOUND } from '../flow/begin.js'
import { bindBrowser } from '../flow/cookie.js'
import { ssoOf } from '../services.js'
import { AuthorizeAnswer, OfProgram, onOrg, ReturnTo, requiredProgram, WhichProvider } from './begin.js'
import { signOnOf } from './organization.js'

const Body = strictObject({
  kind: Type.Optional(
    choice(['sign-in', 'program'] as const, {
      description:
        '`sign-in` (when left out): a session for the browser; `program`: one for a program on the same machine',
    }),
  ),
  idpId: WhichProvider,
  returnTo: ReturnTo,
  ...OfProgram,
})

export const authorizeSignIn = command({
  name: 'sso.sign-in.authorize',
  summary: 'Start a sign-in with the identity provider of an organization',
  description:
    'Answers with the address for the browser, and sets the cookie that binds the sign-in to the browser. The organization is named by id or slug.',
  http: { method: 'post', path: '/auth/sso/:orgId/authorize' },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  secretOutput: true,
  audit: none('it only starts a sign-in'),
  input: { path: onOrg, body: Body },
  output: AuthorizeAnswer,
  errors: ['NOT_FOUND', 'PROVIDER_UNAVAILABLE', 'VALIDATION_ERROR'],
  async prepare({ runtime, read }, { path, body }) {
    const { kind, idpId } = body
    const provider = await read((db) => signOnOf(db, { org: path.orgId, providerId: idpId }))
    const secrets = newSecrets()
    if (kind !== 'program') {
      const url = await ssoOf(runtime).oidc.authorizeUrl(
        peerOf(runtime, provider),
        askingOf(provider, secrets, 'sign-in'),
      )
      return { provider, secrets, url, program: null }
    }
    // A program does not go to the provider itself: the browser that it opens takes up the flow first.
    return { provider, secrets, url: startUrlOf(runtime, secrets.state), program: requiredProgram(body) }
  },
  async run(context, { body: { returnTo } }, { provider, secrets, url, program }) {
    const browser = program === null ? bindBrowser(context.request) : { hash: UNBOUND, headers: {} }
    await insertFlow(context.tx, context.runtime, provider, secrets, {
      kind: program === null ? 'sign-in' : 'program',
      browserHash: browser.hash,
      ...(returnTo === undefined ? {} : { returnTo }),
      ...program,
    })
    return unchanged({ url }, { headers: browser.headers })
  },
})
