/** How a browser or a program receives its new session. */
import { answerTokens, giveCookie, type keepAs, type TokenSet, withoutTokens } from '../../identity/index.js'
import type { OutcomeHeaders } from '../../runtime/operation/context.js'
import type { Entered, Entering } from './enter.js'

export async function kept(
  context: Entering,
  { tokens, sessionId }: Entered,
  keep: ReturnType<typeof keepAs>,
): Promise<{ readonly data: TokenSet; readonly headers: OutcomeHeaders }> {
  if (typeof keep !== 'object') return answerTokens(context, tokens, keep === 'refresh-cookie')
  return {
    data: withoutTokens(tokens),
    headers: await giveCookie(context, { sessionId, name: keep.cookie, before: 'ends' }),
  }
}
