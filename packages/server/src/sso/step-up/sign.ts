/** Signs the step-up token, for the session that asked and the one action that it named. */
import { identityOf } from '../../identity/index.js'
import { toIso } from '../../runtime/clock.js'
import type { WriteContext } from '../../runtime/operation/context.js'

interface Confirmed {
  readonly userId: string
  readonly sessionId: string
  readonly action: string | null
}

export async function signStepUp(
  context: Pick<WriteContext, 'runtime' | 'nowMs'>,
  { userId, sessionId, action }: Confirmed,
): Promise<{ readonly stepUpToken: string; readonly expiresAt: string }> {
  const { runtime, nowMs } = context
  const seconds = runtime.settings.STEP_UP_TTL_SECONDS
  const claims = { sub: userId, sid: sessionId, ...(action === null ? {} : { action }) }
  const stepUpToken = await identityOf(context).tokens.sign('stepUp', claims, seconds)
  return { stepUpToken, expiresAt: toIso(Math.floor(nowMs / 1000) * 1000 + seconds * 1000) }
}
