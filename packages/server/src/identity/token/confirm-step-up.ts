/**
 * Uses up a step-up token: right subject, right session, right operation, and only once. The `jti` is inserted into a
 * table with a unique key, so of two uses one wins, on every replica. Source: spec platform 4.6.
 */
import { Refusal } from '../../runtime/errors.js'
import type { Principal, Runtime } from '../../runtime/operation/context.js'
import type { Verified } from './claims.js'
import { useTokenId } from './single-use.js'
import type { Tokens } from './tokens.js'

// Tells clients that the session is valid and only the step-up is missing (RFC 9470).
const refusal = (
  code: 'STEP_UP_REQUIRED' | 'STEP_UP_INVALID' | 'STEP_UP_MISMATCH' | 'STEP_UP_REPLAY',
  message: string,
): Refusal =>
  new Refusal(code, message, { headers: { 'WWW-Authenticate': 'Bearer error="insufficient_user_authentication"' } })

export async function confirmStepUp(
  { runtime, tokens }: { readonly runtime: Runtime; readonly tokens: Tokens },
  principal: Principal,
  token: string | null,
  operationName: string,
): Promise<void> {
  if (principal.kind !== 'user' || principal.sessionId === null) {
    throw refusal('STEP_UP_REQUIRED', 'this needs a person who confirms it: sign in and use `POST /auth/step-up`')
  }
  if (token === null) {
    throw refusal('STEP_UP_REQUIRED', 'confirm with `POST /auth/step-up` and send the token as `x-step-up-token`')
  }
  let claims: Verified<'stepUp'>
  try {
    claims = await tokens.verify('stepUp', token)
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) {
      throw refusal('STEP_UP_INVALID', 'the step-up token is malformed or has expired')
    }
    throw error
  }
  // guard: a-confirmation-belongs-to-its-session
  const isBound = claims.sub === principal.userId && claims.sid === principal.sessionId
  // guard: a-confirmation-of-one-action
  if (!isBound || (claims.action !== undefined && claims.action !== operationName)) {
    throw refusal('STEP_UP_MISMATCH', 'the step-up token was made for another session or another action')
  }
  const isFirst = await runtime.store.system.write((tx) => useTokenId(tx, claims))
  // guard: a-confirmation-is-used-once
  if (!isFirst) throw refusal('STEP_UP_REPLAY', 'the step-up token was already used')
}
