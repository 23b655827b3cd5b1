/**
 * Accepts an invitation with a new account that signs in by a social account, without creating an organization of the
 * person's own.
 */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import {
  checkPending,
  checkWay,
  foldKey,
  INVITATION_GONE,
  InvitationToken,
  insertUser,
  Joined,
  joined,
  keepAs,
  openedInvitation,
  SignInMode,
  TokenSet,
  type UserRow,
  useInvitation,
} from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { choice, strictObject } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { browserOf } from '../flow/cookie.js'
import { freeUsername } from '../free-username.js'
import { SignInRefused } from '../oidc/reasons.js'
import { SOCIAL_PROVIDERS, socialProvider } from '../social/catalogue.js'
import { socialPerson } from '../social/client.js'
import { insertSocialLink, linkedUser, SOCIAL_ACTIONS, type SocialContext, socialSession } from '../social/enter.js'
import { consumeSocialFlow, invitationIn, secretsOf } from '../social/flow.js'
import type { SocialPerson } from '../social/person.js'
import { refuseSocial, socialRefused } from '../social/refuse.js'
import { SocialReturn } from '../social-sign-in/complete.js'

export const acceptSocialInvitation = command({
  name: 'sso.social-invitation.accept',
  summary: 'Accept an invitation with a social account',
  description:
    'Start with `POST /auth/oauth/{provider}/url`, `kind: invitation` and the token, or send the token here. The provider must have verified the invited address. A person who has an account signs in and accepts as usual.',
  http: { method: 'post', path: '/invitation/accept-oauth', aliases: ['/invitations/accept-oauth'], status: 201 },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  secretOutput: true,
  audit: [...SOCIAL_ACTIONS, 'invitation.accept'],
  input: {
    query: SignInMode,
    body: strictObject({ token: Type.Optional(InvitationToken), provider: choice(SOCIAL_PROVIDERS), ...SocialReturn }),
  },
  output: strictObject({ ...Joined.properties, tokens: TokenSet }),
  errors: [
    'CONFLICT',
    'DUPLICATE_ENTRY',
    'INSUFFICIENT_PERMISSIONS',
    'MFA_REQUIRED',
    'NOT_FOUND',
    'ORG_MISMATCH',
    'PROVIDER_UNAVAILABLE',
    'REGISTRATION_CLOSED',
    'SEAT_LIMIT',
    'SSO_REFUSED',
    'SSO_REQUIRED',
    'VALIDATION_ERROR',
    ...INVITATION_GONE,
  ],
  async prepare(context, { body: { token: given, provider: id, ...returned }, query }) {
    const { runtime, request, nowMs, read } = context
    const keep = keepAs(context, query.cookie)
    if (runtime.settings.REGISTRATION === 'closed') {
      throw new Refusal('REGISTRATION_CLOSED', 'this server does not accept new accounts')
    }
    const provider = socialProvider(runtime.settings, id)
    const by = { state: returned.state, browser: browserOf(request), provider: provider.id, nowMs }
    const flow = await consumeSocialFlow(runtime, { ...by, purpose: 'invitation' })
    if (flow === null) throw socialRefused()
    const token = invitationIn(runtime, flow) ?? given
    if (token === undefined)
      throw invalidField('/body/token', 'is required: the sign-in started without it', 'required')
    // Checked before the provider is called, and again in the transaction.
    const { row } = await read((db) => openedInvitation(db, token))
    checkPending(row, nowMs)
    checkWay(row, 'oauth')
    try {
      const person = await socialPerson(runtime, provider, returned, secretsOf(runtime, flow))
      // guard: an-invitation-is-for-the-address-that-the-provider-verified
      if (foldKey(person.email ?? '') !== foldKey(row.email)) {
        throw new SignInRefused(person.email === null ? 'no-email' : 'other-address')
      }
      return { keep, token, provider: provider.id, person, refusal: null }
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      return { keep, token, provider: provider.id, person: null, refusal: error }
    }
  },
  async run(context, _input, { keep, token, provider, person, refusal }) {
    if (person === null) return refuseSocial(context, provider, refusal ?? new SignInRefused('token'))
    if ((await linkedUser(context.tx, provider, person)) !== null) {
      throw new Refusal(
        'CONFLICT',
        'the social account is already linked to an account: sign in with it, and accept the invitation',
      )
    }
    await checkNoAccount(context.tx, person)
    const { user, done } = await join(context, { token, provider, person })
    const { data, ...outcome } = await socialSession(context, user, keep)
    // Accepted in any case; an organization that requires its provider opens no session here.
    return { ...outcome, changed: true, status: 201, data: { ...joined(done), tokens: data } }
  },
})

/** @throws Refusal 409 that names the way in for the person who has an account. */
async function checkNoAccount(tx: Tx, { email }: SocialPerson): Promise<void> {
  const { users } = identityTables(tx)
  if ((await tx.$count(users, eq(users.emailKey, foldKey(email ?? '')))) === 0) return
  throw new Refusal('DUPLICATE_ENTRY', 'an account has the invited address: sign in to it, and accept the invitation', {
    details: { field: 'email' },
  })
}

async function join(
  context: SocialContext & { audit: (action: 'invitation.accept', entry: object) => Promise<void> },
  { token, provider, person }: { readonly token: string; readonly provider: string; readonly person: SocialPerson },
) {
  const { tx, runtime } = context
  let made: UserRow | undefined
  const done = await useInvitation(
    context,
    token,
    async ({ email }) => {
      const username = await freeUsername(tx, email)
      made = await insertUser(tx, runtime, { username, email, passwordHash: null, isEmailVerified: true })
      return made.id
    },
    'oauth',
  )
  if (made === undefined) throw new Error('the invitation was used without an account')
  const { users } = identityTables(tx)
  await tx.update(users).set({ activeOrgId: done.org.id }).where(eq(users.id, made.id))
  const user = { ...made, activeOrgId: done.org.id }
  await insertSocialLink(context, provider, person, user)
  const by = {
    actor: { id: user.id, email: user.email, role: done.row.role, impersonatorId: null },
    orgId: done.org.id,
  }
  const details = { name: user.username, email: user.email }
  await context.audit('user.register', { ...by, targetType: 'user', targetId: user.id, details })
  const about = { targetType: 'invitation', targetId: done.row.id }
  await context.audit('invitation.accept', {
    ...by,
    ...about,
    details: { email: done.row.email, role: done.row.role },
  })
  return { user, done }
}
