/**
 * Starts to link an external account: the provider proves who owns it, and the page of the redirect address completes
 * the link.
 */
import { eq } from 'drizzle-orm'
import { sessionOf } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { Refusal } from '../../runtime/errors.js'
import { ownAccount, withStepUp } from '../../runtime/operation/access.js'
import { unchanged } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { newSecrets } from '../flow/begin.js'
import { bindBrowser } from '../flow/cookie.js'
import { AuthorizeAnswer, ReturnTo } from '../sign-in/begin.js'
import { socialProvider } from '../social/catalogue.js'
import { socialUrl } from '../social/client.js'
import { insertSocialFlow } from '../social/flow.js'
import { onSocialProvider } from '../social-sign-in/begin.js'

export const createSocialLink = command({
  name: 'sso.social-link.create',
  summary: 'Start to link another account to yours',
  description: 'Your address must be verified first, because it decides who owns the account.',
  http: { method: 'post', path: '/auth/me/links/:provider' },
  access: withStepUp(ownAccount()),
  tenant: noTenant,
  rateLimit: 'auth',
  secretOutput: true,
  audit: none('the link is recorded when it is made'),
  input: { path: onSocialProvider, body: strictObject({ returnTo: ReturnTo }) },
  output: AuthorizeAnswer,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
  async prepare({ runtime, principal, read }, { path }) {
    const session = sessionOf(principal)
    const provider = socialProvider(runtime.settings, path.provider)
    const [user] = await read(async (db) => {
      const { users } = identityTables(db)
      return db.select({ verifiedAtMs: users.emailVerifiedAtMs }).from(users).where(eq(users.id, session.userId))
    })
    // guard: an-account-that-never-proved-its-address-links-nothing
    if (user?.verifiedAtMs == null) {
      throw new Refusal('CONFLICT', 'verify the address of your account first: `POST /auth/send-verification`')
    }
    const secrets = newSecrets()
    return { session, provider, secrets, url: await socialUrl(runtime, provider, secrets, false) }
  },
  async run(context, { body: { returnTo } }, { session, provider, secrets, url }) {
    const browser = bindBrowser(context.request)
    await insertSocialFlow(context.tx, context.runtime, secrets, {
      kind: 'link',
      provider: provider.id,
      boundHash: browser.hash,
      ...session,
      ...(returnTo === undefined ? {} : { returnTo }),
    })
    return unchanged({ url }, { headers: browser.headers })
  },
})
