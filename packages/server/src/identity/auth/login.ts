/**
 * Signs in by user name or e-mail address and password. Every cause of failure has the same answer and costs the same
 * hash, whether or not the account exists. Failures are counted per person, or per identifier when no account has it,
 * and are audited.
 */
import { eq, or } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { changed, type Outcome, refused, type WriteContext } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { signOnRequired } from '../authority.js'
import { loginLock, rememberNetwork } from '../credential/known-networks.js'
import { clearFailures, countFailure, FAILURES_FREE, lockedOut, lockoutKey, takeTurn } from '../credential/lockout.js'
import { cookieNameFor } from '../credential/session-cookie.js'
import { wrongCredentials } from '../credential/wrong-credentials.js'
import { confirmedFactor } from '../mfa/factor.js'
import { foldKey, Password, type UserRow } from '../new-user.js'
import { identityOf } from '../services.js'
import { giveCookie } from '../session/give-cookie.js'
import { homeStanding, openSession } from '../session/open.js'
import { answerTokens, makeTokenSet, SignInMode, TokenSet, withoutTokens } from '../session/token-set.js'
import { readStanding } from '../standing.js'
import { identityTables } from '../tables.js'
import { applyBootstrap } from './bootstrap.js'
import { breakGlass, breaksGlass, doorsOf } from './enforced.js'

/** How long the challenge for the second factor is valid, in seconds. */
const MFA_SECONDS = 300

/** What both steps of a sign-in have in common. */
export const signingIn = {
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  secretOutput: true,
  audit: ['user.login', 'user.login.failed', 'user.lockout', 'admin.superadmin.grant', 'auth.break-glass'],
  output: TokenSet,
} as const

export const login = command({
  name: 'identity.auth.login',
  summary: 'Sign in with user name or e-mail address and password',
  http: { method: 'post', path: '/auth/login' },
  ...signingIn,
  input: {
    query: SignInMode,
    body: strictObject({
      identifier: Type.String({ minLength: 1, maxLength: 254 }),
      password: Password,
      organizationId: Type.Optional(Uuid),
    }),
  },
  errors: [
    'UNAUTHORIZED',
    'MFA_REQUIRED',
    'SSO_REQUIRED',
    'ORG_MISMATCH',
    'INSUFFICIENT_PERMISSIONS',
    'CONFLICT',
    'RATE_LIMIT_EXCEEDED',
    'SERVICE_UNAVAILABLE',
  ],
  async prepare(context, { body, query }) {
    const keep = keepAs(context, query.cookie)
    const { passwords } = identityOf(context)
    const from = { ip: context.request.ip, nowMs: context.nowMs }
    const { lock, isKnown, locked, user } = await context.read(async (db) => {
      const found = await findByIdentifier(db, body.identifier)
      const counted = await loginLock(db, found?.id ?? null, foldKey(body.identifier), from)
      return { ...counted, locked: await lockedOut(db, counted.lock, context.nowMs), user: found }
    })
    if (locked !== null) throw locked
    const seenHash = user?.passwordHash ?? null
    const turn = { ip: context.request.ip, isKnown }
    const isRight = await passwords.verify(body.password, seenHash, turn)
    const isOutdated = isRight && seenHash !== null && passwords.isOutdated(seenHash)
    return { keep, lock, seenHash, isRight, newHash: isOutdated ? await passwords.hash(body.password, turn) : null }
  },
  async run(context, { body }, { keep, lock, seenHash, isRight, newHash }) {
    const { tx, nowMs } = context
    const { users } = identityTables(tx)
    // Guesses that were hashed in parallel are judged one after another, so a lockout that one of them sets applies to
    // the others.
    // guard: guesses-are-judged-one-after-another
    const locked = await takeTurn(tx, lock, nowMs)
    if (locked !== null) return refused(locked, { changed: false })
    const user = await findByIdentifier(tx, body.identifier)
    if (user === null || !isRight || user.passwordHash !== seenHash || !user.isActive) {
      return refuseLogin(context, { user, lock, reason: reasonOf(user, isRight) })
    }
    if (newHash !== null) await tx.update(users).set({ passwordHash: newHash }).where(eq(users.id, user.id))

    return afterFirstFactor(context, {
      user,
      lock,
      organizationId: body.organizationId ?? null,
      methods: ['pwd'],
      keep,
    })
  },
})

/** Asks for the second factor where the person has one, else completes the sign-in. */
export async function afterFirstFactor(context: LoginContext, proven: ProvenLogin): Promise<Outcome<TokenSet>> {
  const { user, lock, organizationId, methods } = proven
  // guard: the-second-factor-after-any-first
  if ((await confirmedFactor(context.tx, user.id)) === null) return completeLogin(context, proven)
  // The lockout stays until the second factor is right: a correct password alone does not reset it.
  const claims = {
    sub: user.id,
    lock,
    ...(organizationId === null ? {} : { org: organizationId }),
    ...(methods.includes('social') ? { first: 'social' as const } : {}),
  }
  const challengeToken = await identityOf(context).tokens.sign('mfa', claims, MFA_SECONDS)
  const details = { challengeToken, methods: ['totp', 'recovery-code'] }
  return refused(new Refusal('MFA_REQUIRED', 'send a code to `POST /auth/login/mfa`', { details }), { changed: false })
}

