/** Changes the person's own password. Their other sessions end; the current one continues. */
import { eq } from 'drizzle-orm'
import { invalid, invalidField } from '../../runtime/errors.js'
import { ownAccount, withStepUp } from '../../runtime/operation/access.js'
import { changed, refused } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { sessionOf } from '../authenticator.js'
import { clearFailures, countFailure, lockedOut, lockoutKey, takeTurn } from '../credential/lockout.js'
import { passwordIssues } from '../credential/password-policy.js'
import { wrongCredentials } from '../credential/wrong-credentials.js'
import { Password } from '../new-user.js'
import { identityOf } from '../services.js'
import { renewCookie } from '../session/give-cookie.js'
import { identityTables } from '../tables.js'
import { setPassword } from './set-password.js'

export const changePassword = command({
  name: 'identity.auth.change-password',
  summary: 'Change your password',
  http: { method: 'post', path: '/auth/password/change', status: 204 },
  duringPasswordChange: true,
  access: withStepUp(ownAccount()),
  tenant: noTenant,
  rateLimit: 'auth',
  audit: ['user.password.change', 'user.login.failed'],
  input: { body: strictObject({ currentPassword: Password, newPassword: Password }) },
  output: null,
  errors: ['UNAUTHORIZED', 'SERVICE_UNAVAILABLE'],
  async prepare(context, { body }) {
    const { userId } = sessionOf(context.principal)
    const { passwords } = identityOf(context)
    const lock = lockoutKey('step-up', userId)
    const { user, locked } = await context.read(async (db) => {
      const { users } = identityTables(db)
      const [row] = await db.select().from(users).where(eq(users.id, userId))
      return { user: row, locked: await lockedOut(db, lock, context.nowMs) }
    })
    if (locked !== null) throw locked
    if (user === undefined) throw wrongCredentials()
    const { PASSWORD_MIN_LENGTH } = context.runtime.settings
    const issues = passwordIssues(body.newPassword, user, PASSWORD_MIN_LENGTH, '/body/newPassword')
    if (issues.length > 0) throw invalid(issues)
    if (body.newPassword === body.currentPassword) {
      throw invalidField('/body/newPassword', 'must not be the current password', 'same')
    }
    const turn = { ip: context.request.ip, isKnown: true }
    const isRight = await passwords.verify(body.currentPassword, user.passwordHash, turn)
    const seenHash = user.passwordHash
    return { lock, seenHash, newHash: isRight ? await passwords.hash(body.newPassword, turn) : null }
  },
  async run(context, _input, { lock, seenHash, newHash }) {
    const { tx, nowMs } = context
    const { userId, sessionId } = sessionOf(context.principal)
    const { users } = identityTables(tx)
    const locked = await takeTurn(tx, lock, nowMs)
    if (locked !== null) return refused(locked, { changed: false })
    const [user] = await tx.select().from(users).where(eq(users.id, userId))
    if (newHash === null || user === undefined || user.passwordHash !== seenHash) {
      await countFailure(tx, lock, nowMs)
      await context.audit('user.login.failed', {
        targetType: 'user',
        targetId: userId,
        details: { reason: 'current password' },
      })
      return refused(wrongCredentials(), { changed: true })
    }
    await clearFailures(tx, lock)
    await setPassword(context, user, newHash, { keepSessionId: sessionId })
    await context.audit('user.password.change', { targetType: 'user', targetId: userId })
    return changed(null, { headers: await renewCookie(context, 'ends') })
  },
})
