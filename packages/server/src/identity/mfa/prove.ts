/** Checks a code against a person's second factor, and uses it up. */
import type { WriteContext } from '../../runtime/operation/context.js'
import { identityOf } from '../services.js'
import { matchCode, type TotpFactor, totpPurpose, useRecoveryCode, useTimeStep } from './factor.js'

export async function provesFactor(
  context: Pick<WriteContext, 'tx' | 'runtime' | 'nowMs'>,
  factor: TotpFactor,
  code: string,
): Promise<boolean> {
  const { tx, nowMs } = context
  const { userId, sealedSecret, lastTimeStep } = factor
  const secret = identityOf(context).box.open(sealedSecret, totpPurpose(userId))
  const timeStep = await matchCode(secret, code, nowMs, lastTimeStep)
  return timeStep === null ? useRecoveryCode(tx, userId, code) : useTimeStep(tx, userId, timeStep)
}