const reasonOf = (user: UserRow | null, isRight: boolean): string =>
  user === null
    ? 'unknown identifier'
    : !user.isActive
      ? 'inactive'
      : isRight
        ? 'password changed meanwhile'
        : 'password'

export async function findByIdentifier(db: Db, identifier: string): Promise<UserRow | null> {
  const { users } = identityTables(db)
  const key = foldKey(identifier)
  const [user] = await db
    .select()
    .from(users)
    .where(or(eq(users.emailKey, key), eq(users.usernameKey, key)))
  return user ?? null
}

type LoginContext = WriteContext<
  'user.login' | 'user.login.failed' | 'user.lockout' | 'admin.superadmin.grant' | 'auth.break-glass'
>

/** Counts the failure and refuses; the count and its evidence are committed. */
export async function refuseLogin(
  context: LoginContext,
  { user, lock, reason }: { readonly user: UserRow | null; readonly lock: string; readonly reason: string },
): Promise<Outcome<never>> {
  const failures = await countFailure(context.tx, lock, context.nowMs)
  const about = {
    orgId: user?.activeOrgId ?? null,
    ...(user === null ? {} : { targetType: 'user', targetId: user.id }),
  }
  await context.audit('user.login.failed', { ...about, details: { reason } })
  if (failures === FAILURES_FREE)
    await context.audit('user.lockout', { ...about, outcome: 'failure', details: { reason } })
  return refused(wrongCredentials(), { changed: true })
}

export interface ProvenLogin {
  readonly user: UserRow
  readonly lock: string
  /** The organization that the person asked for. */
  readonly organizationId: string | null
  readonly methods: readonly string[]
  readonly keep: KeepAs
}

/** How the caller keeps the session: as tokens, with the refresh token as a cookie, or as the cookie of this name. */
type KeepAs = 'tokens' | 'refresh-cookie' | { readonly cookie: string }

/** @throws Refusal when a page of another site asks for a session cookie, or the browser would not keep it. */
export function keepAs(
  { runtime, request }: Pick<LoginContext, 'runtime' | 'request'>,
  asked: string | undefined,
): KeepAs {
  if (asked === 'session') return { cookie: cookieNameFor(runtime.settings, request) }
  return asked === '1' ? 'refresh-cookie' : 'tokens'
}

/** Completes a sign-in after every factor was right. */
export async function completeLogin(context: LoginContext, proven: ProvenLogin): Promise<Outcome<TokenSet>> {
  const { tx, runtime, request, nowMs } = context
  const { users } = identityTables(tx)
  const { organizationId, lock, methods } = proven
  const { user } = proven
  await clearFailures(tx, lock)
  await clearFailures(tx, lockoutKey('login-user', user.id))
  await rememberNetwork(tx, user.id, { ip: request.ip, nowMs })
  const isGranted = await applyBootstrap(context, user)
  const doors = await doorsOf(tx, user.id)
  const glass = breaksGlass(methods) ? doors.owned : []
  // guard: a-password-does-not-open-what-is-enforced
  if (!doors.isAnyOpen && glass.length === 0)
    return refused(signOnRequired(doors.closed[0] ?? ''), { changed: isGranted })
  const standing =
    organizationId === null
      ? await homeStanding(tx, runtime, user)
      : await readStanding(tx, runtime.settings, user.id, organizationId)
  if (organizationId !== null && standing === null) {
    const refusal = new Refusal('ORG_MISMATCH', 'you are not an active member of that organization')
    // A bootstrap grant and its audit event are committed even though the sign-in is refused.
    return refused(refusal, { changed: isGranted })
  }
  const parts = await openSession(tx, runtime, request, { user, standing, methods })
  await breakGlass(context, { user, sessionId: parts.session.id, roots: glass })
  await tx
    .update(users)
    .set({ lastActiveAtMs: nowMs, activeOrgId: standing?.org.id ?? null })
    .where(eq(users.id, user.id))
  await context.audit('user.login', {
    actor: { id: user.id, email: user.email, role: standing?.role ?? null, impersonatorId: null },
    orgId: standing?.org.id ?? null,
    targetType: 'session',
    targetId: parts.session.id,
  })
  const set = await makeTokenSet(runtime, parts)
  if (typeof proven.keep === 'object') {
    const { cookie: name } = proven.keep
    const headers = await giveCookie(context, { sessionId: parts.session.id, name, before: 'ends' })
    return changed(withoutTokens(set), { headers })
  }
  const { data, headers } = answerTokens(context, set, proven.keep === 'refresh-cookie')
  return changed(data, { headers })
}
