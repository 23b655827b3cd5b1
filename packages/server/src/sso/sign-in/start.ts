/** Continues, in a browser, a sign-in that a program started. */
import { and, eq, gt } from 'drizzle-orm'
import Type from 'typebox'
import { tokenHash } from '../../identity/index.js'
import { Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { unchanged } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { askingOf, peerOf, UNBOUND, verifierOf } from '../flow/begin.js'
import { bindBrowser } from '../flow/cookie.js'
import { ssoOf } from '../services.js'
import { ssoTables } from '../tables.js'

export const startSignIn = command({
  name: 'sso.sign-in.start',
  summary: 'Continue, in a browser, a sign-in that a program started',
  description: 'Valid once: for the first browser that opens it.',
  http: { method: 'post', path: '/auth/sso/start' },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  secretOutput: true,
  audit: none('it only starts a sign-in'),
  input: { body: strictObject({ ticket: Type.String({ minLength: 43, maxLength: 43 }) }) },
  output: strictObject({ url: Type.String() }),
  errors: ['NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
  async prepare(context, { body }) {
    const found = await context.read(async (db) => {
      const { authFlows: t, identityProviders } = ssoTables(db)
      const isOpen = and(
        eq(t.stateHash, tokenHash(body.ticket)),
        eq(t.browserHash, UNBOUND),
        gt(t.expiresAtMs, context.nowMs),
      )
      const [row] = await db
        .select({ flow: t, provider: identityProviders })
        .from(t)
        .innerJoin(identityProviders, eq(identityProviders.id, t.providerId))
        .where(isOpen)
      return row
    })
    if (found === undefined) throw gone()
    const { flow, provider } = found
    const secrets = { state: body.ticket, nonce: flow.nonce, verifier: verifierOf(context.runtime, flow) }
    const { oidc } = ssoOf(context.runtime)
    return oidc.authorizeUrl(peerOf(context.runtime, provider), askingOf(provider, secrets, flow.kind))
  },
  async run(context, { body }, url) {
    const { authFlows: t } = ssoTables(context.tx)
    const browser = bindBrowser(context.request)
    const rows = await context.tx
      .update(t)
      .set({ browserHash: browser.hash })
      .where(and(eq(t.stateHash, tokenHash(body.ticket)), eq(t.browserHash, UNBOUND)))
      .returning({ kind: t.kind })
    if (rows.length === 0) throw gone()
    return unchanged({ url }, { headers: browser.headers })
  },
})

const gone = (): Refusal =>
  new Refusal('NOT_FOUND', 'this sign-in has ended, or another browser opened it: start again')
