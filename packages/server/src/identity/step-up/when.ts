/**
 * Step-up for an operation that needs it only for some of its requests (`stepUpWhen`). Called in `prepare`, because
 * using up a token is a separate write.
 */
import type { PrepareContext } from '../../runtime/operation/context.js'
import { MEMBER_PERMISSIONS } from '../permission/bundles.js'
import { identityOf } from '../services.js'

type Confirming = Pick<PrepareContext, 'principal' | 'request' | 'runtime'>

/** @throws Refusal 401 `STEP_UP_REQUIRED` and related codes. */
export async function confirmIdentity(context: Confirming, operationName: string): Promise<void> {
  const token = context.request.headers?.get('x-step-up-token') ?? null
  await identityOf(context).authenticator.stepUp(context.principal, token, operationName)
}

/**
 * The same for granted rights, because they outlive a stolen session that grants them. Rights that every member holds
 * need no step-up.
 */
export async function confirmGrant(
  context: Confirming,
  operationName: string,
  granted: readonly string[],
): Promise<void> {
  const members: readonly string[] = MEMBER_PERMISSIONS
  // guard: a-confirmation-of-identity-for-rights-that-somebody-is-given
  if (granted.some((name) => !members.includes(name))) await confirmIdentity(context, operationName)
}

/** Completes the sentence "step-up when". */
export const GRANTS_MORE = 'it gives somebody more than the built-in Role Member holds'
