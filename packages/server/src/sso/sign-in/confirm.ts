/** Join an organization by the link that was mailed to the address of the account, in the browser that asked. */
import { and, eq, gt } from 'drizzle-orm'
import Type from 'typebox'
import { findMembership, keepAs, SignInMode, tokenHash } from '../../identity/index.js'
import { anyone } from '../../runtime/operation/access.js'
import { changed, refused } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { browserOf } from '../flow/cookie.js'
import { SignInRefused } from '../oidc/reasons.js'
import { type GrantRow, type ProviderRow, ssoTables } from '../tables.js'
import { Outcome, ssoRefused } from './answer.js'
import { checkSeat, type Entering, enter, insertLink, join } from './enter.js'
import { kept } from './keep.js'
import { providerHeld } from './organization.js'

export const confirmSignIn = command({
  name: 'sso.sign-in.confirm',
  summary: 'Join an organization by the link that was mailed to you',
  http: { method: 'post', path: '/auth/sso/confirm' },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  secretOutput: true,
  audit: ['identity.sso.login', 'identity.sso.link', 'identity.sso.refused', 'org.idp.test'],
  input: { query: SignInMode, body: strictObject({ token: Type.String({ minLength: 43, maxLength: 43 }) }) },
  output: Outcome,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'SSO_REFUSED'],
  prepare: async (context, { query }) => keepAs(context, query.cookie),
  async run(context, { body }, keep) {
    const { tx, runtime, nowMs, request } = context
    const { authGrants: t } = ssoTables(tx)
    const browser = browserOf(request)
    const [grant] =
      browser === null
        ? []
        : await tx
            .delete(t)
            .where(
              and(
                eq(t.tokenHash, tokenHash(body.token)),
                eq(t.kind, 'confirm'),
                // guard: a-link-of-a-mail-is-for-the-browser-that-asked
                eq(t.boundHash, tokenHash(browser)),
                gt(t.expiresAtMs, nowMs),
              ),
            )
            .returning()
    if (grant === undefined) return refused(ssoRefused(), { changed: false })
    try {
      const provider = await providerHeld(tx, runtime.settings, { ...grant, kind: 'sign-in' })
      await joinBy(context, provider, grant)
      const entered = await enter(context, provider, grant, { userId: grant.userId, isNew: false })
      const { data, headers } = await kept(context, entered, keep)
      return changed({ kind: 'session' as const, returnTo: grant.returnTo, tokens: data }, { headers })
    } catch (error) {
      if (error instanceof SignInRefused) throw ssoRefused()
      throw error
    }
  },
})

async function joinBy(context: Entering, provider: ProviderRow, grant: GrantRow): Promise<void> {
  await checkSeat(context, provider)
  const membership = await findMembership(context.tx, provider.orgId, grant.userId)
  if (membership === null) await join(context, provider, grant.userId)
  await insertLink(context, provider, grant, grant.userId, 'mailbox')
}
