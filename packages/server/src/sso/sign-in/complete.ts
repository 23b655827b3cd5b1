/**
 * Completes a sign-in when the browser comes back from the provider. In this order: the flow is used up by state and
 * cookie; the provider must be unchanged; code, signature and claims are verified; then the account is decided. A
 * refusal is audited, and its reason is not revealed to the caller.
 */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import {
  claimGroups,
  credentialTables,
  FOLLOWING,
  identityOf,
  keepAs,
  proveSession,
  readStanding,
  SignInMode,
} from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { anyone } from '../../runtime/operation/access.js'
import { changed, type Outcome as Done, type PrepareContext } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { peerOf, verifierOf } from '../flow/begin.js'
import { consumeFlow, untaken } from '../flow/consume.js'
import { browserOf } from '../flow/cookie.js'
import { type Decision, decide, findLink, isActiveIn } from '../link/decide.js'
import { type Claims, checkAskedAgain, type Identity, judgeClaims } from '../oidc/judge.js'
import { SignInRefused } from '../oidc/reasons.js'
import { ssoOf } from '../services.js'
import { handOver } from '../step-up/hand-over.js'
import { signStepUp } from '../step-up/sign.js'
import type { FlowRow, ProviderRow } from '../tables.js'
import { ssoTables } from '../tables.js'
import { Outcome, ssoRefused } from './answer.js'
import { actorOf, createAccount, type Entering, enter, insertLink } from './enter.js'
import { grantProgram, mailConfirmation } from './grant.js'
import { kept } from './keep.js'
import { providerHeld, providerNow } from './organization.js'
import { refuse } from './refuse.js'

const short = (description: string, maxLength = 2048) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))

export const completeSignIn = command({
  name: 'sso.sign-in.complete',
  summary: 'Complete a sign-in with the answer of the identity provider',
  description: 'For the page at the redirect address, with the cookie that started the sign-in.',
  http: { method: 'post', path: '/auth/sso/:idpId/callback' },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  secretOutput: true,
  audit: ['identity.sso.login', 'identity.sso.link', 'identity.sso.refused', 'org.idp.test', ...FOLLOWING],
  silentWhen:
    'it confirms a person for one action, which is recorded itself, or when the person has to confirm an address first',
  input: {
    path: Type.Object({ idpId: Type.String() }),
    query: SignInMode,
    body: strictObject({
      state: Type.String({ minLength: 43, maxLength: 43 }),
      code: short('Absent with `error`'),
      iss: short('Issuer, where the provider names it', 500),
      error: short('Of the provider', 200),
    }),
  },
  output: Outcome,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'SSO_REFUSED', 'PROVIDER_UNAVAILABLE'],
  async prepare(context, { path, body, query }) {
    const { runtime, request, nowMs } = context
    const keep = keepAs(context, query.cookie)
    const browser = browserOf(request)
    const returned = { state: body.state, browser, providerId: path.idpId, nowMs }
    const flow = await consumeFlow(runtime, returned)
    // guard: a-flow-is-used-once
    if (flow === null) {
      const left = await context.read((db) => untaken(db, returned))
      if (left === null) throw ssoRefused()
      return { keep, claims: {}, identity: null, ...left }
    }
    try {
      return { keep, flow, ...(await identityFrom(context, flow, body)), refusal: null }
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      return { keep, flow, claims: {}, identity: null, refusal: error }
    }
  },
  async run(context, _input, { keep, flow, claims, identity, refusal }) {
    try {
      // guard: an-error-of-a-provider-opens-no-door
      if (identity === null) throw refusal ?? new SignInRefused('token')
      const provider = await providerHeld(context.tx, context.runtime.settings, flow)
      return await act(context, { flow, provider, claims, identity, keep })
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      return refuse(context, flow, error)
    }
  },
})

async function identityFrom(
  { runtime, read, nowMs }: PrepareContext,
  flow: FlowRow,
  body: { readonly state: string; readonly code?: string; readonly iss?: string; readonly error?: string },
): Promise<{ readonly claims: Claims; readonly identity: Identity }> {
  const provider = await read((db) => providerNow(db, runtime.settings, flow))
  const flowSecrets = { nonce: flow.nonce, verifier: verifierOf(runtime, flow) }
  const claims = await ssoOf(runtime).oidc.exchange(peerOf(runtime, provider), body, flowSecrets)
  const identity = judgeClaims(claims, { ...provider, nowMs })
  if (flow.kind === 'step-up') checkAskedAgain(identity, nowMs)
  return { claims, identity }
}

interface Coming {
  readonly flow: FlowRow
  readonly provider: ProviderRow
  readonly claims: Claims
  readonly identity: Identity
  readonly keep: ReturnType<typeof keepAs>
}

type Answer = Done<Type.Static<typeof Outcome>>

async function act(context: Entering, coming: Coming): Promise<Answer> {
  switch (coming.flow.kind) {
    case 'test':
      return tried(context, coming)
    case 'attach':
    case 'link':
      return attach(context, coming)
    case 'step-up':
      return confirmAction(context, coming)
    default:
      return signIn(context, coming)
  }
}

