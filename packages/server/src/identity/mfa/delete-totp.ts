/** Removes the authenticator app and the recovery codes, so that sign-in requires only the password again. */
import { eq } from 'drizzle-orm'
import { notFound } from '../../runtime/errors.js'
import { ownAccount, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import type { Tx } from '../../runtime/store/db.js'
import { sessionOf } from '../authenticator.js'
import { credentialTables } from '../credential/tables.js'

export const deleteTotp = command({
  name: 'identity.mfa.delete-totp',
  summary: 'Remove the authenticator app',
  http: { method: 'delete', path: '/auth/mfa/totp', status: 204 },
  access: withStepUp(ownAccount()),
  tenant: noTenant,
  audit: ['user.mfa.disable'],
  input: {},
  output: null,
  errors: ['NOT_FOUND'],
  async run(context) {
    const { userId } = sessionOf(context.principal)
    if (!(await removeSecondFactor(context.tx, userId))) throw notFound('Second factor')
    await context.audit('user.mfa.disable', { targetType: 'user', targetId: userId, details: { name: 'totp' } })
    return changed(null)
  },
})

/** @returns false when there was none. */
export async function removeSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const { totpFactors, recoveryCodes } = credentialTables(tx)
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  const rows = await tx.delete(totpFactors).where(eq(totpFactors.userId, userId)).returning({ id: totpFactors.userId })
  return rows.length > 0
}
