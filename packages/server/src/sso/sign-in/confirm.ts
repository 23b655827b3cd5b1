/**
 * Joins an organization by the link that was mailed to the address of the account, in the browser that asked for it.
 */
import Type from 'typebox'
import { claimGroups, FOLLOWING, findMembership, keepAs, SignInMode, tokenHash } from '../../identity/index.js'
import { anyone } from '../../runtime/operation/access.js'
import { changed, refused } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { browserOf } from '../flow/cookie.js'
import { findLink, isActiveAccount, isLinked } from '../link/decide.js'
import { SignInRefused } from '../oidc/reasons.js'
import type { GrantRow, ProviderRow } from '../tables.js'
import { Outcome, ssoRefused } from './answer.js'
import { checkSeat, type Entering, enter, insertLink, join } from './enter.js'
import { kept } from './keep.js'
import { providerHeld } from './organization.js'
import { refuse } from './refuse.js'
import { takeGrant } from './take-grant.js'

export const confirmSignIn = command({
  name: 'sso.sign-in.confirm',
  summary: 'Join an organization by the link that was mailed to you',
  http: { method: 'post', path: '/auth/sso/confirm' },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  secretOutput: true,
  audit: ['identity.sso.login', 'identity.sso.link', 'identity.sso.refused', 'org.idp.test', ...FOLLOWING],
  input: { query: SignInMode, body: strictObject({ token: Type.String({ minLength: 43, maxLength: 43 }) }) },
  output: Outcome,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'SSO_REFUSED'],
  prepare: async (context, { query }) => keepAs(context, query.cookie),
  async run(context, { body }, keep) {
    const { tx, runtime, nowMs } = context
    const taken = await takeGrant(tx, {
      kind: 'confirm',
      token: body.token,
      bound: boundOf(browserOf(context.request)),
      nowMs,
    })
    if (taken === null) return refused(ssoRefused(), { changed: false })
    const { grant } = taken
    try {
      if (taken.refusal !== null) throw taken.refusal
      const provider = await providerHeld(tx, runtime.settings, { ...grant, kind: 'sign-in' })
      await joinBy(context, provider, grant)
      await claimGroups(context, provider, grant.userId, grant.groups)
      const entered = await enter(context, provider, grant, { userId: grant.userId, isNew: false })
      const { data, headers } = await kept(context, entered, keep)
      return changed({ kind: 'session' as const, returnTo: grant.returnTo, tokens: data }, { headers })
    } catch (error) {
      if (error instanceof SignInRefused) return refuse(context, grant, error)
      throw error
    }
  },
})

const boundOf = (browser: string | null): string | null => (browser === null ? null : tokenHash(browser))

/** Checks that can refuse come first, because writes before a refusal are committed with its audit event. */
async function joinBy(context: Entering, provider: ProviderRow, grant: GrantRow): Promise<void> {
  const { tx } = context
  const { orgId } = provider
  const { userId } = grant
  const membership = await findMembership(tx, orgId, userId)
  if (membership !== null && !membership.isActive) throw new SignInRefused('inactive')
  if (!(await isActiveAccount(tx, userId))) throw new SignInRefused('inactive')
  const isTied = (await isLinked(tx, provider.id, userId)) || (await findLink(tx, provider.id, grant)) !== null
  if (isTied) throw new SignInRefused('other-subject')
  if (membership === null) {
    await checkSeat(context, provider)
    await join(context, provider, userId)
  }
  await insertLink(context, provider, grant, userId, 'mailbox')
}
