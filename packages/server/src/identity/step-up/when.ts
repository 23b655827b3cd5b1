/**
 * Confirmation of identity for an operation that needs it for some of its requests alone (`stepUpWhen`). Called in
 * `prepare`, because using up a token is a write of its own.
 */
import type { PrepareContext } from '../../runtime/operation/context.js'
import { identityOf } from '../services.js'

/** @throws Refusal 401 `STEP_UP_REQUIRED` and its kin. */
export async function confirmIdentity(
  context: Pick<PrepareContext, 'principal' | 'request' | 'runtime'>,
  operationName: string,
): Promise<void> {
  const token = context.request.headers?.get('x-step-up-token') ?? null
  await identityOf(context).authenticator.stepUp(context.principal, token, operationName)
}