async function signIn(context: Entering, { flow, provider, identity, keep }: Coming): Promise<Answer> {
  const decision = await decide(context.tx, provider, identity, context.nowMs)
  if (decision.kind === 'refused') throw new SignInRefused(decision.reason)
  if (decision.kind === 'confirm') {
    await mailConfirmation(context, { flow, provider, identity, to: decision })
    return { changed: false, data: { kind: 'confirm' } }
  }
  const userId = await accountFor(context, provider, identity, decision)
  await claimGroups(context, provider, userId, identity.groups)
  if (flow.kind === 'program') {
    return changed({ kind: 'program', location: await grantProgram(context, { flow, provider, identity, userId }) })
  }
  const entered = await enter(context, provider, identity, { userId, isNew: decision.kind === 'create' })
  const { data, headers } = await kept(context, entered, keep)
  return changed({ kind: 'session', returnTo: flow.returnTo, tokens: data }, { headers })
}

async function accountFor(
  context: Entering,
  provider: ProviderRow,
  identity: Identity,
  decision: Exclude<Decision, { kind: 'refused' | 'confirm' }>,
): Promise<string> {
  if (decision.kind === 'create') return createAccount(context, provider, identity, decision)
  if (decision.kind === 'link') await insertLink(context, provider, identity, decision.userId, 'address')
  return decision.userId
}

/** The live session that started the flow. @throws SignInRefused */
async function sessionOfFlow({ tx, nowMs }: Entering, flow: FlowRow): Promise<{ userId: string; sessionId: string }> {
  const { sessions } = credentialTables(tx)
  const [row] = await tx
    .select()
    .from(sessions)
    .where(eq(sessions.id, flow.sessionId ?? ''))
  // guard: the-session-that-began-a-flow
  if (row === undefined || row.revokedAtMs !== null || row.expiresAtMs <= nowMs || row.userId !== flow.userId) {
    throw new SignInRefused('session')
  }
  return { userId: row.userId, sessionId: row.id }
}

/**
 * The session and the provider both prove who the person is, so the address does not have to. A new link also needed a
 * confirmation when the flow began.
 */
async function attach(context: Entering, { flow, provider, identity }: Coming): Promise<Answer> {
  const { tx, nowMs } = context
  const { userId, sessionId } = await sessionOfFlow(context, flow)
  if (!(await isActiveIn(tx, provider.orgId, userId))) throw new SignInRefused('inactive')
  const link = await findLink(tx, provider.id, identity)
  // guard: a-proof-is-of-the-person-of-the-session
  if (link !== null && link.userId !== userId) throw new SignInRefused('session')
  if (link === null) {
    // guard: a-proof-links-only-what-was-confirmed
    if (flow.kind !== 'link') throw new SignInRefused('other-subject')
    await insertLink(context, provider, identity, userId, 'session')
  }
  await claimGroups(context, provider, userId, identity.groups)
  const by = { providerId: provider.id, subject: identity.subject, sid: identity.sid, hours: provider.sessionHours }
  await proveSession(tx, { sessionId, orgId: provider.orgId, by, nowMs })
  tx.afterCommit(() => identityOf(context).directory.drop({ sessionId }))
  const { users } = identityTables(tx)
  const [user] = await tx.select().from(users).where(eq(users.id, userId))
  if (user === undefined) throw new SignInRefused('session')
  const standing = await readStanding(tx, context.runtime.settings, userId, provider.orgId)
  await context.audit('identity.sso.login', {
    actor: actorOf(user, standing?.role ?? null),
    orgId: provider.orgId,
    targetType: 'session',
    targetId: sessionId,
    details: { idpId: provider.id, isNew: false, confined: false },
  })
  return changed({ kind: 'attached', returnTo: flow.returnTo })
}

async function confirmAction(context: Entering, { flow, provider, identity }: Coming): Promise<Answer> {
  const { userId, sessionId } = await sessionOfFlow(context, flow)
  const link = await findLink(context.tx, provider.id, identity)
  // guard: a-step-up-is-by-the-person-of-the-session
  if (link?.userId !== userId) throw new SignInRefused('session')
  const by = { userId, sessionId, action: flow.action }
  if (flow.loopback !== null) {
    const { loopback, challenge, providerId: provider } = flow
    const location = await handOver(context.tx, context.runtime, { ...by, provider, loopback, challenge })
    return { changed: false, data: { kind: 'program', location } }
  }
  const signed = await signStepUp(context, by)
  return { changed: false, data: { kind: 'step-up', returnTo: flow.returnTo, ...signed } }
}

const WOULD_BE = { in: 'in', link: 'linked', confirm: 'confirmed', create: 'created', refused: 'refused' } as const

/** Shows the effect of the claims without changing anything. */
async function tried(context: Entering, { flow, provider, claims, identity }: Coming): Promise<Answer> {
  const { tx, nowMs } = context
  const { userId } = await sessionOfFlow(context, flow)
  const decision = await decide(tx, provider, identity, nowMs)
  const { identityProviders: t } = ssoTables(tx)
  // A test that would refuse the person does not count as a condition for enforcement.
  if (decision.kind !== 'refused') {
    await tx
      .update(t)
      .set({ testedBy: userId, testedAtMs: nowMs, testedRevision: provider.revision })
      .where(eq(t.id, provider.id))
  }
  await context.audit('org.idp.test', {
    orgId: provider.orgId,
    targetType: 'identity-provider',
    targetId: provider.id,
    details: { idpId: provider.id, reason: WOULD_BE[decision.kind] },
  })
  return changed({
    kind: 'test',
    claims,
    wouldBe: WOULD_BE[decision.kind],
    reason: decision.kind === 'refused' ? decision.reason : null,
    email: identity.email,
    groups: identity.groups === null ? null : [...identity.groups],
  })
}
