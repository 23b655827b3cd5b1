/**
 * Step-up: confirms the person's identity for actions that a stolen session must not be able to take. A recent sign-in
 * does not count. Failed attempts count like those of a sign-in. Source: spec platform 4.6.
 */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import { signedIn } from '../../runtime/operation/access.js'
import { refused, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { sessionOf } from '../authenticator.js'
import { clearFailures, countFailure, FAILURES_FREE, lockedOut, lockoutKey, takeTurn } from '../credential/lockout.js'
import { wrongCredentials } from '../credential/wrong-credentials.js'
import { confirmedFactor } from '../mfa/factor.js'
import { provesFactor } from '../mfa/prove.js'
import { Password } from '../new-user.js'
import { identityOf } from '../services.js'
import { renewCookie } from '../session/give-cookie.js'
import { identityTables } from '../tables.js'

const Action = Type.Optional(
  Type.String({
    pattern: '^[a-z][a-z0-9.-]{1,99}$',
    'x-says': 'must be an operationId, such as `pipeline.pipeline.restore`',
    description: 'The one operation that the token is valid for, by its operationId; any when absent',
  }),
)

const hasNoPassword = (): Refusal =>
  new Refusal(
    'UNAUTHORIZED',
    'your account has no password: confirm with your provider (`POST /auth/sso/{orgId}/attach` with `kind: step-up`, or `POST /auth/oauth/{provider}/step-up`), or set a password first (`POST /auth/password/forgot`)',
  )

export const createStepUp = command({
  name: 'identity.step-up.create',
  summary: 'Confirm your identity for an action that needs it',
  http: { method: 'post', path: '/auth/step-up' },
  duringPasswordChange: true,
  access: signedIn(),
  tenant: noTenant,
  rateLimit: 'step-up',
  secretOutput: true,
  audit: ['user.login.failed', 'user.lockout'],
  input: {
    body: Type.Union([
      strictObject({ method: Type.Literal('password'), password: Password, action: Action }),
      strictObject({
        method: Type.Literal('totp'),
        code: Type.String({ minLength: 6, maxLength: 40, description: 'Six digits, or a recovery code' }),
        action: Action,
      }),
    ]),
  },
  output: strictObject({ stepUpToken: Type.String(), expiresAt: Instant }),
  errors: ['UNAUTHORIZED', 'SERVICE_UNAVAILABLE'],
  async prepare(context, { body }) {
    const { userId } = sessionOf(context.principal)
    const lock = lockoutKey('step-up', userId)
    const { user, locked } = await context.read(async (db) => {
      const { users } = identityTables(db)
      const [row] = await db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, userId))
      return { user: row, locked: await lockedOut(db, lock, context.nowMs) }
    })
    if (locked !== null) throw locked
    if (body.method === 'password' && user?.hash === null) throw hasNoPassword()
    const isRight =
      body.method === 'password' &&
      (await identityOf(context).passwords.verify(body.password, user?.hash ?? null, {
        ip: context.request.ip,
        isKnown: true,
      }))
    return { lock, isRight, seenHash: user?.hash ?? null }
  },
  async run(context, { body }, { lock, isRight, seenHash }) {
    const { tx, nowMs, runtime } = context
    const { userId, sessionId } = sessionOf(context.principal)
    const { users } = identityTables(tx)
    const locked = await takeTurn(tx, lock, nowMs)
    if (locked !== null) return refused(locked, { changed: false })
    const [user] = await tx.select().from(users).where(eq(users.id, userId))
    const factor = body.method === 'totp' ? await confirmedFactor(tx, userId) : null
    const isProved =
      body.method === 'totp'
        ? factor !== null && (await provesFactor(context, factor, body.code))
        : isRight && user?.passwordHash === seenHash
    if (!isProved) {
      const failures = await countFailure(tx, lock, nowMs)
      const about = { targetType: 'user', targetId: userId, details: { reason: `step-up by ${body.method}` } }
      await context.audit('user.login.failed', about)
      if (failures === FAILURES_FREE) await context.audit('user.lockout', { ...about, outcome: 'failure' })
      return refused(wrongCredentials(), { changed: true })
    }
    await clearFailures(tx, lock)
    const seconds = runtime.settings.STEP_UP_TTL_SECONDS
    const claims = { sub: userId, sid: sessionId, ...(body.action === undefined ? {} : { action: body.action }) }
    const stepUpToken = await identityOf(context).tokens.sign('stepUp', claims, seconds)
    const headers = await renewCookie(context, 'grace')
    // A step-up changes nothing but the cookie; the action that uses it is audited.
    return unchanged({ stepUpToken, expiresAt: toIso(Math.floor(nowMs / 1000) * 1000 + seconds * 1000) }, { headers })
  },
})
