/**
 * Completes a sign-in when the browser comes back from the provider of a social account. The flow is used up by state
 * and cookie, and the provider is called. The subject then decides which account it is, never an address.
 */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { credentialTables, keepAs, SignInMode, TokenSet } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { anyone } from '../../runtime/operation/access.js'
import { changed, type Outcome as Done, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { newSecrets } from '../flow/begin.js'
import { browserOf } from '../flow/cookie.js'
import { checkAskedAgain } from '../oidc/judge.js'
import { SignInRefused } from '../oidc/reasons.js'
import { socialProvider } from '../social/catalogue.js'
import { socialPerson } from '../social/client.js'
import {
  insertSocialLink,
  linkedUser,
  personHere,
  SOCIAL_ACTIONS,
  type SocialContext,
  socialSession,
} from '../social/enter.js'
import { consumeSocialFlow, insertSocialFlow, isOfInvitation, secretsOf } from '../social/flow.js'
import type { SocialPerson } from '../social/person.js'
import { refuseSocial, socialRefused } from '../social/refuse.js'
import { handOver } from '../step-up/hand-over.js'
import { signStepUp } from '../step-up/sign.js'
import type { SocialFlowRow } from '../tables.js'
import { onSocialProvider } from './begin.js'

const returnTo = Type.String({ description: 'A path of this server' })

export const SocialReturn = {
  state: Type.String({ minLength: 43, maxLength: 43 }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'Absent with `error`' })),
  iss: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Issuer, where the provider names it' })),
  error: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Of the provider' })),
}

const Outcome = Type.Union([
  strictObject({ kind: Type.Literal('session'), returnTo, tokens: TokenSet }),
  strictObject({ kind: Type.Literal('linked'), returnTo }),
  strictObject({ kind: Type.Literal('step-up'), returnTo, stepUpToken: Type.String(), expiresAt: Instant }),
  strictObject({
    kind: Type.Literal('invitation', { description: 'Continue with the same body at `POST /invitation/accept-oauth`' }),
  }),
  strictObject({ kind: Type.Literal('program'), location: Type.String({ description: 'Of the program that waits' }) }),
])
type Answer = Done<Type.Static<typeof Outcome>>

export const completeSocialSignIn = command({
  name: 'sso.social-sign-in.complete',
  summary: 'Complete a sign-in with the answer of a social provider',
  description:
    'For the page at the redirect address, with the cookie that started the sign-in. If an account has the address, the answer is 409: the person signs in to that account, and links the other one.',
  http: { method: 'post', path: '/auth/oauth/:provider/callback' },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  secretOutput: true,
  audit: SOCIAL_ACTIONS,
  silentWhen:
    'it completes a step-up, or a program or an invitation continues the sign-in: the next request is recorded',
  input: { path: onSocialProvider, query: SignInMode, body: strictObject(SocialReturn) },
  output: Outcome,
  errors: [
    'CONFLICT',
    'DUPLICATE_ENTRY',
    'INSUFFICIENT_PERMISSIONS',
    'MFA_REQUIRED',
    'NOT_FOUND',
    'ORG_MISMATCH',
    'PROVIDER_UNAVAILABLE',
    'REGISTRATION_CLOSED',
    'RESERVED_ORG',
    'SSO_REFUSED',
    'SSO_REQUIRED',
  ],
  async prepare(context, { path, body, query }) {
    const { runtime, request, nowMs } = context
    const keep = keepAs(context, query.cookie)
    const provider = socialProvider(runtime.settings, path.provider)
    const returned = { state: body.state, browser: browserOf(request), provider: provider.id, nowMs }
    const flow = await consumeSocialFlow(runtime, { ...returned, purpose: 'sign-in' })
    if (flow === null) {
      // guard: a-social-sign-in-is-used-once
      if (!(await context.read((db) => isOfInvitation(db, returned)))) throw socialRefused()
      return { keep, flow, person: null, refusal: null }
    }
    try {
      return {
        keep,
        flow,
        person: await socialPerson(runtime, provider, body, secretsOf(runtime, flow)),
        refusal: null,
      }
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      return { keep, flow, person: null, refusal: error }
    }
  },
  async run(context, _input, { keep, flow, person, refusal }): Promise<Answer> {
    if (flow === null) return unchanged({ kind: 'invitation' })
    try {
      if (person === null) throw refusal ?? new SignInRefused('token')
      return await act(context, flow, person, keep)
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      return refuseSocial(context, flow.provider, error)
    }
  },
})

async function act(
  context: SocialContext,
  flow: SocialFlowRow,
  person: SocialPerson,
  keep: ReturnType<typeof keepAs>,
): Promise<Answer> {
  if (flow.kind === 'link') return link(context, flow, person)
  if (flow.kind === 'step-up') return confirmAction(context, flow, person)
  const user = await personHere(context, flow.provider, person)
  if (flow.kind === 'program') {
    const secrets = newSecrets()
    const { provider, challenge } = flow
    await insertSocialFlow(context.tx, context.runtime, secrets, {
      kind: 'grant',
      provider,
      boundHash: challenge ?? '',
      userId: user.id,
    })
    return changed({ kind: 'program', location: `${flow.loopback ?? ''}?grant=${encodeURIComponent(secrets.state)}` })
  }
  const { data, ...outcome } = await socialSession(context, user, keep)
  return { ...outcome, data: { kind: 'session', returnTo: flow.returnTo, tokens: data } }
}

/** The live session that started the flow. @throws SignInRefused */
async function personOfFlow({ tx, nowMs }: SocialContext, flow: SocialFlowRow) {
  const { sessions } = credentialTables(tx)
  const { users } = identityTables(tx)
  const [row] = await tx
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, flow.sessionId ?? ''), eq(sessions.userId, flow.userId ?? '')))
  const isLive =
    row !== undefined && row.session.revokedAtMs === null && row.session.expiresAtMs > nowMs && row.user.isActive
  // guard: the-session-that-began-a-link
  if (!isLive) throw new SignInRefused('session')
  return row
}

/** Links the account: the session and the provider both prove who the person is. */
async function link(context: SocialContext, flow: SocialFlowRow, person: SocialPerson): Promise<Answer> {
  const { user } = await personOfFlow(context, flow)
  const before = await linkedUser(context.tx, flow.provider, person)
  // guard: a-social-account-belongs-to-one-person
  if (before !== null && before.id !== user.id) throw new SignInRefused('session')
  if (before === null) await insertSocialLink(context, flow.provider, person, user)
  const data = { kind: 'linked' as const, returnTo: flow.returnTo }
  return before === null ? changed(data) : unchanged(data)
}

async function confirmAction(context: SocialContext, flow: SocialFlowRow, person: SocialPerson): Promise<Answer> {
  const { session, user } = await personOfFlow(context, flow)
  const linked = await linkedUser(context.tx, flow.provider, person)
  // guard: a-social-confirmation-is-by-the-person-of-the-session
  if (linked?.id !== user.id) throw new SignInRefused('session')
  checkAskedAgain(person, context.nowMs)
  const by = { userId: user.id, sessionId: session.id, action: flow.action }
  if (flow.loopback !== null) {
    const { loopback, challenge, provider } = flow
    const location = await handOver(context.tx, context.runtime, { ...by, provider, loopback, challenge })
    return unchanged({ kind: 'program', location })
  }
  return unchanged({ kind: 'step-up', returnTo: flow.returnTo, ...(await signStepUp(context, by)) })
}
