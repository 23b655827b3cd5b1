/**
 * Confirms an authenticator app by its first code. Afterwards sign-in requires a code; the recovery codes are shown
 * once.
 */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { ownAccount, withStepUp } from '../../runtime/operation/access.js'
import { changed, refused } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { sessionOf } from '../authenticator.js'
import { clearFailures, countFailure, lockoutKey, takeTurn } from '../credential/lockout.js'
import { credentialTables } from '../credential/tables.js'
import { identityOf } from '../services.js'
import { findFactor, matchCode, newRecoveryCode, RECOVERY_CODES, recoveryHash, totpPurpose } from './factor.js'

export const confirmTotp = command({
  name: 'identity.mfa.confirm-totp',
  summary: 'Confirm an authenticator app by its first code',
  http: { method: 'post', path: '/auth/mfa/totp/confirm' },
  access: withStepUp(ownAccount()),
  tenant: noTenant,
  secretOutput: true,
  audit: ['user.mfa.enable'],
  input: { body: strictObject({ code: Type.String({ pattern: '^[0-9]{6}$', 'x-says': 'must be 6 digits' }) }) },
  output: strictObject({
    recoveryCodes: Type.Array(Type.String(), { description: 'Ten codes, each valid once, shown only now' }),
  }),
  errors: ['CONFLICT', 'UNAUTHORIZED'],
  async run(context, { body }) {
    const { tx, nowMs } = context
    const { userId } = sessionOf(context.principal)
    const { totpFactors, recoveryCodes } = credentialTables(tx)
    const lock = lockoutKey('mfa', userId)
    const locked = await takeTurn(tx, lock, nowMs)
    if (locked !== null) return refused(locked, { changed: false })
    const factor = await findFactor(tx, userId)
    if (factor === null || factor.confirmedAtMs !== null) {
      throw new Refusal('CONFLICT', 'no enrolment is pending: start one')
    }
    const secret = identityOf(context).box.open(factor.sealedSecret, totpPurpose(userId))
    const timeStep = await matchCode(secret, body.code, nowMs, null)
    if (timeStep === null) {
      await countFailure(tx, lock, nowMs)
      const message = 'the code is wrong: compare the clock of the device, and send the code that it shows now'
      return refused(new Refusal('UNAUTHORIZED', message), { changed: false })
    }
    await clearFailures(tx, lock)
    await tx
      .update(totpFactors)
      .set({ confirmedAtMs: nowMs, lastTimeStep: timeStep })
      .where(eq(totpFactors.userId, userId))
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
    for (const code of codes) {
      const codeHash = recoveryHash(userId, code)
      if (codeHash === null) throw new Error('a new recovery code has the wrong form')
      await tx.insert(recoveryCodes).values({ codeHash, userId, createdAtMs: nowMs })
    }
    await context.audit('user.mfa.enable', { targetType: 'user', targetId: userId, details: { name: 'totp' } })
    return changed({ recoveryCodes: codes })
  },
})
